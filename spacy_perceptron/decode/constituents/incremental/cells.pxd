"""Open nodes of partial trees. Cells never change and are shared: a child more is a new cell."""
from libc.stdint cimport int16_t, int32_t

cdef enum:
    # In place of a symbol, a word or a cell: none.
    NONE = -1
    N_KIDS = 3
    # The priority of a node without children.
    NO_HEAD = 0


cdef struct Cell:
    # The open node above it in the tree, as it was before this one was opened; NONE at the root.
    int32_t parent
    # First words of the node and of its last child.
    int32_t start
    int32_t kid_start
    # How many nodes are open above it.
    int32_t depth
    int16_t symbol
    int16_t n_kids
    # Symbols of the last children, the last one first.
    int16_t kids[N_KIDS]
    # What the head rules remember of the head so far.
    int16_t priority
    # Places of head words: of the node so far, and of its last two children.
    int32_t head
    int32_t kid_heads[2]


cdef inline void open_cell(
    Cell* cell, int32_t parent, int depth, int symbol, int start
) noexcept nogil:
    """A node without children."""
    cdef int k
    cell.parent = parent
    cell.symbol = <int16_t>symbol
    cell.depth = depth
    cell.start = start
    cell.kid_start = NONE
    cell.n_kids = 0
    for k in range(N_KIDS):
        cell.kids[k] = NONE
    cell.priority = NO_HEAD
    cell.head = NONE
    cell.kid_heads[0] = cell.kid_heads[1] = NONE
