from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ...search.forest cimport IMPOSSIBLE, Forest
from ..parts cimport LEFT, Parts

# What is to be done in a cell.
cdef enum:
    # There is an arc from i to j; from j to i.
    RIGHT_ARC = 1
    LEFT_ARC = 2
    # The right half of i may reach the end of j; the left half of j the start of i.
    RIGHT_HALF = 4
    LEFT_HALF = 8


cdef class Chart:
    # Length of a row of halves.
    cdef size_t width
    # Rows of halves by boundary, and the spans of arcs: nodes of the forest.
    cdef vector[int32_t] complete
    cdef vector[int32_t] incomplete
    # The farthest boundary that the left half of a word reaches.
    cdef vector[int32_t] reach
    # What is to be done in the cells (i, j), by i.
    cdef vector[uint8_t] flags

    cdef void build(self, Parts parts, Forest forest) noexcept nogil
    cdef void start(self, Parts parts, Forest forest) noexcept nogil
    cdef void add_cells(self, Parts parts, Forest forest, int j) noexcept nogil
    cdef const int32_t* halves(self, Parts parts, int arc) noexcept nogil
    cdef int _add_goal(self, Parts parts, Forest forest) noexcept nogil


cdef inline int flag_arcs(Parts parts, int j, uint8_t* flags) noexcept nogil:
    """Flag the arcs between j and the words before it.

    RETURNS (int): The arc from the nearest head before j. Those from farther heads have lower ids.
    """
    cdef int a = parts.incoming[j], at
    while a < parts.incoming[j + 1] and parts.heads[a] < j:
        flags[parts.heads[a]] |= RIGHT_ARC
        a += 1
    for at in range(parts.outgoing[2 * j + LEFT], parts.outgoing[2 * j + LEFT + 1]):
        flags[parts.children[parts.outgoing_arcs[at]]] |= LEFT_ARC
    return a - 1


cdef inline void flag_left(
    const int32_t* halves, int farthest, int child, uint8_t* flags
) noexcept nogil:
    """Flag the cells that the left half of j reaches through a child.

    halves (int32_t*): The child's halves by boundary.
    farthest (int): The first boundary that its left half reaches.
    """
    cdef int b
    for b in range(farthest, child + 1):
        if halves[b] != IMPOSSIBLE:
            flags[b] |= LEFT_HALF
