from libc.stdint cimport int32_t

from .beam cimport BeamSearch


cdef class Violation:
    cdef readonly BeamSearch search
    # The two sequences by their last actions, -1 for none, and how they score.
    cdef int32_t correct
    cdef int32_t predicted
    cdef double correct_score
    cdef double predicted_score

    cdef void forget(self) noexcept nogil
    cdef bint find(self, bint greatest) noexcept nogil
    cdef void _consider(self, int32_t correct, double score) noexcept nogil
