from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...features.dropout cimport FeatureDropout
from ...learn.hashed cimport HashedWeights
from ...learn.weight_sums cimport WeightSums
from .features cimport AttachmentFeatures
from .state cimport Tree, Window


# The scores of a group of templates in a context, one for each direction.
cdef struct Entry:
    uint64_t key
    int32_t sentence
    float scores[2]


cdef class AttachmentScorer(FeatureDropout):
    cdef readonly AttachmentFeatures features
    cdef readonly HashedWeights weights
    cdef readonly WeightSums sums
    cdef bint remembers
    cdef vector[Entry] memo
    cdef uint64_t memo_mask
    cdef size_t n_remembered
    cdef int32_t sentence
    cdef vector[uint64_t] ids

    cdef void start(self, bint remembers) noexcept nogil
    cdef void score_pair(self, Tree* trees, int n_trees, int i, int groups) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef void _queue(self, const Window* window, Tree* tree, int groups) noexcept nogil
    cdef int _group_ids(
        self, const Window* window, int direction, int group, uint64_t* ids
    ) noexcept nogil
    cdef int _recall(self, const Window* window, Tree* tree, int groups) noexcept nogil
    cdef void _remember(self, const Window* window, Tree* tree, int groups) noexcept nogil
    cdef uint64_t _key(self, const Window* window, int group) noexcept nogil
    cdef Entry* _find(self, uint64_t key) noexcept nogil
    cdef void _make_room(self) noexcept nogil
    cdef void _compute(self, const Window* window, Tree* tree, int groups) noexcept nogil
