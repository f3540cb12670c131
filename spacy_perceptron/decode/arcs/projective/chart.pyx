"""What the builders of forests of projective trees share: the walk over the cells (i, j) of a
chart, flags for what is to be done in each of them, and the goal.

With few heads a word, most cells are empty. For each j, a builder visits i from j - 1 down to 1 and
looks at the flags of i: arcs between i and j are known from the start, and a span that is built
flags the cells it can be extended to. Cells without flags cost next to nothing. The items of the
forest are arcs.
"""
from libc.stdint cimport int32_t

from ...search.forest cimport Edge, add_node, new_edges, set_edge
from ..parts cimport RIGHT, ROOT


cdef class Chart:
    """Builds forests. A builder says how a sentence starts, what is added in the cells of a word,
    and where the halves of an arc's child are. Scratch memory is kept between sentences."""

    cdef void build(self, Parts parts, Forest forest) noexcept nogil:
        """Fill the forest. It has no nodes if there is no tree.

        parts (Parts): Allowed arcs, with the scores that the builder looks at.
        forest (Forest): Gets the nodes.
        """
        cdef int j
        forest.start()
        self.start(parts, forest)
        for j in range(2, parts.n_words + 1):
            self.add_cells(parts, forest, j)
        if self._add_goal(parts, forest) == IMPOSSIBLE:
            forest.start()

    cdef void start(self, Parts parts, Forest forest) noexcept nogil:
        """Clear the flags and make halves without children; a builder adds these."""
        cdef int n = parts.n_words, word
        self.width = n + 2
        self.flags.assign(n + 1, 0)
        self.reach.resize(n + 1)
        for word in range(1, n + 1):
            self.reach[word] = word

    cdef void add_cells(self, Parts parts, Forest forest, int j) noexcept nogil:
        """Add all spans that end with j. Those within them come first, as i falls."""
        pass

    cdef const int32_t* halves(self, Parts parts, int arc) noexcept nogil:
        """RETURNS (int32_t*): The halves of an arc's child by boundary."""
        return NULL

    cdef int _add_goal(self, Parts parts, Forest forest) noexcept nogil:
        """Add the node of whole trees: for each child of the root, its two halves.

        RETURNS (int): The node, or IMPOSSIBLE.
        """
        cdef int first = parts.outgoing[2 * ROOT + RIGHT], n = parts.n_words, at, a
        cdef const int32_t* halves
        cdef Edge* edge = new_edges(forest, n)
        for at in range(first, parts.outgoing[2 * ROOT + RIGHT + 1]):
            a = parts.outgoing_arcs[at]
            halves = self.halves(parts, a)
            set_edge(edge, halves[1], halves[n + 1], parts.arc[a], a)
            edge += (halves[1] != IMPOSSIBLE) & (halves[n + 1] != IMPOSSIBLE)
        return add_node(forest, edge)
