"""Exact projective parsing over the allowed arcs of a sentence: the best tree, the k best trees and
the probability of each arc.

One forest per sentence serves all three. First order: Eisner (1996), see `eisner`; siblings and
grandparents: Koo & Collins (2010), see `grand_sibling`. The root has one child in every tree.
Scores must be finite.
"""
import numpy as np

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ....errors import Errors

from .eisner cimport FirstOrder
from ...search.forest cimport Forest
from .grand_sibling cimport SecondOrder
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..parts cimport LEFT, RIGHT, Parts


@cython.final
cdef class ProjectiveDecoder:
    """The decoder. Scratch memory is kept between sentences.

    order (int): 1 for scores of arcs alone, more for all parts.
    """

    def __init__(self, int order):
        if order < 1:
            raise ValueError(Errors.DECODE_ORDER.format(value=order))
        self.order = order
        self.forest = Forest()
        self.first_order = FirstOrder()
        self.second_order = SecondOrder()
        self.kbest = KBest()
        self.inside_outside = Marginals()

    cdef double build(self, Parts parts) noexcept nogil:
        """Make the forest of a sentence and find its best tree.

        RETURNS (double): The score, minus infinity if there is no tree.
        """
        if self.order == 1:
            self.first_order.build(parts, self.forest)
        else:
            self.second_order.build(parts, self.forest)
        return self.forest.best()

    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil:
        """Find the best tree; the forest stays for `marginals` and `nbest`.

        heads (int32_t*): Gets the head of every word, or -1 if there is no tree.
        RETURNS (double): The score, minus infinity if there is no tree.
        """
        cdef double score = self.build(parts)
        cdef int i
        if score == -INFINITY:
            for i in range(parts.n_words):
                heads[i] = -1
        else:
            self.forest.best_heads(&parts.heads[0], &parts.children[0], heads)
        return score

    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil:
        """Find the k best trees of the sentence decoded last.

        parts (Parts): Its parts.
        heads (int32_t*): Gets the heads of the trees, one after another; room for k.
        scores (double*): Gets their scores; room for k.
        RETURNS (int): How many there are, at most k.
        """
        cdef int n = self.kbest.find(self.forest, k), i
        for i in range(n):
            scores[i] = self.kbest.score(self.forest, self.forest.goal(), i)
        if n > 0:
            self.kbest.trees(
                self.forest, n, &parts.heads[0], &parts.children[0], parts.n_words, heads
            )
        return n

    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil:
        """Find the probability of every arc of the sentence decoded last.

        parts (Parts): Its parts.
        scale (double): What scores are multiplied by, the inverse of a temperature.
        probabilities (double*): Gets the probabilities, all 0 if there is no tree.
        RETURNS (double): The logarithm of the sum over all trees, minus infinity if there is none.
        """
        return self.inside_outside.find(self.forest, scale, probabilities, parts.n_arcs())

    # --- Score of a given tree -------------------------------------------------------------

    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil:
        """Sum the scores of a tree's parts.

        heads (int32_t*): The head of every word.
        RETURNS (double): The sum, minus infinity if there is an arc that is not allowed.
        """
        cdef int c, arc
        cdef double score = 0
        self.tree.assign(parts.n_words + 1, -1)
        for c in range(1, parts.n_words + 1):
            arc = parts.find(heads[c - 1], c)
            if arc < 0:
                return -INFINITY
            self.tree[c] = arc
            score += parts.arc[arc]
        if self.order > 1:
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

    # --- From Python -----------------------------------------------------------------------

    cdef int _check(self, Parts parts) except -1:
        """Refuse parts without the scores this order needs."""
        if self.order > 1 and parts.first.size() != parts.heads.size():
            raise ValueError(Errors.DECODE_PARTS_ORDER.format(order=self.order))
        return 0

    def decode(self, Parts parts not None):
        """Find the best tree.

        parts (Parts): Allowed arcs and scores.
        RETURNS (tuple[ndarray, float]): The head of every word (words are numbered from 1, the root
            is 0) and the score. If there is no tree, all heads are -1 and the score is minus
            infinity; a sentence without words has no tree.
        """
        self._check(parts)
        heads = np.empty(parts.n_words, dtype=np.int32)
        cdef int32_t[::1] view = heads
        cdef int32_t* into = &view[0] if parts.n_words else NULL
        cdef double score
        with nogil:
            score = self.decode_into(parts, into)
        return heads, score

    def nbest(self, Parts parts not None, int k):
        """Find the k best trees.

        parts (Parts): Allowed arcs and scores.
        k (int): How many.
        RETURNS (tuple[ndarray, ndarray]): The heads, a row per tree, and the scores, best first;
            fewer than k if there are fewer.
        """
        self._check(parts)
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        heads = np.empty((k, parts.n_words), dtype=np.int32)
        scores = np.empty(k, dtype=np.float64)
        cdef int32_t[:, ::1] heads_view = heads
        cdef double[::1] scores_view = scores
        cdef int n = 0
        with nogil:
            if self.build(parts) != -INFINITY:
                n = self.nbest_into(parts, k, &heads_view[0, 0], &scores_view[0])
        return heads[:n], scores[:n]

    def marginals(self, Parts parts not None, double scale=1.0):
        """Find the probability of every arc if a tree's is proportional to exp(scale * score).

        parts (Parts): Allowed arcs and scores.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (ndarray): Probabilities by arc id, all 0 if there is no tree.
        """
        self._check(parts)
        probabilities = np.zeros(parts.n_arcs(), dtype=np.float64)
        cdef double[::1] view = probabilities
        cdef double* into = &view[0] if parts.n_arcs() else NULL
        with nogil:
            self.build(parts)
            self.marginals_into(parts, scale, into)
        return probabilities

    def log_z(self, Parts parts not None, double scale=1.0):
        """Sum exp(scale * score) over all trees.

        parts (Parts): Allowed arcs and scores.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (float): The logarithm of the sum, minus infinity if there is no tree.
        """
        self._check(parts)
        with nogil:
            self.build(parts)
        return self.inside_outside.log_z(self.forest, scale)

    def tree_score(self, Parts parts not None, heads):
        """Sum the scores of a given tree's parts.

        parts (Parts): Allowed arcs and scores.
        heads (array): The head of every word.
        RETURNS (float): The score, minus infinity if an arc is not allowed.
        """
        self._check(parts)
        cdef const int32_t[::1] view = np.ascontiguousarray(heads, dtype=np.int32)
        if view.shape[0] != parts.n_words:
            raise ValueError(Errors.DECODE_HEADS.format(n=view.shape[0], n_words=parts.n_words))
        return self.score_tree(parts, &view[0] if parts.n_words else NULL)
