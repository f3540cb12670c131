"""Exact projective parsing over the allowed arcs of a sentence.

One forest per sentence serves for the best tree, the k best trees and the probability of each arc;
its items are arcs. First order: Eisner (1996), see `eisner`; siblings and grandparents: Koo &
Collins (2010), see `grand_sibling`.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from ...search.forest cimport Forest
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..decoder cimport ArcDecoder
from ..parts cimport LEFT, RIGHT, Parts
from .eisner cimport FirstOrder
from .grand_sibling cimport SecondOrder


@cython.final
cdef class ProjectiveDecoder(ArcDecoder):
    """Finds trees without crossing arcs.

    order (int): 1 for scores of arcs alone, more for all parts.
    """

    def __init__(self, int order):
        super().__init__(order)
        self.forest = Forest()
        self.chart = FirstOrder() if order == 1 else SecondOrder()
        self.kbest = KBest(self.control)
        self.inside_outside = Marginals()

    cdef double solve(self, Parts parts) noexcept nogil:
        self.chart.build(parts, self.forest)
        return self.forest.best()

    cdef void read_heads(self, Parts parts, int32_t* heads) noexcept nogil:
        self.forest.best_items(self.items)
        self._read_items(parts, heads)

    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil:
        cdef int n = self.kbest.find(self.forest, k), i
        cdef int32_t* tree = heads
        for i in range(n):
            scores[i] = self.kbest.score(self.forest, self.forest.goal(), i)
            # What a tree has in common with the best one is copied.
            if i > 0:
                memcpy(tree, heads, parts.n_words * sizeof(int32_t))
            self.kbest.items(self.forest, i, i == 0, self.items)
            self._read_items(parts, tree)
            tree += parts.n_words
        return n

    cdef void _read_items(self, Parts parts, int32_t* heads) noexcept nogil:
        """Write the heads of the arcs in `items`."""
        cdef int i, arc
        for i in range(<int>self.items.size()):
            arc = self.items[i]
            heads[parts.children[arc] - 1] = parts.heads[arc]

    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil:
        return self.inside_outside.find(self.forest, scale, probabilities, parts.n_arcs())

    cdef double log_sum(self, Parts parts, double scale) noexcept nogil:
        return self.inside_outside.log_z(self.forest, scale)

    cdef bint is_tree(self, const int32_t* heads, int n_words) noexcept nogil:
        """Whether heads form a tree without crossing arcs and with one child of the root."""
        cdef int i, j
        if not ArcDecoder.is_tree(self, heads, n_words):
            return False
        for i in range(n_words):
            for j in range(i):
                if _cross(heads[i], i + 1, heads[j], j + 1):
                    return False
        return True

    # --- Score of a given tree -------------------------------------------------------------

    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil:
        """Sum the scores of a tree's parts.

        heads (int32_t*): The head of every word.
        RETURNS (double): The sum, minus infinity if an arc is not allowed.
        """
        cdef double score = ArcDecoder.score_tree(self, parts, heads)
        if self.order > 1 and score != -INFINITY:
            score += self._second_order_score(parts)
        return score

    cdef double _second_order_score(self, Parts parts) noexcept nogil:
        """The score of all parts of a tree but its arcs."""
        cdef int n = parts.n_words, c, side, arc
        cdef double score = 0
        self.previous.assign(2 * n + 2, -1)
        # Children are met from near to far: those to the right in rising order, others in falling.
        for c in range(1, n + 1):
            if 0 < parts.heads[self.tree[c]] < c:
                score += self._child_score(parts, self.tree[c], RIGHT)
        for c in range(n, 0, -1):
            if parts.heads[self.tree[c]] > c:
                score += self._child_score(parts, self.tree[c], LEFT)
        for c in range(1, n + 1):
            for side in range(2):
                arc = self.previous[2 * c + side]
                score += parts.last[arc] if arc >= 0 else parts.childless[2 * c + side]
        return score

    cdef double _child_score(self, Parts parts, int arc, int side) noexcept nogil:
        """The score of what an arc forms with the arc above and the one before it."""
        cdef int h = parts.heads[arc], before = self.previous[2 * h + side]
        cdef double score = parts.grand[parts.grand_id(self.tree[h], arc)]
        self.previous[2 * h + side] = arc
        if before < 0:
            return score + parts.first[arc]
        score += parts.sibling[parts.sibling_id(before, arc)]
        if not parts.grand_sibling.empty():
            score += parts.grand_sibling[parts.grand_sibling_id(self.tree[h], before, arc)]
        return score


cdef bint _cross(int head, int child, int other_head, int other_child) noexcept nogil:
    cdef int low = min(head, child), high = max(head, child)
    cdef int other_low = min(other_head, other_child), other_high = max(other_head, other_child)
    return low < other_low < high < other_high or other_low < low < other_high < high
