"""All projective trees over the allowed arcs, for scores of arcs with their grandparents and
neighbouring siblings: Model 1 of Koo & Collins (2010), "Efficient third-order dependency parsers".

Every span of a head h belongs to one arc g -> h, where g lies outside the span. A *complete* span
is the half of h up to a boundary (boundary b lies before word b); an *incomplete* one reaches from
h to one of its children; a *sibling* span lies between two neighbouring children of h. Deviations:
no span contains the root, so it has one child in every tree; spans that cannot be built from
allowed arcs are left out; first, last and missing children have scores of their own.

O(n^4) edges with all arcs allowed, O(n^2) with a bounded number of heads a word.
"""
cimport cython
from libc.stdint cimport int32_t

from ...search.forest cimport EMPTY, IMPOSSIBLE, Edge, Forest, add_node, new_edges, set_edge
from ..parts cimport LEFT, RIGHT, Parts
from .chart cimport LEFT_ARC, LEFT_HALF, RIGHT_ARC, RIGHT_HALF, Chart, flag_arcs, flag_left


@cython.final
cdef class SecondOrder(Chart):
    """Builds the forest. It looks at the scores of all parts, which must be of order 2 or more."""

    cdef void start(self, Parts parts, Forest forest) noexcept nogil:
        """Make the halves without children."""
        cdef int n = parts.n_words, a, c, side, node
        cdef Edge* edge
        Chart.start(self, parts, forest)
        self.complete.assign(parts.n_arcs() * self.width, IMPOSSIBLE)
        self.incomplete.assign(parts.grand.size(), IMPOSSIBLE)
        self.started.assign(parts.n_arcs(), False)
        self.siblings.resize(n + 1)
        self.lasts.resize(n + 1)
        for c in range(1, n + 1):
            for side in range(2):
                edge = new_edges(forest, 1)
                set_edge(edge, EMPTY, EMPTY, parts.childless[2 * c + side], -1)
                node = add_node(forest, edge + 1)
                for a in range(parts.incoming[c], parts.incoming[c + 1]):
                    self.complete[a * self.width + c + side] = node

    cdef const int32_t* halves(self, Parts parts, int arc) noexcept nogil:
        return &self.complete[arc * self.width]

    cdef void add_cells(self, Parts parts, Forest forest, int j) noexcept nogil:
        """Add all spans that end with j. Those within them come first, as i falls."""
        cdef int right_arc = flag_arcs(parts, j, &self.flags[0])
        cdef int left_at = parts.outgoing[2 * j + LEFT], i, arc
        cdef const int32_t* halves
        for i in range(j - 1, 0, -1):
            if self.flags[i] == 0:
                continue
            if self.flags[i] & RIGHT_ARC:
                self._add_arc(parts, forest, right_arc, RIGHT)
                if self.started[right_arc]:
                    self.flags[i] = self.flags[i] | RIGHT_HALF
                right_arc -= 1
            if self.flags[i] & LEFT_ARC:
                arc = parts.outgoing_arcs[left_at]
                self._add_arc(parts, forest, arc, LEFT)
                if self.started[arc]:
                    halves = &self.complete[arc * self.width]
                    flag_left(halves, self.reach[i], i, &self.flags[0])
                left_at += 1
            if self.flags[i] & RIGHT_HALF:
                self._add_half(parts, forest, i, RIGHT, j + 1)
            if self.flags[i] & LEFT_HALF:
                self._add_half(parts, forest, j, LEFT, i)
            self.flags[i] = 0

    cdef void _add_arc(self, Parts parts, Forest forest, int arc, int side) noexcept nogil:
        """Add the incomplete spans of an arc, one per upper arc."""
        cdef int h = parts.heads[arc], low = min(h, parts.children[arc])
        cdef int high = max(h, parts.children[arc]), u, t, node
        cdef int uppers = parts.incoming[h], n_uppers = parts.incoming[h + 1] - uppers
        cdef int inner = self.complete[arc * self.width + h + side]
        cdef int n_siblings = self._add_siblings(parts, forest, arc, side)
        cdef int32_t* nodes = &self.incomplete[parts.grand_start[arc]] if n_uppers else NULL
        cdef const Sibling* siblings = &self.siblings[0]
        cdef float score, more
        cdef Edge* edge
        if inner == IMPOSSIBLE and n_siblings == 0:
            return
        for u in range(n_uppers):
            if low <= parts.heads[uppers + u] <= high:
                continue
            edge = new_edges(forest, n_siblings + 1)
            score = parts.arc[arc] + parts.grand[parts.grand_start[arc] + u]
            set_edge(edge, inner, EMPTY, score + parts.first[arc], arc)
            edge += <int>(inner != IMPOSSIBLE)
            for t in range(n_siblings):
                more = siblings[t].score
                if siblings[t].grand_sibling >= 0:
                    more += parts.grand_sibling[siblings[t].grand_sibling + u]
                node = self.incomplete[siblings[t].incomplete + u]
                set_edge(edge, node, siblings[t].node, score + more, arc)
                edge += <int>(node != IMPOSSIBLE)
            nodes[u] = add_node(forest, edge)
            if nodes[u] != IMPOSSIBLE:
                self.started[arc] = True

    cdef int _add_siblings(self, Parts parts, Forest forest, int arc, int side) noexcept nogil:
        """Add the spans between the child of an arc and its possible siblings nearer to the head.

        RETURNS (int): The number of siblings.
        """
        cdef int h = parts.heads[arc], m = parts.children[arc], t, s, b, inner, node
        cdef int n_uppers = parts.incoming[h + 1] - parts.incoming[h], n = 0
        cdef bint third_order = not parts.grand_sibling.empty()
        cdef const int32_t* near
        cdef const int32_t* far = &self.complete[arc * self.width]
        cdef Edge* edge
        for t in range(parts.rank[arc]):
            inner = parts.outgoing_arcs[parts.outgoing[2 * h + side] + t]
            if not self.started[inner]:
                continue
            s = parts.children[inner]
            near = &self.complete[inner * self.width]
            edge = new_edges(forest, abs(s - m))
            for b in range(min(s, m) + 1, max(s, m) + 1):
                set_edge(edge, near[b], far[b], 0, -1)
                edge += (near[b] != IMPOSSIBLE) & (far[b] != IMPOSSIBLE)
            node = add_node(forest, edge)
            if node == IMPOSSIBLE:
                continue
            self.siblings[n] = Sibling(
                node,
                parts.grand_start[inner],
                parts.sibling[parts.sibling_start[arc] + t],
                parts.grand_sibling_start[arc] + t * n_uppers if third_order else -1,
            )
            n += 1
        return n

    cdef void _add_half(self, Parts parts, Forest forest, int h, int side, int end) noexcept nogil:
        """Add the complete spans of h up to boundary `end`, one per upper arc, each with an edge
        per last child on that side."""
        cdef int n_lasts = self._find_lasts(parts, h, side, end), t, u, g, node
        cdef int uppers = parts.incoming[h]
        cdef const Last* lasts = &self.lasts[0]
        cdef Edge* edge
        if n_lasts == 0:
            return
        for u in range(parts.incoming[h + 1] - uppers):
            g = parts.heads[uppers + u]
            if h < g < end if side == RIGHT else end <= g < h:
                continue
            edge = new_edges(forest, n_lasts)
            for t in range(n_lasts):
                node = self.incomplete[lasts[t].incomplete + u]
                set_edge(edge, node, lasts[t].outer, lasts[t].score, -1)
                edge += <int>(node != IMPOSSIBLE)
            node = add_node(forest, edge)
            if node == IMPOSSIBLE:
                continue
            self.complete[(uppers + u) * self.width + end] = node
            if side == LEFT:
                self.reach[h] = end
            elif g < h and self.started[uppers + u]:
                self.flags[g] = self.flags[g] | RIGHT_HALF

    cdef int _find_lasts(self, Parts parts, int h, int side, int end) noexcept nogil:
        """Find the children of h that reach boundary `end`.

        RETURNS (int): Their number.
        """
        cdef int at, a, child, outer, n = 0
        for at in range(parts.outgoing[2 * h + side], parts.outgoing[2 * h + side + 1]):
            a = parts.outgoing_arcs[at]
            child = parts.children[a]
            if child >= end if side == RIGHT else child < end:
                break
            outer = self.complete[a * self.width + end]
            self.lasts[n] = Last(parts.grand_start[a], outer, parts.last[a])
            n += (outer != IMPOSSIBLE) & self.started[a]
        return n
