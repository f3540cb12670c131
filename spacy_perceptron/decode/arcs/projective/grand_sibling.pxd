cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ...search.forest cimport Forest
from ..parts cimport Parts


# A sibling before a given child: the span between them, the first grand id of its arc, the score of
# the sibling part and the first id of its parts with upper arcs, -1 without these.
cdef struct Sibling:
    int32_t node
    int32_t incomplete
    float score
    int32_t grand_sibling


# A possible last child: the first grand id of its arc, its outer half, the score of being last.
cdef struct Last:
    int32_t incomplete
    int32_t outer
    float score


@cython.final
cdef class SecondOrder:
    cdef size_t width
    # Half of the child h of arc a up to boundary b, at a * width + b: the left half if b <= h,
    # else the right one.
    cdef vector[int32_t] complete
    # The span of an arc under an upper arc, by grand id.
    cdef vector[int32_t] incomplete
    # Whether an arc has a span under any upper arc.
    cdef vector[int32_t] started
    # The farthest boundary that the left half of a word reaches.
    cdef vector[int32_t] reach
    # What is to be done in the cells (i, j), by i.
    cdef vector[uint8_t] flags
    # Scratch of the methods below.
    cdef vector[Sibling] siblings
    cdef vector[Last] lasts

    cdef void build(self, Parts parts, Forest forest) noexcept nogil
    cdef void _start(self, Parts parts, Forest forest) noexcept nogil
    cdef void _add_cells(self, Parts parts, Forest forest, int j) noexcept nogil
    cdef void _add_arc(self, Parts parts, Forest forest, int arc, int side) noexcept nogil
    cdef int _add_siblings(self, Parts parts, Forest forest, int arc, int side) noexcept nogil
    cdef void _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil
    cdef int _find_lasts(self, Parts parts, int h, int side, int end) noexcept nogil
