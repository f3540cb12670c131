cimport cython
from libc.stdint cimport int32_t

from ...search.forest cimport Forest
from ..parts cimport Parts
from .chart cimport Chart


# The half of word h up to boundary b is complete[h * width + b]: the left one if b <= h, else the
# right one. The span of an arc is incomplete[arc].
@cython.final
cdef class FirstOrder(Chart):
    cdef void _add_arcs(
        self, Parts parts, Forest forest, int i, int j, int right, int left
    ) noexcept nogil
    cdef int _add_splits(self, Forest forest, int i, int j, float score, int arc) noexcept nogil
    cdef int _add_edge(self, Forest forest, int node, float score, int arc) noexcept nogil
    cdef bint _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil
    cdef void _flag_heads(self, Parts parts, int child) noexcept nogil
