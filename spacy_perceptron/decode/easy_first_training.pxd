from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..learn.mira cimport Feature
from .attachment_search cimport AttachmentSearch, State
from .beam cimport Candidate
from .easy_first_parsing cimport EasyFirstParsing


# The two sequences of an update, by their last actions, and how they score.
cdef struct Violation:
    int32_t correct
    int32_t predicted
    double correct_score
    double predicted_score


cdef class EasyFirstTraining:
    cdef readonly EasyFirstParsing parsing
    cdef readonly int label_mistakes
    cdef AttachmentSearch search
    # The best correct one-action extension, and its state once the beam holds no correct one.
    cdef Candidate extension
    cdef State gold_state
    cdef bint fell_off
    cdef Violation violation
    cdef vector[int32_t] gold_heads
    cdef vector[int32_t] known_labels
    cdef vector[int32_t] stack
    cdef vector[int32_t] missing
    cdef vector[int32_t] path
    cdef vector[int32_t] other_path
    cdef vector[Feature] difference

    cdef int check(self, const int32_t[::1] heads, const int32_t[::1] labels) except -1
    cdef bint complete_gold(self, const int32_t* heads, int n) noexcept nogil
    cdef bint is_projective(self, const int32_t* heads, int n) noexcept nogil
    cdef bint _try_extensions(self, const State& state, int parent) noexcept nogil
    cdef bint find_extension(self) noexcept nogil
    cdef void follow_extension(self) noexcept nogil
    cdef int find_violation(self, bint early) noexcept nogil
    cdef void consider(self, int32_t correct, bint counts) noexcept nogil
    cdef void trace(self, int32_t last, vector[int32_t]& path) noexcept nogil
    cdef void collect(self) noexcept nogil
    cdef void _collect_path(
        self, const vector[int32_t]& path, int first, float value
    ) noexcept nogil
    cdef void _collect_action(
        self, int n_trees, int pair, int direction, float value
    ) noexcept nogil
    cdef int count_mistakes(self) noexcept nogil
    cdef int update(self, double step, double time) except -1
