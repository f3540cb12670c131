from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector


cdef struct Candidate:
    double score
    uint64_t signature
    int32_t parent
    int32_t position
    int32_t label
    int32_t row
    bint correct


cdef class Beam:
    cdef readonly int width
    cdef vector[Candidate] items

    cdef void reset(self, int width) noexcept nogil
    cdef bint refuses(self, double score) noexcept nogil
    cdef bint push(self, const Candidate& candidate) noexcept nogil


cdef uint64_t action_signature(int position, int label) noexcept nogil
