"""Exact parsing over the allowed arcs of a sentence in which arcs may cross, for scores of single
arcs.

McDonald et al. (2005). The best tree: Chu-Liu/Edmonds, see `arborescence`, O(n^2). The k best: see
`ranked_trees`, about O(k n^2). Marginals: the matrix-tree theorem, see `matrix_tree`, O(n^3).
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ..decoder cimport ArcDecoder
from ..parts cimport Parts
from .matrix_tree cimport MatrixTree
from .ranked_trees cimport RankedTrees


@cython.final
cdef class SpanningDecoder(ArcDecoder):
    """Finds trees, projective or not."""

    def __init__(self):
        super().__init__(1)
        self.trees = RankedTrees(self.control)
        self.matrix = MatrixTree()

    def __reduce__(self):
        return SpanningDecoder, ()

    cdef double solve(self, Parts parts) noexcept nogil:
        cdef double score = 0
        cdef int c
        self.trees.load(parts)
        if self.trees.solve(parts) == -INFINITY:
            self.best.clear()
            return -INFINITY
        self.best = self.trees.tree
        self.root_word = self.trees.root_word(parts)
        for c in range(1, parts.n_words + 1):
            score += parts.arc[self.best[c]]
        return score

    cdef void read_heads(self, Parts parts, int32_t* heads) noexcept nogil:
        cdef int c
        for c in range(parts.n_words):
            # If no tree has a finite score, each word hangs on the one before it: heads are always
            # those of a tree.
            heads[c] = c if self.best.empty() else parts.heads[self.best[c + 1]]

    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil:
        cdef int n = parts.n_words, n_found = self.trees.find_best(parts, k), i, c
        cdef size_t t
        for i in range(n_found):
            t = self.trees.order[i]
            scores[i] = self.trees.scores[t]
            for c in range(n):
                heads[<size_t>i * n + c] = parts.heads[self.trees.trees[t * n + c]]
        return n_found

    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil:
        cdef int a
        if self.best.empty():
            for a in range(parts.n_arcs()):
                probabilities[a] = 0
            return -INFINITY
        return self.matrix.marginals(parts, scale, self.root_word, probabilities)

    cdef double log_sum(self, Parts parts, double scale) noexcept nogil:
        if self.best.empty():
            return -INFINITY
        return self.matrix.log_z(parts, scale, self.root_word)
