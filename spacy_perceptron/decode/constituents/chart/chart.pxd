cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ...search.control cimport Control
from ...search.forest cimport Forest
from .grammar cimport Grammar
from .heads cimport HeadScorer
from .sentence cimport TaggedWords
from .spans cimport Spans


cdef enum:
    # In place of a unary rule: the symbol is at the bottom of its cell; it is the same on top.
    BOTTOM = -1
    SAME = -2


# What an edge adds to a tree: a symbol over a span, or a unary rule over one.
cdef struct Item:
    int32_t start
    int32_t end
    int32_t symbol
    # The unary rule by its place in the grammar, or BOTTOM.
    int32_t unary


cdef struct Entry:
    int32_t symbol
    int32_t node


# A way to build a symbol in the cell at hand.
cdef struct Way:
    int32_t symbol
    int32_t left
    int32_t right
    float score
    # The unary rule by its place in the grammar, BOTTOM or SAME.
    int32_t unary
    # The binary rule by its place in the grammar, -1 for none.
    int32_t rule


@cython.final
cdef class Chart:
    cdef Grammar grammar
    cdef Control control
    # Scores beyond those of the grammar, or NULL: of rules in place of the grammar's own; of symbols
    # at the bottom of cells, at cell * n_symbols + symbol; of unary rules over cells, at
    # cell * (number of unary rules) + rule.
    cdef const float* rule_scores
    cdef const float* unary_rule_scores
    cdef const float* symbol_scores
    cdef const float* unary_scores
    # Whether what unary rules make must be allowed as well.
    cdef bint prunes_unary
    # Scores of pairs of heads, or None. With them, the best derivation of each node is known at
    # once: its score and its head word.
    cdef HeadScorer heads
    cdef vector[double] values
    cdef vector[int32_t] head_words
    # The class of each symbol.
    cdef vector[int32_t] classes
    # The items of the forest's edges.
    cdef vector[Item] items
    # What each cell holds on top, by cell: entries starts[cell] .. starts[cell + 1] - 1.
    cdef vector[Entry] entries
    cdef vector[int32_t] starts
    # Nodes of the cells that end where the one at hand does, at start * n_symbols + symbol, or -1.
    cdef vector[int32_t] nodes
    # Of the cell at hand: ways to build symbols, the symbols met, and how many ways each has.
    cdef vector[Way] ways
    cdef vector[Way] ordered
    cdef vector[int32_t] met
    cdef vector[int32_t] counts
    cdef vector[Entry] bottom

    cdef bint build(
        self, TaggedWords words, Spans spans, Forest forest, int max_edges
    ) noexcept nogil
    cdef void _add_goal(self, Forest forest, int goal) noexcept nogil
    cdef void _forget(self, Spans spans, int j) noexcept nogil
    cdef void _fill(
        self, TaggedWords words, Spans spans, Forest forest, int i, int j, int cell,
        const uint8_t* allowed
    ) noexcept nogil
    cdef void _join(
        self, Grammar grammar, int cell, const int32_t* right, const uint8_t* allowed
    ) noexcept nogil
    cdef void _add_unary(
        self, Grammar grammar, Forest forest, int i, int j, int cell, const uint8_t* allowed
    ) noexcept nogil
    cdef void _add_nodes(
        self, Forest forest, int i, int j, const float* scores, vector[Entry]& entries
    ) noexcept nogil
    cdef float _add_heads(self, const Way& way, float score, double* best, int i) noexcept nogil

    cdef inline void _offer(
        self, int symbol, int left, int right, float score, int unary, int rule
    ) noexcept nogil:
        """Note a way to build a symbol in the cell at hand."""
        if self.counts[symbol] == 0:
            self.met.push_back(symbol)
        self.counts[symbol] = self.counts[symbol] + 1
        self.ways.push_back(Way(symbol, left, right, score, unary, rule))

    cdef inline int _add_item(self, int start, int end, int symbol, int unary) noexcept nogil:
        self.items.push_back(Item(start, end, symbol, unary))
        return <int>self.items.size() - 1
