from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...learn.hashed cimport HashedWeights
from ...learn.weight_sums cimport WeightSums
from ...learn.weights cimport WeightTable
from ...features.dropout cimport FeatureDropout
from .features cimport PartFeatures
from .parts cimport Parts


cdef class PartScorer(FeatureDropout):
    cdef readonly PartFeatures features
    cdef readonly HashedWeights weights
    cdef readonly WeightTable label_weights
    # The best label of each arc and its score, which is part of the arc's.
    cdef vector[int32_t] best_label
    cdef vector[float] label_score
    # The score of each arc's gold label, or of its best one if there is none.
    cdef vector[float] gold_label_score
    cdef vector[float] label_scores
    # What the head (0) and the child (1) of an arc add by themselves, as far as it is known.
    cdef vector[vector[float]] end_scores
    cdef vector[vector[float]] end_labels
    cdef vector[vector[char]] has_end_labels
    cdef vector[uint64_t] ids
    cdef WeightSums sums

    cdef void score(
        self, Parts parts, const int32_t* gold_heads, const int32_t* gold_labels, float cost
    ) noexcept nogil
    cdef void score_arcs(
        self, Parts parts, const int32_t* gold_heads, const int32_t* gold_labels, float cost
    ) noexcept nogil
    cdef void score_further(self, Parts parts) noexcept nogil
    cdef void keep_arcs(self, const vector[int32_t]& kept) noexcept nogil
    cdef float _end_score(self, int head, int child, bint of_child) noexcept nogil
    cdef float _sum_end(self, int head, int child, bint of_child) noexcept nogil
    cdef void _score_pair(self, int head, int child, float* score) noexcept nogil
    cdef void _add(self, int n, uint64_t* ids, float* score) noexcept nogil
    cdef const float* _end_labels(self, int head, int child, bint of_child) noexcept nogil
    cdef void _score_labels(self, int head, int child, int gold, float cost, int arc) noexcept nogil
    cdef void _score_siblings(self, Parts parts) noexcept nogil
    cdef void _sibling(
        self, int head, int inner, int outer, int side, float* score
    ) noexcept nogil
    cdef void _score_grands(self, Parts parts) noexcept nogil
    cdef void _score_grand_siblings(self, Parts parts) noexcept nogil
