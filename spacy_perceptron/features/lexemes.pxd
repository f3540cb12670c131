from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

cdef enum:
    BEFORE = 0
    AFTER = 1
    FIRST_ROW = 2


cdef class LexemeTable:
    cdef readonly int n_attributes
    cdef readonly int max_rows
    cdef readonly int n_rows
    cdef readonly int generation
    cdef uint64_t mask
    cdef vector[uint64_t] keys
    cdef vector[int32_t] rows
    cdef vector[uint64_t] values

    cdef size_t _find(self, uint64_t key) noexcept nogil
    cdef int _find_all(self, const uint64_t[::1] orths, int32_t[::1] found) noexcept
    cdef int32_t _add(self, uint64_t orth, compute, bint in_place) except -2
    cdef const uint64_t* attributes(self, int row) noexcept nogil
