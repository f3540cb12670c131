"""Which symbols are worth building in which span: best trees of a coarse grammar.

For every symbol of the coarse grammar and every span, the score of the best tree that has it there
(its max-marginal) is compared with that of the best tree of all; what is behind by more than a
threshold is pruned, for it and for all finer symbols that belong to its class. See Charniak et al.
(2006), "Multilevel coarse-to-fine PCFG parsing". Deviations: best trees in place of sums, so that
no sentence is too long for floats and the best coarse tree always survives; the way down visits
only what is not pruned, which changes nothing since what is below a pruned symbol is only worse.

O(n^3 r) for r coarse rules, with flat tables and a small constant; O(n w^2 + n^2) spans are split
when a sentence is longer than `full_length`.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.control cimport Control
from .grammar cimport Grammar
from .sentence cimport TaggedWords
from .spans cimport Spans


cdef enum:
    # What a split of a span takes, in units of `Control`.
    SPLIT_WORK = 10


@cython.final
cdef class CoarsePruner:
    """Prunes spans. Scratch memory is kept between sentences, so each decoder has its own pruner.

    grammar (Grammar): The coarse grammar. Its symbols are the classes of the spans.
    full_length (int): Length of the longest sentences whose spans are all looked at.
    width (int): The limit on the width of spans in longer sentences.
    """

    def __init__(self, Grammar grammar not None, *, int full_length=150, int width=50):
        self.grammar = grammar
        self.full_length = full_length
        self.width = width

    # --- Inside: the best derivation of every symbol, bottom-up ------------------------------

    cdef double score(self, TaggedWords words, Spans spans, Control control) noexcept nogil:
        """Find the best coarse tree.

        words (TaggedWords): The sentence, with symbols of the coarse grammar.
        spans (Spans): Gets the spans. Nothing is allowed in them.
        control (Control): Can stop the search.
        RETURNS (double): The score of the best coarse tree, minus infinity if there is none.
        """
        cdef int n = words.n_words, m = self.grammar.n_symbols, i, j, k, at, cell, left, right
        cdef size_t size
        cdef float* bottom
        spans.start(n, m, self.width if n > self.full_length else 0, False)
        size = <size_t>spans.n_cells * m
        self.inside_bottom.assign(size, -INFINITY)
        self.inside_top.assign(size, -INFINITY)
        self.present.clear()
        self.starts.assign(1, 0)
        for j in range(1, n + 1):
            for i in range(j - 1, -1, -1):
                cell = spans.cell(i, j)
                if cell < 0:
                    continue
                if control.beat(SPLIT_WORK * (j - i)):
                    return -INFINITY
                bottom = &self.inside_bottom[<size_t>cell * m]
                if j == i + 1:
                    for at in range(words.starts[i], words.starts[i + 1]):
                        bottom[words.symbols[at]] = words.scores[at]
                for k in range(i + 1, j):
                    left = spans.cell(i, k)
                    right = spans.cell(k, j)
                    if left >= 0 and right >= 0:
                        self._join(self.grammar, left, right, bottom)
                self._raise(self.grammar, cell)
        if n == 0:
            return -INFINITY
        return self.inside_top[<size_t>spans.cell(0, n) * m + self.grammar.root]

    cdef void _join(self, Grammar grammar, int left, int right, float* parents) noexcept nogil:
        """Apply binary rules to two cells."""
        cdef int m = grammar.n_symbols, at, b, p, r
        cdef const float* lefts = &self.inside_top[<size_t>left * m]
        cdef const float* rights = &self.inside_top[<size_t>right * m]
        cdef const int32_t* pair_rights = grammar.pair_rights.data()
        cdef const int32_t* rule_starts = grammar.rule_starts.data()
        cdef const int32_t* rule_parents = grammar.parents.data()
        cdef const float* scores = grammar.scores.data()
        cdef float both, score
        for at in range(self.starts[left], self.starts[left + 1]):
            b = self.present[at]
            for p in range(grammar.pair_starts[b], grammar.pair_starts[b + 1]):
                both = lefts[b] + rights[pair_rights[p]]
                if both == -INFINITY:
                    continue
                for r in range(rule_starts[p], rule_starts[p + 1]):
                    score = both + scores[r]
                    if score > parents[rule_parents[r]]:
                        parents[rule_parents[r]] = score

    cdef void _raise(self, Grammar grammar, int cell) noexcept nogil:
        """Apply unary rules in a cell, and list the symbols on its top."""
        cdef int m = grammar.n_symbols, b, u
        cdef const float* bottom = &self.inside_bottom[<size_t>cell * m]
        cdef float* top = &self.inside_top[<size_t>cell * m]
        for b in range(m):
            if bottom[b] == -INFINITY:
                continue
            top[b] = max(top[b], bottom[b])
            for u in range(grammar.unary_starts[b], grammar.unary_starts[b + 1]):
                top[grammar.unary_parents[u]] = max(
                    top[grammar.unary_parents[u]], bottom[b] + grammar.unary_scores[u]
                )
        for b in range(m):
            if top[b] > -INFINITY:
                self.present.push_back(b)
        self.starts.push_back(<int>self.present.size())

    # --- Outside: the best of what is around every symbol, top-down ------------------------------

    cdef void prune(self, Spans spans, double threshold) noexcept nogil:
        """Choose symbols, after `score`. There must be a coarse tree.

        spans (Spans): Gets what is allowed.
        threshold (double): How far behind the best tree a symbol may be, in log-probability.
        """
        cdef int n = spans.n_words, m = self.grammar.n_symbols, i, j, a, cell
        cdef size_t at = <size_t>spans.cell(0, n) * m + self.grammar.root
        cdef float least = self.inside_top[at] - <float>threshold
        spans.allowed.assign(spans.allowed.size(), False)
        self.outside_bottom.assign(self.inside_bottom.size(), -INFINITY)
        self.outside_top.assign(self.inside_top.size(), -INFINITY)
        self.outside_top[at] = 0
        for j in range(n, 0, -1):
            for i in range(j):
                cell = spans.cell(i, j)
                if cell < 0:
                    continue
                self._lower(self.grammar, cell, least)
                for a in range(m):
                    at = <size_t>cell * m + a
                    if self.outside_top[at] + self.inside_top[at] >= least:
                        spans.allowed[at] = True
                    if self.outside_bottom[at] + self.inside_bottom[at] >= least:
                        spans.allowed[at] = True
                        self._split(self.grammar, spans, i, j, a, least)

    cdef void _lower(self, Grammar grammar, int cell, float least) noexcept nogil:
        """Go down from the top of a cell to its bottom."""
        cdef int m = grammar.n_symbols, a, at, u, b
        cdef const float* inside = &self.inside_top[<size_t>cell * m]
        cdef const float* top = &self.outside_top[<size_t>cell * m]
        cdef float* bottom = &self.outside_bottom[<size_t>cell * m]
        for a in range(m):
            if top[a] + inside[a] < least:
                continue
            bottom[a] = max(bottom[a], top[a])
            for at in range(grammar.unary_parent_starts[a], grammar.unary_parent_starts[a + 1]):
                u = grammar.unary_by_parent[at]
                b = grammar.unary_children[u]
                bottom[b] = max(bottom[b], top[a] + grammar.unary_scores[u])

    cdef void _split(
        self, Grammar grammar, Spans spans, int i, int j, int parent, float least
    ) noexcept nogil:
        """Go down from a symbol to the spans it is built of."""
        cdef int m = grammar.n_symbols, k, at, r
        cdef size_t left, right
        cdef float outside = self.outside_bottom[<size_t>spans.cell(i, j) * m + parent], around
        for k in range(i + 1, j):
            if spans.cell(i, k) < 0 or spans.cell(k, j) < 0:
                continue
            for at in range(grammar.parent_starts[parent], grammar.parent_starts[parent + 1]):
                r = grammar.by_parent[at]
                left = <size_t>spans.cell(i, k) * m + grammar.lefts[r]
                right = <size_t>spans.cell(k, j) * m + grammar.rights[r]
                around = outside + grammar.scores[r]
                if around + self.inside_top[left] + self.inside_top[right] >= least:
                    self.outside_top[left] = max(
                        self.outside_top[left], around + self.inside_top[right]
                    )
                    self.outside_top[right] = max(
                        self.outside_top[right], around + self.inside_top[left]
                    )

    def choose(self, TaggedWords words not None, double threshold):
        """Prune the spans of a sentence, for tests and for use from Python.

        words (TaggedWords): The sentence, with symbols of the coarse grammar.
        threshold (float): How far behind the best tree a symbol may be.
        RETURNS (Spans): What is allowed; nothing if there is no tree.
        """
        cdef Spans spans = Spans()
        words.check(self.grammar.n_symbols)
        if self.score(words, spans, Control()) > -INFINITY:
            self.prune(spans, threshold)
        return spans
