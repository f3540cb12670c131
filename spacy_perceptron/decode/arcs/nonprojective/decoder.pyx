"""Exact parsing without projectivity over the allowed arcs of a sentence: the best tree, the k best
trees and the probability of each arc. The counterpart of `projective` for scores of single arcs.

McDonald et al. (2005). The best tree: Chu-Liu/Edmonds, see `arborescence`, O(n^2). The k best: see
`ranked_trees`, about O(k n^2). Marginals: the matrix-tree theorem, see `matrix_tree`, O(n^3). The
root has one child in every tree. Scores must be finite.
"""
import numpy as np

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ....errors import Errors

from .matrix_tree cimport MatrixTree
from ..parts cimport Parts
from .ranked_trees cimport RankedTrees


@cython.final
cdef class SpanningDecoder:
    """The decoder. Scratch memory is kept between sentences."""

    def __init__(self):
        self.trees = RankedTrees()
        self.matrix = MatrixTree()

    def __reduce__(self):
        return SpanningDecoder, ()

    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil:
        """Find the best tree.

        heads (int32_t*): Gets the head of every word, or -1 if there is no tree.
        RETURNS (double): The score, minus infinity if there is no tree.
        """
        cdef double score = 0
        cdef int c
        self.trees.load(parts)
        if self.trees.solve(parts) == -INFINITY:
            for c in range(parts.n_words):
                heads[c] = -1
            return -INFINITY
        for c in range(parts.n_words):
            heads[c] = parts.heads[self.trees.tree[c + 1]]
            score += parts.arc[self.trees.tree[c + 1]]
        return score

    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil:
        """Sum the scores of a tree's arcs.

        heads (int32_t*): The head of every word.
        RETURNS (double): The sum, minus infinity if there is an arc that is not allowed.
        """
        cdef int c, arc
        cdef double score = 0
        for c in range(1, parts.n_words + 1):
            arc = parts.find(heads[c - 1], c)
            if arc < 0:
                return -INFINITY
            score += parts.arc[arc]
        return score

    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil:
        """Find the best trees.

        k (int): How many.
        heads (int32_t*): Gets the heads of all words of the best tree, then of the next one.
        scores (double*): Gets their scores, in falling order.
        RETURNS (int): How many there are.
        """
        cdef int n = parts.n_words, n_found = self.trees.find_best(parts, k), i, c, t
        for i in range(n_found):
            t = self.trees.order[i]
            scores[i] = self.trees.scores[t]
            for c in range(n):
                heads[i * n + c] = parts.heads[self.trees.trees[t * n + c]]
        return n_found

    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil:
        """Find the probability of every arc.

        scale (double): What scores are multiplied by, the inverse of a temperature.
        probabilities (double*): Gets the probabilities, all 0 if there is no tree.
        RETURNS (double): The logarithm of the sum over all trees, minus infinity if there is none.
        """
        cdef int a
        self.trees.load(parts)
        if self.trees.solve(parts) == -INFINITY:
            for a in range(parts.n_arcs()):
                probabilities[a] = 0
            return -INFINITY
        return self.matrix.marginals(parts, scale, self.trees.root_word(parts), probabilities)

    # --- From Python -----------------------------------------------------------------------

    def decode(self, Parts parts not None):
        """Find the best tree.

        parts (Parts): Allowed arcs and scores.
        RETURNS (tuple[ndarray, float]): The head of every word (words are numbered from 1, the root
            is 0) and the score. If there is no tree, all heads are -1 and the score is minus
            infinity; a sentence without words has no tree.
        """
        heads = np.empty(parts.n_words, dtype=np.int32)
        cdef int32_t[::1] view = heads
        cdef int32_t* into = &view[0] if parts.n_words else NULL
        cdef double score
        with nogil:
            score = self.decode_into(parts, into)
        return heads, score

    def nbest(self, Parts parts not None, int k):
        """Find the best trees. Equal ones come in a fixed order, none comes twice.

        parts (Parts): Allowed arcs and scores.
        k (int): How many.
        RETURNS (tuple[ndarray, ndarray]): The head of every word, a row per tree, best first, and
            the scores. There are fewer than k rows if there are fewer trees.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        heads = np.empty((k, parts.n_words), dtype=np.int32)
        scores = np.empty(k, dtype=np.float64)
        cdef int32_t[:, ::1] head_view = heads
        cdef double[::1] score_view = scores
        cdef int32_t* into = &head_view[0, 0] if parts.n_words else NULL
        cdef int n_found
        with nogil:
            n_found = self.nbest_into(parts, k, into, &score_view[0])
        return heads[:n_found], scores[:n_found]

    def marginals(self, Parts parts not None, double scale=1.0):
        """Find the probability of every arc if a tree's is proportional to exp(scale * score).

        parts (Parts): Allowed arcs and scores.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (ndarray): Probabilities by arc id, all 0 if there is no tree.
        """
        probabilities = np.zeros(parts.n_arcs(), dtype=np.float64)
        cdef double[::1] view = probabilities
        cdef double* into = &view[0] if parts.n_arcs() else NULL
        with nogil:
            self.marginals_into(parts, scale, into)
        return probabilities

    def log_z(self, Parts parts not None, double scale=1.0):
        """Sum exp(scale * score) over all trees.

        parts (Parts): Allowed arcs and scores.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (float): The logarithm of the sum, minus infinity if there is no tree.
        """
        self.trees.load(parts)
        if self.trees.solve(parts) == -INFINITY:
            return -INFINITY
        return self.matrix.log_z(parts, scale, self.trees.root_word(parts))

    def tree_score(self, Parts parts not None, heads):
        """Sum the scores of a given tree's arcs.

        parts (Parts): Allowed arcs and scores.
        heads (array): The head of every word.
        RETURNS (float): The score, minus infinity if an arc is not allowed.
        """
        cdef const int32_t[::1] view = np.ascontiguousarray(heads, dtype=np.int32)
        if view.shape[0] != parts.n_words:
            raise ValueError(Errors.DECODE_HEADS.format(n=view.shape[0], n_words=parts.n_words))
        return self.score_tree(parts, &view[0] if parts.n_words else NULL)
