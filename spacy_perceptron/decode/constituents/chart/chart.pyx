"""All trees of a sentence as a packed forest: the CKY algorithm for binary rules and unary chains
(Kasami 1966, Younger 1967, Cocke & Schwartz 1970).

A cell, that is a span, has two layers. At the bottom are the symbols of a word, or those that
binary rules build of two smaller spans; on top are the same symbols and those that one unary rule
makes of them. Binary rules take what is on top, so every tree has one derivation. Deviations:
spans are filled from left to right, not by width, so that the right-hand parts of a split all end
at the same word and are found in one table; only symbols that `Spans` allows are built. Symbols
that are part of no whole tree are not removed: pruning leaves few of them.

The edges of a node differ in rules and splits but share one item, (symbol, start, end), and each
unary rule over a span is an item, so marginals are those of labelled spans. Scores of symbols and of
unary rules over spans, if there are any, are added to these edges.

Pairs of head words can have scores, too. The head of a symbol is then that of its best derivation:
an approximation, since another derivation with another head may be part of a better tree.

O(n^3 r) for r rules that apply.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memchr
from libcpp.vector cimport vector

from ...search.control cimport Control
from ...search.forest cimport EMPTY, IMPOSSIBLE, Edge, Forest, add_node, new_edges, set_edge
from .grammar cimport Grammar
from .heads cimport HeadScorer
from .sentence cimport TaggedWords
from .spans cimport Spans


cdef enum:
    # Edges that take a unit of `Control`.
    EDGES_PER_WORK = 5


@cython.final
cdef class Chart:
    """Builds forests. Scratch memory is kept between sentences.

    grammar (Grammar): The rules.
    classes (array): The class of each symbol, as `Spans` knows them.
    control (Control): Can stop the search.
    """

    def __init__(self, Grammar grammar not None, classes, Control control not None):
        self.grammar = grammar
        self.classes = classes
        self.control = control
        self.counts.assign(grammar.n_symbols, 0)
        self.rule_scores = grammar.scores.data()
        self.unary_rule_scores = grammar.unary_scores.data()
        self.symbol_scores = self.unary_scores = NULL
        self.prunes_unary = True
        self.heads = None

    cdef bint build(
        self, TaggedWords words, Spans spans, Forest forest, int max_edges
    ) noexcept nogil:
        """Fill the forest. It has no nodes if there is no tree.

        words (TaggedWords): The symbols of the words. Those that `spans` does not allow are left
            out.
        spans (Spans): The spans and symbols to look at.
        forest (Forest): Gets the nodes.
        max_edges (int): How many edges it may have.
        RETURNS (bint): False if that was not enough; the forest then has no nodes.
        """
        cdef int n = words.n_words, m = self.grammar.n_symbols, i, j, cell, at, n_edges
        forest.start()
        self.items.clear()
        self.entries.clear()
        self.starts.assign(1, 0)
        self.values.assign(1, 0)
        self.head_words.clear()
        if self.heads is not None:
            self.heads.start()
        self.nodes.assign(<size_t>n * m, -1)
        for j in range(1, n + 1):
            for i in range(j - 1, -1, -1):
                cell = spans.cell(i, j)
                if cell < 0:
                    continue
                n_edges = forest.n_edges
                self._fill(
                    words, spans, forest, i, j, cell,
                    &spans.allowed[<size_t>cell * spans.n_classes],
                )
                if (
                    forest.n_edges > max_edges
                    or self.control.beat((forest.n_edges - n_edges) // EDGES_PER_WORK + j - i)
                ):
                    forest.start()
                    return False
                for at in range(self.starts.back(), <int>self.entries.size()):
                    self.nodes[<size_t>i * m + self.entries[at].symbol] = self.entries[at].node
                self.starts.push_back(<int>self.entries.size())
            if j < n:
                self._forget(spans, j)
        self._add_goal(forest, self.nodes[self.grammar.root] if n else IMPOSSIBLE)
        return True

    cdef void _add_goal(self, Forest forest, int goal) noexcept nogil:
        """Make the node of whole trees the last one."""
        cdef Edge* edge
        if goal < 0:
            forest.start()
        elif goal != forest.goal():
            # The last node of the forest; no further one looks for its head.
            edge = new_edges(forest, 1)
            set_edge(edge, goal, EMPTY, 0, -1)
            add_node(forest, edge + 1)

    cdef void _forget(self, Spans spans, int j) noexcept nogil:
        """Clear the nodes of the cells that end at j."""
        cdef int i, cell, at
        for i in range(j):
            cell = spans.cell(i, j)
            if cell < 0:
                continue
            for at in range(self.starts[cell], self.starts[cell + 1]):
                self.nodes[<size_t>i * self.grammar.n_symbols + self.entries[at].symbol] = -1

    cdef void _fill(
        self, TaggedWords words, Spans spans, Forest forest, int i, int j, int cell,
        const uint8_t* allowed
    ) noexcept nogil:
        """Fill both layers of a cell."""
        cdef int at, k, left, right
        cdef const float* scores = NULL
        if memchr(allowed, True, spans.n_classes) == NULL:
            return
        self.ways.clear()
        self.met.clear()
        if j == i + 1:
            for at in range(words.starts[i], words.starts[i + 1]):
                if allowed[self.classes[words.symbols[at]]]:
                    self._offer(words.symbols[at], EMPTY, EMPTY, words.scores[at], BOTTOM, -1)
        for k in range(i + 1, j):
            left = spans.cell(i, k)
            right = spans.cell(k, j)
            if left < 0 or right < 0 or self.starts[right] == self.starts[right + 1]:
                continue
            self._join(
                self.grammar, left, &self.nodes[<size_t>k * self.grammar.n_symbols], allowed
            )
        self.bottom.clear()
        if self.symbol_scores != NULL:
            scores = self.symbol_scores + <size_t>cell * self.grammar.n_symbols
        self._add_nodes(forest, i, j, scores, self.bottom)
        self._add_unary(self.grammar, forest, i, j, cell, allowed)

    cdef void _join(
        self, Grammar grammar, int cell, const int32_t* right, const uint8_t* allowed
    ) noexcept nogil:
        """Offer what binary rules build of a cell and one to its right.

        right (int32_t*): The nodes of the latter by symbol.
        """
        cdef Entry left
        cdef int at, p, r, other
        for at in range(self.starts[cell], self.starts[cell + 1]):
            left = self.entries[at]
            for p in range(grammar.pair_starts[left.symbol], grammar.pair_starts[left.symbol + 1]):
                other = right[grammar.pair_rights[p]]
                if other < 0:
                    continue
                for r in range(grammar.rule_starts[p], grammar.rule_starts[p + 1]):
                    if allowed[self.classes[grammar.parents[r]]]:
                        self._offer(
                            grammar.parents[r], left.node, other, self.rule_scores[r], BOTTOM, r
                        )

    cdef void _add_unary(
        self, Grammar grammar, Forest forest, int i, int j, int cell, const uint8_t* allowed
    ) noexcept nogil:
        """Make the top layer of the bottom one."""
        cdef Entry entry
        cdef int u, end
        cdef float score
        cdef const float* more = NULL
        if self.unary_scores != NULL:
            more = self.unary_scores + <size_t>cell * grammar.unary_parents.size()
        self.ways.clear()
        self.met.clear()
        for entry in self.bottom:
            end = grammar.unary_starts[entry.symbol + 1]
            for u in range(grammar.unary_starts[entry.symbol], end):
                if not self.prunes_unary or allowed[self.classes[grammar.unary_parents[u]]]:
                    score = self.unary_rule_scores[u]
                    if more != NULL:
                        score += more[u]
                    self._offer(grammar.unary_parents[u], entry.node, EMPTY, score, u, -1)
        # Symbols that no unary rule makes are the same node in both layers.
        for entry in self.bottom:
            if self.counts[entry.symbol]:
                self._offer(entry.symbol, entry.node, EMPTY, 0, SAME, -1)
            else:
                self.entries.push_back(entry)
        self._add_nodes(forest, i, j, NULL, self.entries)

    cdef void _add_nodes(
        self, Forest forest, int i, int j, const float* scores, vector[Entry]& entries
    ) noexcept nogil:
        """Make nodes of the ways noted, and forget these.

        scores (float*): What to add to the scores of their edges, by symbol; or NULL.
        entries (vector[Entry]&): Gets the nodes.
        """
        cdef int end = 0, symbol, item
        cdef float score
        cdef double best
        cdef Way way
        cdef Edge* edge
        # Sorted by counting: `counts` turns into the places of the ways, then of their ends.
        for symbol in self.met:
            end += self.counts[symbol]
            self.counts[symbol] = end - self.counts[symbol]
        self.ordered.resize(end)
        for way in self.ways:
            self.ordered[self.counts[way.symbol]] = way
            self.counts[way.symbol] = self.counts[way.symbol] + 1
        end = 0
        for symbol in self.met:
            edge = new_edges(forest, self.counts[symbol] - end)
            item = -1
            best = -INFINITY
            while end < self.counts[symbol]:
                way = self.ordered[end]
                if way.unary >= 0 or (way.unary == BOTTOM and item < 0):
                    item = self._add_item(i, j, symbol, way.unary)
                score = way.score if scores == NULL else way.score + scores[symbol]
                if self.heads is not None:
                    score = self._add_heads(way, score, &best, i)
                set_edge(edge, way.left, way.right, score, item if way.unary != SAME else -1)
                edge += 1
                end += 1
            self.counts[symbol] = 0
            entries.push_back(Entry(symbol, add_node(forest, edge)))

    cdef float _add_heads(self, const Way& way, float score, double* best, int i) noexcept nogil:
        """Add the score of the heads that an edge brings together.

        best (double*): The score of the best derivation of the node so far, in and out. That of
            the node and its head word are kept.
        i (int): The first word of the span.
        RETURNS (float): The score of the edge.
        """
        cdef int head = i, other, node = <int>self.head_words.size()
        cdef double total
        if way.left >= 0:
            head = self.head_words[way.left]
        if way.rule >= 0:
            other = self.head_words[way.right]
            if self.heads.is_right[way.rule]:
                head, other = other, head
            score += self.heads.score(way.rule, head, other)
        total = score + self.values[way.left + 1] + self.values[way.right + 1]
        if best[0] == -INFINITY:
            self.values.push_back(total)
            self.head_words.push_back(head)
            best[0] = total
        elif total > best[0]:
            self.values[node] = total
            self.head_words[node - 1] = head
            best[0] = total
        return score
