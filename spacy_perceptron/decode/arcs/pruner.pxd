from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...learn.hashed cimport HashedWeights
from .features cimport PartFeatures
from .parts cimport Parts


cdef struct ScoredHead:
    float score
    int32_t head


cdef class ArcPruner:
    cdef readonly HashedWeights weights
    cdef readonly double threshold
    cdef readonly int max_heads
    cdef float margin
    # The limit in the present sentence.
    cdef int n_heads
    cdef vector[uint64_t] ids
    cdef vector[float] scores
    cdef vector[ScoredHead] ranked
    cdef vector[int32_t] kept

    cdef void prune(
        self, PartFeatures features, Parts parts, const int32_t* required, int order
    ) noexcept nogil
    cdef void _limit_heads(self, int n_words, int order) noexcept nogil
    cdef void allow_chains(
        self, PartFeatures features, Parts parts, const int32_t* required, int order
    ) noexcept nogil
    cdef void allow_all(self, PartFeatures features, Parts parts, int order) noexcept nogil
    cdef void _score_heads(self, PartFeatures features, int child) noexcept nogil
    cdef void _choose_heads(self, int n_words, int child, int required) noexcept nogil
    cdef double learn(
        self, PartFeatures features, const int32_t* gold, double rate, double time
    ) noexcept nogil
