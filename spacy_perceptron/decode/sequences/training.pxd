from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..search.beam cimport Candidate
from .search cimport TaggingSearch


cdef class TaggingTraining(TaggingSearch):
    cdef Candidate gold_candidate
    # The sequences of the last violation, as their last actions.
    cdef int32_t gold_history, wrong_history
    cdef double gold_score, wrong_score
    # Both sequences of a violation by position: tag or -1, and the context it was given in.
    cdef vector[int32_t] right_labels, wrong_labels
    cdef vector[uint64_t] right_contexts, wrong_contexts
    cdef vector[uint64_t] difference_keys
    cdef vector[int32_t] difference_labels
    cdef vector[float] difference_deltas
    cdef vector[uint64_t] context_ids

    cdef void _find_gold_extension(self, const int32_t* gold) noexcept nogil
    cdef void _start_training(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin
    ) noexcept nogil
    cdef int _best_correct(self, const int32_t* gold, int i, int32_t row) noexcept nogil
    cdef void _add_gold_action(self, int32_t previous) noexcept nogil
    cdef void _take_predicted(self) noexcept nogil
    cdef bint _any_correct(self) noexcept nogil
    cdef bint _search_violation(self, const int32_t* gold) noexcept nogil
    cdef void _place(self, bint correct, int position, int label, uint64_t context) noexcept nogil
    cdef void _place_history(self, bint correct, int32_t last) noexcept nogil
    cdef void _clear_places(self) noexcept nogil
    cdef void _place_violation(self) noexcept nogil
    cdef void _collect_ids(self, int n_ids, int label, float delta) noexcept nogil
    cdef void _collect_id(self, uint64_t key, int label, float delta) noexcept nogil
    cdef void _collect_context_change(self, int i, int label) noexcept nogil
    cdef void _collect_difference(self) noexcept nogil
