"""Parsing with a fine grammar under a coarse one: prune, build the forest, read it.

One forest per sentence serves for the best tree, the k best trees and the probabilities of labelled
spans. If it grows too large, the threshold of pruning is lowered until it fits. If the fine grammar
has no tree within what the coarse one leaves, the trees are those of the coarse grammar.
"""
import numpy as np

from libc.limits cimport INT_MAX
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors
from .chart cimport Chart, Item

# The least thresholds. With the latter, little but the best coarse tree is left, and the forest may
# have any size.
cdef double LEAST_FINE = 0.5
cdef double LEAST_COARSE = 0.1


cdef class ChartParsing:
    """A parser over given grammars.

    A tree is an array with a row for each symbol of a span and for each unary rule over a span:
    start, end, symbol, and the number of the unary rule as it was given to the grammar, or -1.
    Children come before their parents, from left to right.

    grammar (Grammar): The fine grammar.
    pruner (CoarsePruner): Prunes with the coarse grammar.
    classes (array): The symbol of the coarse grammar that each symbol belongs to.
    threshold (float): How far behind the best coarse tree the coarse trees of a symbol may be.
    max_edges (int): How large a forest may be. An edge takes 16 bytes, and 8 more for marginals.
    """

    def __init__(
        self, Grammar grammar not None, CoarsePruner pruner not None, classes, *,
        double threshold, int max_edges=10_000_000
    ):
        classes = np.asarray(classes, dtype=np.int64)
        n_classes = pruner.grammar.n_symbols
        if classes.shape != (grammar.n_symbols,):
            raise ValueError(
                Errors.CHART_CLASSES.format(n=grammar.n_symbols, shape=classes.shape)
            )
        for symbol in classes:
            if not 0 <= symbol < n_classes:
                raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=symbol, n=n_classes))
        if not 0 < threshold < INFINITY:
            raise ValueError(Errors.CHART_THRESHOLD.format(value=threshold))
        self.control = Control()
        self.grammar = grammar
        self.pruner = pruner
        self.threshold = threshold
        self.max_edges = max_edges
        self.classes = classes
        self.forest = Forest()
        self.chart = Chart(grammar, classes, self.control)
        self.coarse_chart = Chart(pruner.grammar, np.arange(n_classes), self.control)
        self.coarse_words = TaggedWords()
        self.spans = Spans()
        self.kbest = KBest(self.control)
        self.inside_outside = Marginals()

    cdef int _check(self, TaggedWords words) except -1:
        words.check(self.grammar.n_symbols)
        return 0

    cdef double _solve(self, TaggedWords words) noexcept nogil:
        """Build the forest and find the best tree.

        RETURNS (double): Its score, minus infinity if there is none.
        """
        cdef double best
        self.is_coarse = False
        self.forest.start()
        self.coarse_words.project(words, self.classes.data(), self.pruner.grammar.n_symbols)
        if self.pruner.score(self.coarse_words, self.spans, self.control) == -INFINITY:
            return -INFINITY
        self._build(self.chart, words, LEAST_FINE)
        best = self.forest.best()
        if best == -INFINITY:
            self.is_coarse = True
            self._build(self.coarse_chart, self.coarse_words, LEAST_COARSE)
            best = self.forest.best()
        return best

    cdef void _build(self, Chart chart, TaggedWords words, double least) noexcept nogil:
        """Fill the forest, with the highest threshold that allows it to be finished.

        least (double): The threshold below which not to go.
        """
        cdef double threshold = self.threshold
        cdef int max_edges = self.max_edges
        while True:
            self.pruner.prune(self.spans, threshold)
            if threshold <= LEAST_COARSE:
                max_edges = INT_MAX
            if chart.build(words, self.spans, self.forest, max_edges):
                return
            if threshold <= least or self.control.has_stopped:
                return
            threshold = max(least, threshold / 2)

    cdef object _rows(self, const vector[int32_t]& items):
        """RETURNS (ndarray): Items, last first, in rows."""
        cdef int n = <int>items.size(), i
        cdef Chart chart = self.coarse_chart if self.is_coarse else self.chart
        cdef int32_t[:, ::1] rows = np.empty((n + 1, 4), dtype=np.int32)
        cdef Item item
        for i in range(n):
            item = chart.items[items[n - 1 - i]]
            rows[i, 0] = item.start
            rows[i, 1] = item.end
            rows[i, 2] = item.symbol
            rows[i, 3] = chart.grammar.unary_ids[item.unary] if item.unary >= 0 else -1
        return np.asarray(rows)[:n]

    def parse(self, TaggedWords words not None):
        """Find the best tree.

        words (TaggedWords): The sentence.
        RETURNS (tuple[ndarray, float, bool]): The tree, its score, and whether it is one of the
            coarse grammar. Without a tree, there are no rows and the score is minus infinity.
        """
        cdef double score
        self._check(words)
        self.control.enter()
        try:
            with nogil:
                score = self._solve(words)
                self.items.clear()
                if score > -INFINITY:
                    self.forest.best_items(self.items)
            return self._rows(self.items), score, bool(self.is_coarse)
        finally:
            self.control.leave()

    def nbest(self, TaggedWords words not None, int k):
        """Find the k best trees. They differ in their symbols, but may look the same once the
        symbols are turned into labels.

        words (TaggedWords): The sentence.
        k (int): How many.
        RETURNS (tuple[list[ndarray], list[float], bool]): The trees, best first, their scores, and
            whether they are of the coarse grammar. Fewer than k if there are fewer.
        """
        cdef int n = 0, i
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        self._check(words)
        trees, scores = [], []
        self.control.enter()
        try:
            with nogil:
                if self._solve(words) > -INFINITY:
                    n = self.kbest.find(self.forest, k)
            for i in range(n):
                self.kbest.items(self.forest, i, True, self.items)
                trees.append(self._rows(self.items))
                scores.append(self.kbest.score(self.forest, self.forest.goal(), i))
            return trees, scores, bool(self.is_coarse)
        finally:
            self.control.leave()

    def marginals(self, TaggedWords words not None, double scale=1.0):
        """Find the probability of every item if a tree's is proportional to exp(scale * score).

        words (TaggedWords): The sentence.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (tuple[ndarray, ndarray, float, bool]): Items in rows like those of a tree, their
            probabilities, the logarithm of the sum over all trees, and whether these are of the
            coarse grammar.
        """
        cdef double log_z = -INFINITY
        cdef int n = 0, i
        cdef vector[double] found
        self._check(words)
        self.control.enter()
        try:
            with nogil:
                self.items.clear()
                if self._solve(words) > -INFINITY:
                    n = <int>self.coarse_chart.items.size()
                    if not self.is_coarse:
                        n = <int>self.chart.items.size()
                    found.resize(n)
                    log_z = self.inside_outside.find(self.forest, scale, found.data(), n)
                for i in range(n):
                    self.items.push_back(n - 1 - i)
            return self._rows(self.items), np.array(found), log_z, bool(self.is_coarse)
        finally:
            self.control.leave()
