"""All projective trees over the allowed arcs, for scores of single arcs (Eisner 1996).

A *complete* span is a word with all its descendants to one side, up to a boundary (boundary b lies
before word b); an *incomplete* one reaches from a head to one of its children, with everything
between them. Deviations: no span contains the root, so it has one child in every tree; spans that
cannot be built from allowed arcs are left out; the two arcs between the same words share what lies
between them.

O(n^3) edges with all arcs allowed, O(n^2) with a bounded number of heads a word.
"""
cimport cython
from libc.stdint cimport int32_t

from ...search.forest cimport EMPTY, IMPOSSIBLE, Edge, Forest, add_node, new_edges, set_edge
from ..parts cimport LEFT, RIGHT, Parts
from .chart cimport LEFT_ARC, LEFT_HALF, RIGHT_ARC, RIGHT_HALF, Chart, flag_arcs, flag_left


@cython.final
cdef class FirstOrder(Chart):
    """Builds the forest. It looks at the scores of arcs alone."""

    cdef void start(self, Parts parts, Forest forest) noexcept nogil:
        """Make the halves without children."""
        cdef int n = parts.n_words, h
        Chart.start(self, parts, forest)
        self.complete.assign((n + 1) * self.width, IMPOSSIBLE)
        self.incomplete.assign(parts.n_arcs(), IMPOSSIBLE)
        for h in range(1, n + 1):
            self.complete[h * self.width + h] = EMPTY
            self.complete[h * self.width + h + 1] = EMPTY

    cdef const int32_t* halves(self, Parts parts, int arc) noexcept nogil:
        return &self.complete[parts.children[arc] * self.width]

    cdef void add_cells(self, Parts parts, Forest forest, int j) noexcept nogil:
        """Add all spans that end with j. Those within them come first, as i falls."""
        cdef int right_arc = flag_arcs(parts, j, &self.flags[0])
        cdef int left_at = parts.outgoing[2 * j + LEFT], i, right, left
        for i in range(j - 1, 0, -1):
            if self.flags[i] == 0:
                continue
            if self.flags[i] & (RIGHT_ARC | LEFT_ARC):
                right = left = -1
                if self.flags[i] & RIGHT_ARC:
                    right = right_arc
                    right_arc -= 1
                if self.flags[i] & LEFT_ARC:
                    left = parts.outgoing_arcs[left_at]
                    left_at += 1
                self._add_arcs(parts, forest, i, j, right, left)
            if self.flags[i] & RIGHT_HALF and self._add_half(parts, forest, i, RIGHT, j + 1):
                self._flag_heads(parts, i)
            if self.flags[i] & LEFT_HALF and self._add_half(parts, forest, j, LEFT, i):
                self.reach[j] = i
            self.flags[i] = 0

    cdef void _add_arcs(
        self, Parts parts, Forest forest, int i, int j, int right, int left
    ) noexcept nogil:
        """Add the incomplete spans of the arcs from i to j and from j to i; -1 for no arc."""
        cdef int node
        if right >= 0 and left >= 0:
            node = self._add_splits(forest, i, j, 0, -1)
            if node == IMPOSSIBLE:
                return
            self.incomplete[right] = self._add_edge(forest, node, parts.arc[right], right)
            self.incomplete[left] = self._add_edge(forest, node, parts.arc[left], left)
        elif right >= 0:
            self.incomplete[right] = self._add_splits(forest, i, j, parts.arc[right], right)
        else:
            self.incomplete[left] = self._add_splits(forest, i, j, parts.arc[left], left)
        if right >= 0 and self.incomplete[right] != IMPOSSIBLE:
            self.flags[i] = self.flags[i] | RIGHT_HALF
        if left >= 0 and self.incomplete[left] != IMPOSSIBLE:
            flag_left(&self.complete[i * self.width], self.reach[i], i, &self.flags[0])

    cdef int _add_splits(self, Forest forest, int i, int j, float score, int arc) noexcept nogil:
        """Add a node for i's right half next to j's left half."""
        cdef int b
        cdef const int32_t* first = &self.complete[i * self.width]
        cdef const int32_t* second = &self.complete[j * self.width]
        cdef Edge* edge = new_edges(forest, j - i)
        # Without branches: an impossible edge is overwritten by the next one.
        for b in range(i + 1, j + 1):
            set_edge(edge, first[b], second[b], score, arc)
            edge += (first[b] != IMPOSSIBLE) & (second[b] != IMPOSSIBLE)
        return add_node(forest, edge)

    cdef int _add_edge(self, Forest forest, int node, float score, int arc) noexcept nogil:
        """Add a node that adds an arc to another node."""
        cdef Edge* edge = new_edges(forest, 1)
        set_edge(edge, node, EMPTY, score, arc)
        return add_node(forest, edge + 1)

    cdef bint _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil:
        """Add the complete span of h up to boundary `end`, with an edge for each last child.

        RETURNS (bint): Whether there is such a span.
        """
        cdef int first = parts.outgoing[2 * h + side], end_at = parts.outgoing[2 * h + side + 1]
        cdef int at, a, child, inner, outer
        cdef Edge* edge = new_edges(forest, end_at - first)
        for at in range(first, end_at):
            a = parts.outgoing_arcs[at]
            child = parts.children[a]
            if child >= end if side == RIGHT else child < end:
                break
            inner = self.incomplete[a]
            outer = self.complete[child * self.width + end]
            set_edge(edge, inner, outer, 0, -1)
            edge += (inner != IMPOSSIBLE) & (outer != IMPOSSIBLE)
        self.complete[h * self.width + end] = add_node(forest, edge)
        return self.complete[h * self.width + end] != IMPOSSIBLE

    cdef void _flag_heads(self, Parts parts, int child) noexcept nogil:
        """Flag the heads before a word whose right half reaches the end of j."""
        cdef int a = parts.incoming[child]
        while a < parts.incoming[child + 1] and parts.heads[a] < child:
            if self.incomplete[a] != IMPOSSIBLE:
                self.flags[parts.heads[a]] = self.flags[parts.heads[a]] | RIGHT_HALF
            a += 1
