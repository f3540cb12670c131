"""What decoders over the allowed arcs of a sentence have in common: the interface by which parsing
and training use them, and the same from Python.

A decoder finds the best tree, the k best trees and the probability of each arc. The root has one
child in every tree. Scores must be finite.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...errors import Errors
from ..search.control cimport Control
from .parts cimport Parts


cdef class ArcDecoder:
    """Base class of decoders. They implement the methods from `solve` to `log_sum`; scratch memory
    is kept between sentences.

    order (int): 1 for scores of arcs alone, more for all parts.
    """

    def __init__(self, int order):
        if order < 1:
            raise ValueError(Errors.DECODE_ORDER.format(value=order))
        self.order = order
        self.control = Control()

    cdef double solve(self, Parts parts) noexcept nogil:
        """Find the best tree of a sentence, the one that the next four methods are about.

        RETURNS (double): The score, minus infinity if there is no tree.
        """
        return -INFINITY

    cdef void read_heads(self, Parts parts, int32_t* heads) noexcept nogil:
        """Read the best tree. There must be one.

        heads (int32_t*): Gets the head of every word.
        """
        pass

    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil:
        """Find the k best trees.

        heads (int32_t*): Gets the heads of the trees, one tree after another; room for k.
        scores (double*): Gets their scores, best first; room for k.
        RETURNS (int): The number found, less than k if there are fewer.
        """
        return 0

    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil:
        """Find the probability of every arc.

        scale (double): What scores are multiplied by, the inverse of a temperature.
        probabilities (double*): Gets the probabilities, all 0 if there is no tree.
        RETURNS (double): The logarithm of the sum over all trees, minus infinity if there is none.
        """
        return -INFINITY

    cdef double log_sum(self, Parts parts, double scale) noexcept nogil:
        """Sum over all trees.

        scale (double): What scores are multiplied by, the inverse of a temperature.
        RETURNS (double): The logarithm of the sum, minus infinity if there is no tree.
        """
        return -INFINITY

    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil:
        """Sum the scores of a tree's arcs; decoders of higher order add those of other parts.

        heads (int32_t*): The head of every word.
        RETURNS (double): The sum, minus infinity if an arc is not allowed.
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
        return score

    cdef bint is_tree(self, const int32_t* heads, int n_words) noexcept nogil:
        """Whether heads form a tree that the decoder can find if all arcs are allowed: here,
        whether every word leads up to the only child of the root."""
        cdef int i, word, n_steps, n_roots = 0
        for i in range(n_words):
            n_roots += heads[i] == 0
            word = i + 1
            n_steps = 0
            while word and n_steps <= n_words:
                word = heads[word - 1]
                n_steps += 1
            if word:
                return False
        return n_roots == 1

    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil:
        """Find the best tree and read it.

        heads (int32_t*): Gets the head of every word, or -1 if there is no tree.
        RETURNS (double): The score, minus infinity if there is no tree.
        """
        cdef double score = self.solve(parts)
        cdef int i
        if score == -INFINITY:
            for i in range(parts.n_words):
                heads[i] = -1
        else:
            self.read_heads(parts, heads)
        return score

    cdef tuple best_trees(self, Parts parts, int k):
        """Find the k best trees of the sentence solved last.

        RETURNS (tuple[ndarray, ndarray]): The heads, a row per tree, and the scores, best first.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        heads = np.empty((k, parts.n_words), dtype=np.int32)
        scores = np.empty(k, dtype=np.float64)
        cdef int32_t[:, ::1] heads_view = heads
        cdef double[::1] scores_view = scores
        cdef int n = 0
        if parts.n_words:
            n = self.nbest_into(parts, k, &heads_view[0, 0], &scores_view[0])
        return heads[:n], scores[:n]

    # --- From Python, with the GIL: the parts are the caller's, who could change them meanwhile ---

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
        self.control.enter()
        score = self.decode_into(parts, into)
        self.control.leave()
        return heads, score

    def nbest(self, Parts parts not None, int k):
        """Find the k best trees, each of them once.

        parts (Parts): Allowed arcs and scores.
        k (int): How many.
        RETURNS (tuple[ndarray, ndarray]): The heads, a row per tree, and the scores, best first;
            fewer than k if there are fewer. Equal scores come in a fixed order.
        """
        self._check(parts)
        self.control.enter()
        try:
            self.solve(parts)
            return self.best_trees(parts, k)
        finally:
            self.control.leave()

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
        self.control.enter()
        self.solve(parts)
        self.marginals_into(parts, scale, into)
        self.control.leave()
        return probabilities

    def log_z(self, Parts parts not None, double scale=1.0):
        """Sum exp(scale * score) over all trees.

        parts (Parts): Allowed arcs and scores.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (float): The logarithm of the sum, minus infinity if there is no tree.
        """
        cdef double log_z
        self._check(parts)
        self.control.enter()
        self.solve(parts)
        log_z = self.log_sum(parts, scale)
        self.control.leave()
        return log_z

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
        cdef double score
        self.control.enter()
        score = self.score_tree(parts, &view[0] if parts.n_words else NULL)
        self.control.leave()
        return score
