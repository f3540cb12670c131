cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.forest cimport Forest
from ..parts cimport Parts
from .chart cimport Chart


# A sibling nearer to the head than a given child: the span between the two, the first grand id of
# the sibling's arc, the score of the sibling part, and the first id of the parts that both form
# with upper arcs, -1 if these have no scores.
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


# The half of the child h of arc a up to boundary b is complete[a * width + b]: the left half if
# b <= h, else the right one. The span of an arc under an upper arc is incomplete[grand id].
@cython.final
cdef class SecondOrder(Chart):
    # Whether an arc has a span under any upper arc.
    cdef vector[int32_t] started
    # Scratch of the methods below.
    cdef vector[Sibling] siblings
    cdef vector[Last] lasts

    cdef void _add_arc(self, Parts parts, Forest forest, int arc, int side) noexcept nogil
    cdef int _add_siblings(self, Parts parts, Forest forest, int arc, int side) noexcept nogil
    cdef void _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil
    cdef int _find_lasts(self, Parts parts, int h, int side, int end) noexcept nogil
