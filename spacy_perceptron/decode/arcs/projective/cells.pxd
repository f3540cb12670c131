"""What the builders of forests share: flags for what is to be done in a cell (i, j) of the chart,
kept for one j and all i < j, and the goal.

Most cells of a sentence with few heads a word are empty. A builder visits i from j - 1 down to 1
and looks at the flags of i: arcs between i and j are known from the start, and a span that gets
built flags the cells it can be extended to. Cells without flags cost next to nothing.
"""
from libc.stdint cimport int32_t, uint8_t

from ...search.forest cimport IMPOSSIBLE, Edge, Forest, add_node, new_edges, set_edge
from ..parts cimport LEFT, RIGHT, ROOT, Parts

cdef enum:
    # There is an arc from i to j; from j to i.
    RIGHT_ARC = 1
    LEFT_ARC = 2
    # The right half of i may reach the end of j; the left half of j the start of i.
    RIGHT_HALF = 4
    LEFT_HALF = 8


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
    """Flag the cells to which the left half of j reaches through a child.

    halves (int32_t*): The child's halves by boundary.
    farthest (int): The first boundary that its left half reaches.
    """
    cdef int b
    for b in range(farthest, child + 1):
        if halves[b] != IMPOSSIBLE:
            flags[b] |= LEFT_HALF


cdef inline int add_goal(
    Parts parts, Forest forest, const int32_t* complete, size_t width, bint by_arc
) noexcept nogil:
    """Add the node of whole trees: for each child of the root, its two halves.

    complete (int32_t*): Rows of halves by boundary.
    width (size_t): Length of a row.
    by_arc (bint): Whether there is a row per arc, or one per word.
    RETURNS (int): The node, or IMPOSSIBLE.
    """
    cdef int first = parts.outgoing[2 * ROOT + RIGHT], n = parts.n_words, at, a
    cdef const int32_t* halves
    cdef Edge* edge = new_edges(forest, n)
    for at in range(first, parts.outgoing[2 * ROOT + RIGHT + 1]):
        a = parts.outgoing_arcs[at]
        halves = complete + width * (a if by_arc else parts.children[a])
        set_edge(edge, halves[1], halves[n + 1], parts.arc[a], a)
        edge += (halves[1] != IMPOSSIBLE) & (halves[n + 1] != IMPOSSIBLE)
    return add_node(forest, edge)
