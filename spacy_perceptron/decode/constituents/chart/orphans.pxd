cimport cython
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from .spans cimport Spans


@cython.final
cdef class Orphans:
    cdef int n_symbols
    # The bits of each symbol, and of those that can have it as their left or right child.
    cdef vector[uint64_t] bits
    cdef vector[uint64_t] left_of
    cdef vector[uint64_t] right_of
    # The bits of what is left in the spans, looked at so far, that start or end at a place.
    cdef vector[uint64_t] starting
    cdef vector[uint64_t] ending

    cdef void remove(self, Spans spans) noexcept nogil
