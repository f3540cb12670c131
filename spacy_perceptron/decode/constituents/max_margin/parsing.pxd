from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ...search.control cimport Control
from ...search.forest cimport Forest
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..chart.chart cimport Chart
from ..chart.grammar cimport Grammar
from ..chart.heads cimport HeadScorer
from ..chart.orphans cimport Orphans
from ..chart.sentence cimport TaggedWords
from ..chart.spans cimport Spans
from ..incremental.input cimport IncrementalInput
from .nodes cimport Node
from .pruner cimport SpanPruner
from .scorer cimport SpanScorer


cdef class SpanParsing:
    cdef readonly Control control
    cdef readonly Grammar grammar
    cdef readonly SpanScorer scorer
    cdef readonly SpanPruner pruner
    cdef readonly HeadScorer heads
    cdef readonly int n_phrases
    cdef readonly double threshold
    cdef readonly int max_edges
    cdef readonly int unknown
    cdef readonly int longest
    # Ids of the features of rules, and the scores of rules, both by their places in the grammar.
    cdef vector[uint64_t] rule_features
    cdef vector[uint64_t] unary_features
    cdef vector[float] rule_scores
    cdef vector[float] unary_rule_scores
    # The labels that each symbol and each unary rule, by its place, stand for.
    cdef vector[vector[int32_t]] labels
    cdef vector[vector[int32_t]] unary_labels
    cdef int n_labels
    # What features of spans see of phrase symbols and unary rules.
    cdef vector[int32_t] phrase_outcomes
    cdef vector[int32_t] unary_outcomes
    cdef int n_outcomes
    # Whether each symbol is a phrase, and whether each unary rule makes one of what is none.
    cdef vector[uint8_t] is_phrase
    cdef vector[uint8_t] makes_phrase
    # Of the sentence.
    cdef Forest forest
    cdef Chart chart
    cdef Orphans orphans
    cdef Spans spans
    cdef TaggedWords words
    cdef vector[float] symbol_scores
    cdef vector[float] unary_scores
    cdef vector[int32_t] places
    cdef vector[int32_t] some
    cdef vector[float] some_scores
    cdef vector[float] plain_scores
    cdef bint is_partial
    cdef KBest kbest
    cdef Marginals inside_outside
    cdef vector[int32_t] items
    # Whether there is a gold tree to learn from: its nodes stay, and others score higher.
    cdef bint has_gold
    cdef float bonus
    cdef vector[Node] gold

    cdef int check(self, IncrementalInput words) except -1
    cdef void score_rules(self) noexcept nogil
    cdef double solve(self, IncrementalInput words) noexcept nogil
    cdef void _set_words(self, IncrementalInput words) noexcept nogil
    cdef void _loosen_words(self) noexcept nogil
    cdef void _score_cells(self, IncrementalInput words) noexcept nogil
    cdef void _score_cell(self, int i, int j, int cell) noexcept nogil
    cdef void _note_unaries(self, Grammar grammar, int symbol) noexcept nogil
    cdef void _score_some(self, int kind) noexcept nogil
    cdef void _score_symbols(self, int cell, float* scores) noexcept nogil
    cdef void collect(self, const Node& node, float value, vector[Feature]& features) noexcept nogil
    cdef void collect_unary(
        self, const Node& node, float value, vector[Feature]& features
    ) noexcept nogil
    cdef void _keep_gold(self) noexcept nogil
    cdef void _add_loss(self) noexcept nogil
    cdef object rows(self, const vector[int32_t]& items)
    cdef object best_rows(self)
    cdef int _find_tag(self, IncrementalInput sentence, const Node& node) noexcept nogil
    cdef double _tag_score(self, IncrementalInput sentence, const Node& node) noexcept nogil
    cdef bint is_shared(self, const Node& node) noexcept nogil
    cdef double fixed(self, IncrementalInput sentence, const Node& node) noexcept nogil
    cdef list _shared_weights(self)
    cdef list _weights(self, const vector[Feature]& features)
