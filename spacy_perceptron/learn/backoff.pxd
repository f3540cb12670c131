from libc.stdint cimport uint32_t, uint64_t
from libcpp.vector cimport vector

cdef enum:
    MAX_DEPTH = 31


cdef struct FoundRows:
    # The rows of the first n prefixes of a context, the empty one first, and the share of the
    # probability that the longer ones leave to each.
    int n
    uint32_t rows[MAX_DEPTH + 1]
    double shares[MAX_DEPTH + 1]


cdef struct RowSlot:
    # The key of a row, and its number plus one; 0 in empty slots.
    uint64_t key
    uint32_t number


cdef class BackoffModel:
    cdef readonly int depth
    cdef readonly double floor
    # Row i holds entries starts[i] to starts[i + 1], in ascending order of their outcomes.
    cdef const uint64_t[::1] keys
    cdef const uint32_t[::1] starts
    cdef const float[::1] remainders
    cdef const uint64_t[::1] outcomes
    cdef const float[::1] probabilities
    # The rows by their keys, open addressing.
    cdef vector[RowSlot] slots
    cdef uint64_t mask

    cdef bint _ascending(self)
    cdef bint _index(self)
    cdef uint32_t _find(self, uint64_t key) noexcept nogil
    cdef void prepare(self, const uint64_t* context, FoundRows* found) noexcept nogil
    cdef double probability(self, const FoundRows* found, uint64_t outcome) noexcept nogil
    cdef double log_probability(self, const uint64_t* context, uint64_t outcome) noexcept nogil
