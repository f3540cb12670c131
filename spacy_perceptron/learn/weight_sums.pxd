from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from .hashed cimport HashedWeights


# A pending sum: n features at the same place in `ids`, and where to add their weights.
cdef struct Pending:
    float* target
    uint64_t twin
    int32_t n_twins
    int32_t n


cdef class WeightSums:
    cdef readonly HashedWeights weights
    cdef vector[Pending] pending
    cdef vector[uint64_t] ids
    cdef size_t width
    # The place of the next sum. It still holds the oldest one.
    cdef size_t place

    cdef void start(self, int width) noexcept nogil
    cdef uint64_t* room(self) noexcept nogil
    cdef void add(self, int n, int n_twins, uint64_t twin, float* target) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef void _take(self, size_t place) noexcept nogil
