"""Learning from gold trees with the decoder's own search: the tree that violates the margin most is
the best one when everything that is not in the gold tree scores higher (Taskar et al. 2004).

The loss of a tree is the number of its nodes that are not in the gold tree, intermediate ones
included, and of wrong or missing unary rules. Here a step is that of passive-aggressive learning
on this one tree (Crammer et al. 2006).
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.mira cimport Feature, merge
from ..incremental.input cimport IncrementalInput
from .nodes cimport Node, is_same, read_nodes
from .parsing cimport SpanParsing

# Smaller violations are rounding errors of scores.
cdef double TOLERANCE = 1e-5


cdef class SpanTraining:
    """Learns weights.

    parsing (SpanParsing): The parser to train; its weights must be trainable.
    """

    def __init__(self, SpanParsing parsing not None):
        if not parsing.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self.parsing = parsing

    def learn(
        self, IncrementalInput sentence not None, const int32_t[:, ::1] tree, double time, *,
        double limit=INFINITY, double margin=1.0
    ):
        """Learn from a sentence.

        sentence (IncrementalInput): The sentence.
        tree (int32 array): The gold tree, as the parser returns trees.
        time (float): Number of examples finished before this one.
        limit (float): Largest step.
        margin (float): By how much the gold tree should win for each wrong node.
        RETURNS (int): Wrong nodes of the tree that was punished, 0 if there was none.
        """
        cdef SpanParsing parsing = self.parsing
        cdef int mistakes
        cdef double gap = 0, norm = 0, step
        cdef size_t k
        if not self._find(sentence, tree, margin):
            return 0
        with nogil:
            mistakes = self._compare(parsing, sentence)
            for k in range(self.features.size()):
                norm += self.features[k].value * self.features[k].value
                gap += self.features[k].value * parsing.scorer.weights.sum(&self.features[k].id, 1)
            step = margin * mistakes - gap - self.offset
            step = min(limit, step / norm) if norm > 0 and step > TOLERANCE else 0
            if not step > 0:
                mistakes = 0
            else:
                for k in range(self.features.size()):
                    parsing.scorer.weights.add(
                        self.features[k].id, <float>(step * self.features[k].value), time
                    )
        return mistakes

    def difference(
        self, IncrementalInput sentence not None, const int32_t[:, ::1] tree, *, double margin=1.0
    ):
        """Find the tree that violates the margin most, for learners that keep trees.

        sentence (IncrementalInput): The sentence.
        tree (int32 array): The gold tree.
        margin (float): By how much the gold tree should win for each wrong node.
        RETURNS (tuple): Feature ids (uint64 array), how often the gold tree has each more often than
            the other one (float32 array), the number of wrong nodes, and by how much the margin is
            violated, 0 or more. `offset` is then what fixed scores add to the difference.
        """
        cdef SpanParsing parsing = self.parsing
        cdef int mistakes
        cdef double gap = 0
        cdef size_t k
        self.offset = 0
        if not self._find(sentence, tree, margin):
            return np.zeros(0, np.uint64), np.zeros(0, np.float32), 0, 0.0
        mistakes = self._compare(parsing, sentence)
        cdef uint64_t[::1] ids = np.empty(self.features.size(), dtype=np.uint64)
        cdef float[::1] values = np.empty(self.features.size(), dtype=np.float32)
        for k in range(self.features.size()):
            ids[k] = self.features[k].id
            values[k] = self.features[k].value
            gap += self.features[k].value * parsing.scorer.weights.sum(&self.features[k].id, 1)
        slack = max(margin * mistakes - gap - self.offset, 0.0)
        return np.asarray(ids), np.asarray(values), mistakes, slack

    def _find(self, IncrementalInput sentence, const int32_t[:, ::1] tree, double margin):
        """Find the tree that violates the margin most.

        RETURNS (bool): Whether there is one to compare with the gold tree.
        """
        cdef SpanParsing parsing = self.parsing
        cdef double score
        parsing.check(sentence)
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        if (
            tree.shape[1] != 4
            or not read_nodes(tree, parsing.grammar, parsing.heads, parsing.gold)
            or parsing.gold.empty() != (sentence.n_words == 0)
            or (sentence.n_words and parsing.gold.back().start != 0)
            or (sentence.n_words and parsing.gold.back().end != sentence.n_words)
        ):
            raise ValueError(Errors.SPAN_NODES)
        if sentence.n_words == 0:
            return False
        parsing.control.enter()
        try:
            with nogil:
                parsing.bonus = <float>margin
                parsing.has_gold = True
                score = parsing.solve(sentence)
                parsing.has_gold = False
            found = parsing.best_rows()
        finally:
            parsing.has_gold = False
            parsing.control.leave()
        return bool(read_nodes(found, parsing.grammar, parsing.heads, self.predicted))

    cdef void _collect(self, SpanParsing parsing, const Node& node, float value) noexcept nogil:
        """Add the features of a node to the difference."""
        parsing.scorer.see(node.start, node.end)
        parsing.collect(node, value, self.features)
        if parsing.is_shared(node):
            parsing.scorer.collect_shared(value, self.features)
        if node.unary >= 0:
            parsing.collect_unary(node, value, self.features)
            self.features.push_back(
                Feature(parsing.unary_features[node.unary] & parsing.scorer.weights.mask, value)
            )
        if node.rule >= 0:
            self.features.push_back(
                Feature(parsing.rule_features[node.rule] & parsing.scorer.weights.mask, value)
            )
            if parsing.heads is not None:
                parsing.heads.collect(node.rule, node.head, node.other, value, self.features)

    cdef int _compare(self, SpanParsing parsing, IncrementalInput sentence) noexcept nogil:
        """Features of the gold tree minus those of the predicted one.

        RETURNS (int): The number of wrong nodes and unary rules. `offset` is set, too.
        """
        cdef vector[Node]* gold = &parsing.gold
        cdef Node a, b
        cdef size_t i, j
        cdef int mistakes = 0
        cdef bint is_shared, is_symbol, has_cell
        self.features.clear()
        self.offset = 0
        for i in range(self.predicted.size()):
            a = self.predicted[i]
            is_shared = is_symbol = has_cell = False
            for j in range(gold.size()):
                b = gold[0][j]
                if b.start == a.start and b.end == a.end:
                    has_cell = True
                    is_symbol = a.symbol == b.symbol
                    is_shared = is_same(a, b)
                    mistakes += a.unary != b.unary
            mistakes += not is_symbol
            mistakes += not has_cell and a.unary >= 0
            if not is_shared:
                self._collect(parsing, a, -1)
                self.offset = self.offset - parsing.fixed(sentence, a)
        for i in range(gold.size()):
            a = gold[0][i]
            is_shared = False
            for j in range(self.predicted.size()):
                b = self.predicted[j]
                is_shared = is_shared or is_same(a, b)
            if not is_shared:
                self._collect(parsing, a, 1)
                self.offset = self.offset + parsing.fixed(sentence, a)
        merge(self.features)
        return mistakes
