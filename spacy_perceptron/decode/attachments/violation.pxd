from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..search.beam cimport Candidate
from .search cimport AttachmentSearch, State


cdef class AttachmentViolation:
    cdef readonly AttachmentSearch search
    # The last actions of the two sequences, -1 for none, and the scores of the sequences.
    cdef int32_t correct
    cdef int32_t predicted
    cdef double correct_score
    cdef double predicted_score
    # The best correct one-action extension, and its state once the beam has no correct one.
    cdef Candidate extension
    cdef State gold_state
    cdef bint fell_off
    cdef vector[int32_t] gold_heads
    cdef vector[int32_t] stack
    cdef vector[int32_t] missing

    cdef void forget(self) noexcept nogil
    cdef bint complete_gold(self, const int32_t* heads, int n) noexcept nogil
    cdef bint is_projective(self, const int32_t* heads, int n) noexcept nogil
    cdef bint _try_extensions(self, const State& state, int parent) noexcept nogil
    cdef bint find_extension(self) noexcept nogil
    cdef void follow_extension(self) noexcept nogil
    cdef int find(self, bint early) noexcept nogil
    cdef void consider(self, int32_t correct, bint counts) noexcept nogil
