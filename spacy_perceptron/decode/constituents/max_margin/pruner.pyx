"""Which phrases are worth looking at in which spans: a model of labelled spans without rules.

The score of a binary tree is the sum over its spans of the score of their phrases. For every phrase
and span, the score of the best tree that has it there is compared with that of the best tree of all;
what is behind by more than a threshold is pruned, and so are phrases that are far behind the best
one over the same words. Trees here obey no grammar: what matters of a span
is its best phrase, so the chart has one symbol, and the cost is that of scoring spans by a few
templates. The weights are those of a conditional random field over such trees: its gradient is the
difference of gold and expected counts.

O(n^2 templates x phrases + n^3); for sentences longer than `full_length`, O(n w) spans of limited
width, see `chart/spans`.
"""
import numpy as np

cimport cython
from libc.math cimport INFINITY, exp, isfinite
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.mira cimport Feature
from ...search.control cimport Control
from ..chart.spans cimport Spans
from ..incremental.input cimport IncrementalInput
from .scorer cimport PHRASE, SpanScorer

cdef enum:
    # What a span takes, in units of `Control`.
    SPAN_WORK = 10
    ANY_TAG = 0x7FFFFFFF

# Smaller gradients are not worth the time.
cdef double LEAST_GRADIENT = 0.003
# The phrases of a span are told apart better than spans are: the share of the threshold by which one
# may be behind the best of its span. That leaves a third less, for as many gold phrases lost.
cdef double PHRASE_SHARE = 0.6


@cython.final
cdef class SpanPruner:
    """Prunes spans. Scratch memory is kept between sentences, so each decoder has its own pruner.

    scorer (SpanScorer): Scores phrases.
    n_phrases (int): The number of phrase symbols.
    classes (array | None): The class of each, from 0 on: phrases of one class are scored and pruned
        together. None: each is a class of its own.
    full_length (int): Length of the longest sentences whose spans are all looked at.
    width (int): The limit on the width of spans in longer sentences.
    """

    def __init__(
        self, SpanScorer scorer not None, int n_phrases, *, classes=None, int full_length=150,
        int width=50
    ):
        if n_phrases < 1 or full_length < 0 or width < 1:
            raise ValueError(
                Errors.SPAN_PRUNER.format(n=n_phrases, full_length=full_length, width=width)
            )
        self.scorer = scorer
        classes = np.arange(n_phrases) if classes is None else np.asarray(classes)
        if classes.shape != (n_phrases,) or not 0 <= classes.min() <= classes.max() < n_phrases:
            raise ValueError(Errors.CHART_CLASSES.format(n=n_phrases, shape=classes.shape))
        self.n_phrases = n_phrases
        self.classes = classes
        self.n_classes = int(classes.max()) + 1
        self.full_length = full_length
        self.width = width
        self.spans = Spans()

    cdef bint score(self, IncrementalInput words, Control control) noexcept nogil:
        """Score all classes of phrases, and find the best tree.

        words (IncrementalInput): The sentence.
        control (Control): Can stop the search.
        RETURNS (bint): False if it was stopped.
        """
        cdef int n = words.n_words, m = self.n_classes, i, j, k, cell, left, right
        cdef size_t at
        cdef float best
        cdef float* scores
        self.scorer.load(words)
        self.spans.start(n, 1, self.width if n > self.full_length else 0, True)
        self.scores.resize(<size_t>self.spans.n_cells * m)
        self.own.assign(self.spans.n_cells, 0)
        self.inside.assign(self.spans.n_cells, 0)
        for j in range(2, n + 1):
            for i in range(j - 2, -1, -1):
                cell = self.spans.cell(i, j)
                if cell < 0:
                    continue
                if control.beat(SPAN_WORK + j - i):
                    return False
                scores = &self.scores[<size_t>cell * m]
                self.scorer.see(i, j)
                self.scorer.score(PHRASE, m, scores)
                best = scores[0]
                for k in range(1, m):
                    best = max(best, scores[k])
                self.own[cell] = best
                best = -INFINITY
                for k in range(i + 1, j):
                    left, right = self.spans.cell(i, k), self.spans.cell(k, j)
                    if left >= 0 and right >= 0:
                        best = max(best, self.inside[left] + self.inside[right])
                self.inside[cell] = self.own[cell] + best
        return True

    cdef void _score_outside(self) noexcept nogil:
        """Find the best brackets around each span."""
        cdef int n = self.spans.n_words, i, j, k, cell, left, right
        cdef float outside
        self.outside.assign(self.spans.n_cells, -INFINITY)
        self.outside[self.spans.cell(0, n)] = 0
        for j in range(n, 1, -1):
            for i in range(j - 1):
                cell = self.spans.cell(i, j)
                if cell < 0 or self.outside[cell] == -INFINITY:
                    continue
                outside = self.outside[cell] + self.own[cell]
                for k in range(i + 1, j):
                    left, right = self.spans.cell(i, k), self.spans.cell(k, j)
                    if left >= 0 and right >= 0:
                        self.outside[left] = max(self.outside[left], outside + self.inside[right])
                        self.outside[right] = max(self.outside[right], outside + self.inside[left])

    cdef void prune(self, Spans spans, double threshold, int n_symbols) noexcept nogil:
        """Choose spans and phrases, after `score`. Words are not pruned.

        spans (Spans): Gets the spans, and the symbols allowed in each: phrases first, then tags.
        threshold (double): How far behind the best tree a phrase may be.
        n_symbols (int): The number of symbols.
        """
        cdef int n = self.spans.n_words, i, j, a, cell, at
        cdef float least, around, closest = <float>(PHRASE_SHARE * threshold)
        cdef const float* scores
        if n == 0:
            spans.start(0, n_symbols, 0, True)
            return
        self._score_outside()
        least = self.inside[self.spans.cell(0, n)] - <float>threshold
        self.kept.assign(self.spans.n_cells, False)
        spans.start(n, 1, self.width if n > self.full_length else 0, True)
        for cell in range(self.spans.n_cells):
            self.kept[cell] = self.outside[cell] + self.inside[cell] >= least
        for i in range(n):
            self.kept[self.spans.cell(i, i + 1)] = True
        spans.narrow(self.kept.data(), n_symbols)
        for j in range(1, n + 1):
            for i in range(j - 1, -1, -1):
                at = spans.cell(i, j)
                if at < 0:
                    continue
                if j == i + 1:
                    for a in range(self.n_phrases, n_symbols):
                        spans.allowed[<size_t>at * n_symbols + a] = True
                    continue
                cell = self.spans.cell(i, j)
                around = self.outside[cell] + self.inside[cell] - self.own[cell]
                scores = &self.scores[<size_t>cell * self.n_classes]
                for a in range(self.n_phrases):
                    spans.allowed[<size_t>at * n_symbols + a] = (
                        around + scores[self.classes[a]] >= least
                        and scores[self.classes[a]] >= self.own[cell] - closest
                    )

    # --- Learning -----------------------------------------------------------------------------

    cdef bint _sum(self) noexcept nogil:
        """Sum over all trees, after `score`.

        RETURNS (bint): Whether the sums are finite.
        """
        cdef int n = self.spans.n_words, m = self.n_classes, i, j, k, a, cell, left, right
        cdef double total, outer
        # All trees have as many spans: what is taken off each does not matter.
        cdef double mean = self.inside[self.spans.cell(0, n)] / max(n - 1, 1)
        self.potentials.assign(self.spans.n_cells, 1)
        self.inner.assign(self.spans.n_cells, 1)
        self.outer.assign(self.spans.n_cells, 0)
        for j in range(2, n + 1):
            for i in range(j - 2, -1, -1):
                cell = self.spans.cell(i, j)
                if cell < 0:
                    continue
                total = 0
                for a in range(m):
                    total += exp(self.scores[<size_t>cell * m + a] - mean)
                self.potentials[cell] = total
                total = 0
                for k in range(i + 1, j):
                    left, right = self.spans.cell(i, k), self.spans.cell(k, j)
                    if left >= 0 and right >= 0:
                        total += self.inner[left] * self.inner[right]
                self.inner[cell] = total * self.potentials[cell]
        total = self.inner[self.spans.cell(0, n)]
        if not (isfinite(total) and total > 0):
            return False
        self.outer[self.spans.cell(0, n)] = 1 / total
        for j in range(n, 1, -1):
            for i in range(j - 1):
                cell = self.spans.cell(i, j)
                if cell < 0:
                    continue
                outer = self.outer[cell] * self.potentials[cell]
                if outer == 0:
                    continue
                for k in range(i + 1, j):
                    left, right = self.spans.cell(i, k), self.spans.cell(k, j)
                    if left >= 0 and right >= 0:
                        self.outer[left] = self.outer[left] + outer * self.inner[right]
                        self.outer[right] = self.outer[right] + outer * self.inner[left]
        for cell in range(self.spans.n_cells):
            if not isfinite(self.outer[cell] * self.inner[cell]):
                return False
        return True

    cdef double _share(self, int cell, int a, double mean) noexcept nogil:
        """The probability of a class over a span."""
        if self.potentials[cell] == 0:
            return 0
        return (
            self.outer[cell] * self.inner[cell] / self.potentials[cell]
            * exp(self.scores[<size_t>cell * self.n_classes + a] - mean)
        )

    def learn(
        self, IncrementalInput words not None, const int32_t[:, ::1] nodes, double step,
        double time
    ):
        """Take a step towards the gold tree.

        words (IncrementalInput): The sentence.
        nodes (int32 array): Start, end and symbol of each node of the binary tree; others than
            phrases are passed over.
        step (float): The size of the step.
        time (float): Number of examples finished before this one.
        RETURNS (float): The expected number of phrases that are wrong.
        """
        cdef int n = words.n_words, m = self.n_classes, i, j, a, cell, row
        cdef double mean, gradient, wrong = 0
        cdef size_t f
        cdef Control control = Control()
        if not self.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self._check(words)
        if nodes.shape[1] < 3:
            raise ValueError(Errors.SPAN_NODES)
        for row in range(nodes.shape[0]):
            if not 0 <= nodes[row, 0] < nodes[row, 1] <= n or nodes[row, 2] < 0:
                raise ValueError(Errors.SPAN_NODES)
        if n < 2:
            return 0.0
        with nogil:
            self.score(words, control)
            if self._sum():
                mean = self.inside[self.spans.cell(0, n)] / max(n - 1, 1)
                self.gold.assign(self.scores.size(), False)
                for row in range(nodes.shape[0]):
                    cell = self.spans.cell(nodes[row, 0], nodes[row, 1])
                    a = nodes[row, 2]
                    if nodes[row, 1] - nodes[row, 0] > 1 and cell >= 0 and a < self.n_phrases:
                        self.gold[<size_t>cell * m + self.classes[a]] = True
                for j in range(2, n + 1):
                    for i in range(j - 2, -1, -1):
                        cell = self.spans.cell(i, j)
                        if cell < 0:
                            continue
                        self.features.clear()
                        for a in range(m):
                            gradient = self.gold[<size_t>cell * m + a] - self._share(cell, a, mean)
                            wrong += max(-gradient, 0)
                            if gradient > LEAST_GRADIENT or gradient < -LEAST_GRADIENT:
                                if self.features.empty():
                                    self.scorer.see(i, j)
                                self.scorer.collect(
                                    PHRASE, a, <float>(step * gradient), self.features
                                )
                        for f in range(self.features.size()):
                            self.scorer.weights.add(
                                self.features[f].id, self.features[f].value, time
                            )
        return wrong

    def _check(self, IncrementalInput words):
        """Refuse words of a shape that does not fit. Tags do not matter here."""
        words.check(self.scorer.n_tokens, self.scorer.lexemes.n_rows, -ANY_TAG, ANY_TAG)

    def choose(self, IncrementalInput words not None, double threshold, int n_symbols):
        """Prune the spans of a sentence, for tests and for use from Python.

        words (IncrementalInput): The sentence.
        threshold (float): How far behind the best tree a phrase may be.
        n_symbols (int): The number of symbols.
        RETURNS (Spans): What is allowed.
        """
        cdef Spans spans = Spans()
        self._check(words)
        if n_symbols < self.n_phrases:
            raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=self.n_phrases, n=n_symbols))
        if not threshold >= 0:
            raise ValueError(Errors.CHART_THRESHOLD.format(value=threshold))
        self.score(words, Control())
        self.prune(spans, threshold, n_symbols)
        return spans
