from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..search.violation cimport Violation
from .rows cimport ScoreRows
from .scorer cimport TaggingScorer
from .search cimport TaggingSearch


cdef class TaggingTraining:
    cdef readonly TaggingSearch search
    cdef readonly bint max_violation
    cdef TaggingScorer scorer
    cdef ScoreRows rows
    cdef Violation violation
    # Both sequences of a violation by position: tag or -1, and the context it was given in.
    cdef vector[int32_t] right_labels, wrong_labels
    cdef vector[uint64_t] right_contexts, wrong_contexts
    cdef vector[uint64_t] difference_keys
    cdef vector[int32_t] difference_labels
    cdef vector[float] difference_deltas
    cdef vector[uint64_t] context_ids

    cdef bint find(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin
    ) noexcept nogil
    cdef int learn(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin, double time, bint resume
    ) except -1
    cdef void clear_places(self) noexcept nogil
    cdef void place(self, bint correct, int i, int label, uint64_t context) noexcept nogil
    cdef void _place_history(self, bint correct, int32_t last) noexcept nogil
    cdef void collect(self) noexcept nogil
    cdef void _collect_action(
        self, int i, int label, uint64_t context, float delta
    ) noexcept nogil
    cdef void _collect_context_change(self, int i, int label) noexcept nogil
    cdef void _collect_ids(self, int n_ids, int label, float delta) noexcept nogil
    cdef void _collect_id(self, uint64_t key, int label, float delta) noexcept nogil
