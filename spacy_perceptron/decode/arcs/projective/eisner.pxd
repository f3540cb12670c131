cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ...search.forest cimport Forest
from ..parts cimport Parts


@cython.final
cdef class FirstOrder:
    cdef size_t width
    # Half of word h up to boundary b, at h * width + b: the left one if b <= h, else the right one.
    cdef vector[int32_t] complete
    # The span of an arc, by arc id.
    cdef vector[int32_t] incomplete
    # The farthest boundary that the left half of a word reaches.
    cdef vector[int32_t] reach
    # What is to be done in the cells (i, j), by i.
    cdef vector[uint8_t] flags

    cdef void build(self, Parts parts, Forest forest) noexcept nogil
    cdef void _start(self, Parts parts) noexcept nogil
    cdef void _add_cells(self, Parts parts, Forest forest, int j) noexcept nogil
    cdef void _add_arcs(
        self, Parts parts, Forest forest, int i, int j, int right, int left
    ) noexcept nogil
    cdef int _add_splits(self, Forest forest, int i, int j, float score, int arc) noexcept nogil
    cdef int _add_edge(self, Forest forest, int node, float score, int arc) noexcept nogil
    cdef bint _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil
    cdef void _flag_heads(self, Parts parts, int child) noexcept nogil
