"""Finds trees for sentences: prune spans, score what is left, build the forest, read it.

The score of a tree is the sum over its nodes of the scores of symbol and span, of the unary rule over
the span if there is one, of the binary rule and, with head features, of the heads it brings
together. Rules and the tags of words can have fixed scores, such as logarithms of probabilities,
which are added. One forest per sentence serves for the best tree, the k best trees and the probabilities of
labelled spans. Without head features all of these are exact, given what the pruner leaves.

If the forest grows too large, less is left until it fits. If there is no tree of the grammar, every
word may have the unknown tag besides its own, at a cost, and then more is left. If that does not
help, the tree is the pruner's own, which obeys no grammar.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....features.hashing cimport mix
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from ...search.control cimport Control
from ...search.forest cimport Forest
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..chart.chart cimport Chart, Item
from ..chart.grammar cimport Grammar
from ..chart.heads cimport HeadScorer
from ..chart.orphans cimport Orphans
from ..chart.sentence cimport TaggedWords
from ..chart.spans cimport Spans
from ..incremental.input cimport IncrementalInput
from .nodes cimport Node, read_nodes
from .pruner cimport SpanPruner
from .scorer cimport PHRASE, SYMBOL, SYMBOL_UNARY, UNARY, WORD, SpanScorer

# How far to go from the threshold: down if the forest is too large, up if there is no tree.
cdef double LEAST_SHARE = 0.1
cdef double LARGEST_SHARE = 8
# What it costs to give a word the unknown tag if it has one of its own: more than features can win.
cdef float UNKNOWN_COST = 50


cdef class SpanParsing:
    """A parser over given weights.

    A tree is an array with a row per node: start, end, symbol, and the number of the unary rule over
    the same span, or -1. Children come before their parents, from left to right.

    grammar (Grammar): The rules. Phrases come first among its symbols, then tags.
    scorer (SpanScorer): Scores spans.
    pruner (SpanPruner): Prunes spans.
    rule_values, unary_values (uint64 arrays): What tells each binary and each unary rule from the
        others, in the order in which the grammar was given them.
    labels, unary_labels (Sequence[Sequence[int]]): The labels that each symbol stands for, and those
        that each unary rule puts on top, in the same order.
    phrase_outcomes, unary_outcomes (Sequence[int] | None): What features of spans see of each phrase
        symbol and of each unary rule: those with one number share their weights. None: each is its
        own.
    heads (HeadScorer | None): Scores heads.
    threshold (float): How far behind the best tree of the pruner a phrase may be.
    max_edges (int): How large a forest may be. An edge takes 16 bytes, and 8 more for marginals.
    unknown (int): The symbol of the unknown tag, -1 for none.
    """

    def __init__(
        self, Grammar grammar not None, SpanScorer scorer not None, SpanPruner pruner not None,
        rule_values, unary_values, labels, unary_labels, *, phrase_outcomes=None,
        unary_outcomes=None, HeadScorer heads=None,
        double threshold=8.0, int max_edges=4_000_000, int unknown=-1
    ):
        cdef int i
        if not 0 < threshold < INFINITY:
            raise ValueError(Errors.CHART_THRESHOLD.format(value=threshold))
        n_rules, n_unaries = grammar.rule_ids.size(), grammar.unary_ids.size()
        sizes = len(rule_values), len(unary_values), len(labels), len(unary_labels)
        if sizes != (n_rules, n_unaries, grammar.n_symbols, n_unaries):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if pruner.n_phrases > grammar.n_symbols or pruner.scorer.lexemes is not scorer.lexemes:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if pruner.scorer.n_tokens != scorer.n_tokens:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if heads is not None and (
            heads.weights is not scorer.weights or heads.hashes is not scorer.hashes
            or heads.outcomes.size() != <size_t>n_rules
        ):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if any(x < 0 for own in [*labels, *unary_labels] for x in own):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if phrase_outcomes is None:
            phrase_outcomes = range(pruner.n_phrases)
        if unary_outcomes is None:
            unary_outcomes = range(n_unaries)
        if len(phrase_outcomes) != pruner.n_phrases or len(unary_outcomes) != n_unaries:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        if any(outcome < 0 for outcome in [*phrase_outcomes, *unary_outcomes]):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.phrase_outcomes = phrase_outcomes
        self.n_outcomes = 1 + max(phrase_outcomes)
        self.control = Control()
        self.grammar = grammar
        self.scorer = scorer
        self.pruner = pruner
        self.heads = heads
        self.n_phrases = pruner.n_phrases
        if unknown != -1 and not self.n_phrases <= unknown < grammar.n_symbols:
            raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=unknown, n=grammar.n_symbols))
        self.unknown = unknown
        self.threshold = threshold
        self.max_edges = max_edges
        self.longest = 0
        self.has_gold = False
        for i in range(n_rules):
            self.rule_features.push_back(mix(rule_values[grammar.rule_ids[i]]))
        for i in range(n_unaries):
            self.unary_features.push_back(mix(~<uint64_t>unary_values[grammar.unary_ids[i]]))
            self.unary_labels.push_back(unary_labels[grammar.unary_ids[i]])
            self.unary_outcomes.push_back(unary_outcomes[grammar.unary_ids[i]])
        self.is_phrase = [len(own) > 0 for own in labels]
        self.makes_phrase = [
            len(unary_labels[grammar.unary_ids[i]]) > 0 and not labels[grammar.unary_children[i]]
            for i in range(n_unaries)
        ]
        self.labels = labels
        self.n_labels = 1 + max((x for own in [*labels, *unary_labels] for x in own), default=0)
        self.forest = Forest()
        self.chart = Chart(grammar, np.arange(grammar.n_symbols), self.control)
        self.chart.prunes_unary = False
        self.chart.heads = heads
        n_tags = grammar.n_symbols - self.n_phrases
        # Tags are nobody's parents.
        self.orphans = Orphans(grammar, list(pruner.classes) + [0] * n_tags)
        self.spans = Spans()
        self.words = TaggedWords()
        self.kbest = KBest(self.control)
        self.inside_outside = Marginals()
        self.score_rules()

    @property
    def lexemes(self):
        """RETURNS (LexemeTable): The words that sentences are made of."""
        return self.scorer.lexemes

    cdef int check(self, IncrementalInput words) except -1:
        """Refuse words of a shape that does not fit."""
        self.longest = max(self.longest, words.n_words)
        # Weights may have moved since the last sentence.
        if self.scorer.weights.trainable:
            self.score_rules()
        return words.check(
            self.scorer.n_tokens, self.scorer.lexemes.n_rows, self.n_phrases,
            self.grammar.n_symbols,
        )

    cdef void score_rules(self) noexcept nogil:
        """Look up the scores of rules, which do not depend on the sentence, and add the fixed ones."""
        cdef size_t i
        self.rule_scores.resize(self.rule_features.size())
        self.unary_rule_scores.resize(self.unary_features.size())
        for i in range(self.rule_features.size()):
            self.rule_scores[i] = (
                self.scorer.weights.sum(&self.rule_features[i], 1) + self.grammar.scores[i]
            )
        for i in range(self.unary_features.size()):
            self.unary_rule_scores[i] = (
                self.scorer.weights.sum(&self.unary_features[i], 1) + self.grammar.unary_scores[i]
            )
        self.chart.rule_scores = self.rule_scores.data()
        self.chart.unary_rule_scores = self.unary_rule_scores.data()

    # --- Search -----------------------------------------------------------------------------

    cdef double solve(self, IncrementalInput words) noexcept nogil:
        """Build the forest and find the best tree.

        RETURNS (double): Its score, minus infinity if there is none.
        """
        cdef double threshold = self.threshold, best
        cdef bint is_finished, is_loose = False
        self.is_partial = False
        self.forest.start()
        if words.n_words == 0:
            return -INFINITY
        if self.scorer.weights.trainable:
            # They may have changed since the last sentence.
            self.score_rules()
        self._set_words(words)
        self.scorer.load(words)
        if not self.pruner.score(words, self.control):
            return -INFINITY
        while True:
            self.pruner.prune(self.spans, threshold, self.grammar.n_symbols)
            if self.has_gold:
                self._keep_gold()
            self.orphans.remove(self.spans)
            self._score_cells(words)
            if self.has_gold:
                self._add_loss()
            is_finished = self.chart.build(self.words, self.spans, self.forest, self.max_edges)
            if self.control.has_stopped:
                return -INFINITY
            best = self.forest.best()
            if best > -INFINITY:
                return best
            if not is_finished and threshold > LEAST_SHARE * self.threshold:
                # Not back up from there.
                threshold = min(threshold, self.threshold) / 2
            elif is_finished and self.unknown >= 0 and not is_loose:
                # Before the chart grows: that is faster, and most often a tag is the reason.
                is_loose = True
                self._loosen_words()
            elif is_finished and self.threshold <= threshold < LARGEST_SHARE * self.threshold:
                threshold = 2 * threshold
            else:
                self.is_partial = True
                return -INFINITY

    cdef void _set_words(self, IncrementalInput words) noexcept nogil:
        """Note the tags that words can have."""
        cdef int i
        self.words.n_words = words.n_words
        self.words.starts.resize(words.n_words + 1)
        self.words.symbols.resize(words.tags.shape[0])
        self.words.scores.resize(words.tags.shape[0])
        for i in range(words.n_words + 1):
            self.words.starts[i] = words.starts[i]
        for i in range(<int>words.tags.shape[0]):
            self.words.symbols[i] = words.tags[i]
            self.words.scores[i] = 0
        if words.scores is not None:
            for i in range(<int>words.tags.shape[0]):
                self.words.scores[i] = words.scores[i]

    cdef void _loosen_words(self) noexcept nogil:
        """Let every word have the unknown tag, too."""
        cdef int n = self.words.n_words, at = <int>self.words.symbols.size() - 1, i
        self.words.symbols.resize(at + 1 + n)
        self.words.scores.resize(at + 1 + n)
        # From the end, so that nothing is overwritten before it is moved.
        for i in range(n - 1, -1, -1):
            self.words.symbols[at + 1 + i] = self.unknown
            self.words.scores[at + 1 + i] = -UNKNOWN_COST
            while at >= self.words.starts[i]:
                self.words.symbols[at + i] = self.words.symbols[at]
                self.words.scores[at + i] = self.words.scores[at]
                at -= 1
        for i in range(n + 1):
            self.words.starts[i] = self.words.starts[i] + i

    cdef void _score_cells(self, IncrementalInput words) noexcept nogil:
        """Score symbols and unary rules in all spans that are left."""
        cdef int n = words.n_words, i, j, cell
        self.symbol_scores.resize(<size_t>self.spans.n_cells * self.grammar.n_symbols)
        self.unary_scores.resize(<size_t>self.spans.n_cells * self.unary_features.size())
        self.chart.symbol_scores = self.symbol_scores.data()
        self.chart.unary_scores = self.unary_scores.data()
        for j in range(1, n + 1):
            for i in range(j - 1, -1, -1):
                cell = self.spans.cell(i, j)
                if cell >= 0:
                    self._score_cell(i, j, cell)

    cdef void _score_cell(self, int i, int j, int cell) noexcept nogil:
        """Score the symbols that a span can have, and what unary rules make of these."""
        cdef int m = self.grammar.n_symbols, s, at
        cdef float* scores = &self.symbol_scores[<size_t>cell * m]
        cdef float* unary = self.unary_scores.data() + <size_t>cell * self.unary_features.size()
        cdef float shared
        self.scorer.see(i, j)
        shared = self.scorer.score_shared()
        self.places.clear()
        if j - i > 1:
            self.some_scores.resize(self.n_outcomes)
            self.scorer.score(PHRASE, self.n_outcomes, self.some_scores.data())
            for s in range(self.n_phrases):
                scores[s] = self.some_scores[self.phrase_outcomes[s]]
                if self.is_phrase[s]:
                    scores[s] += shared
                if self.spans.allowed[<size_t>cell * m + s]:
                    self._note_unaries(self.grammar, s)
            self._score_symbols(cell, scores)
        else:
            self.some.clear()
            for at in range(self.words.starts[i], self.words.starts[i + 1]):
                self.some.push_back(self.words.symbols[at] - self.n_phrases)
                self._note_unaries(self.grammar, self.words.symbols[at])
            self._score_some(WORD)
            for at in range(<int>self.some.size()):
                scores[self.some[at] + self.n_phrases] = self.some_scores[at]
        self.some.clear()
        for at in range(<int>self.places.size()):
            self.some.push_back(self.unary_outcomes[self.places[at]])
        self._score_some(UNARY)
        self.plain_scores.swap(self.some_scores)
        # Weights belong to the numbers that rules were given, not to their places.
        for at in range(<int>self.places.size()):
            self.some[at] = self.grammar.unary_ids[self.places[at]]
        self._score_some(SYMBOL_UNARY)
        # A word can have the unknown tag twice, and so the same places.
        for at in range(<int>self.places.size()):
            unary[self.places[at]] = self.plain_scores[at] + self.some_scores[at]
            if self.makes_phrase[self.places[at]]:
                unary[self.places[at]] += shared

    cdef void _note_unaries(self, Grammar grammar, int symbol) noexcept nogil:
        """Note the places of the unary rules over a symbol."""
        cdef int u
        for u in range(grammar.unary_starts[symbol], grammar.unary_starts[symbol + 1]):
            self.places.push_back(u)

    cdef void _score_some(self, int kind) noexcept nogil:
        self.some_scores.resize(self.some.size())
        self.scorer.score_some(
            kind, self.some.data(), <int>self.some.size(), self.some_scores.data()
        )

    cdef void _score_symbols(self, int cell, float* scores) noexcept nogil:
        """Add what templates of symbols say of those that a span can have."""
        cdef int s, at
        self.some.clear()
        for s in range(self.n_phrases):
            if self.spans.allowed[<size_t>cell * self.grammar.n_symbols + s]:
                self.some.push_back(s)
        self._score_some(SYMBOL)
        for at in range(<int>self.some.size()):
            scores[self.some[at]] += self.some_scores[at]

    cdef void collect(self, const Node& node, float value, vector[Feature]& features) noexcept nogil:
        """Add the features of a node's symbol to a list; the scorer has its span at hand."""
        if node.symbol >= self.n_phrases:
            self.scorer.collect(WORD, node.symbol - self.n_phrases, value, features)
            return
        self.scorer.collect(PHRASE, self.phrase_outcomes[node.symbol], value, features)
        self.scorer.collect(SYMBOL, node.symbol, value, features)

    cdef void collect_unary(
        self, const Node& node, float value, vector[Feature]& features
    ) noexcept nogil:
        """The same of the unary rule over a node."""
        self.scorer.collect(UNARY, self.unary_outcomes[node.unary], value, features)
        self.scorer.collect(SYMBOL_UNARY, self.grammar.unary_ids[node.unary], value, features)

    # --- Learning: what a gold tree changes -------------------------------------------------

    cdef void _keep_gold(self) noexcept nogil:
        """Let the gold tree's phrases stay, where their spans do."""
        cdef Node node
        cdef int cell
        for node in self.gold:
            cell = self.spans.cell(node.start, node.end)
            if cell >= 0:
                self.spans.allowed[<size_t>cell * self.grammar.n_symbols + node.symbol] = True

    cdef void _add_loss(self) noexcept nogil:
        """Let everything that is not in the gold tree score higher."""
        cdef int m = self.grammar.n_symbols, n_unaries = <int>self.unary_features.size(), u
        cdef size_t at
        cdef float* unary
        cdef Node node
        for at in range(self.symbol_scores.size()):
            self.symbol_scores[at] = self.symbol_scores[at] + self.bonus
        for at in range(self.unary_scores.size()):
            self.unary_scores[at] = self.unary_scores[at] + self.bonus
        for node in self.gold:
            at = self.spans.cell(node.start, node.end)
            if <int>at < 0:
                continue
            self.symbol_scores[at * m + node.symbol] = (
                self.symbol_scores[at * m + node.symbol] - self.bonus
            )
            if node.unary < 0:
                continue
            # Its unary rule is missed unless it is taken, and another one is no worse than none.
            unary = &self.unary_scores[at * n_unaries]
            for u in range(n_unaries):
                unary[u] = unary[u] - self.bonus
            unary[node.unary] = unary[node.unary] - self.bonus
            for u in range(m):
                self.symbol_scores[at * m + u] = self.symbol_scores[at * m + u] + self.bonus

    # --- Answers ----------------------------------------------------------------------------

    cdef object rows(self, const vector[int32_t]& items):
        """RETURNS (ndarray): The tree made of some items of the chart, last first."""
        cdef int n = <int>items.size(), i, at = -1
        cdef int32_t[:, ::1] rows = np.empty((n + 1, 4), dtype=np.int32)
        cdef Item item
        for i in range(n):
            item = self.chart.items[items[n - 1 - i]]
            if item.unary >= 0:
                rows[at, 3] = self.grammar.unary_ids[item.unary]
                continue
            at += 1
            rows[at, 0] = item.start
            rows[at, 1] = item.end
            rows[at, 2] = item.symbol
            rows[at, 3] = -1
        return np.asarray(rows)[:at + 1]

    cdef object best_rows(self):
        """RETURNS (ndarray): The best tree after `solve`; the pruner's if there is none."""
        if self.is_partial:
            return self._pruner_rows()
        self.items.clear()
        if self.forest.goal() >= 0:
            self.forest.best_items(self.items)
        return self.rows(self.items)

    def _pruner_rows(self):
        """The best tree of the pruner, which obeys no grammar."""
        cdef int n = self.words.n_words, m = self.pruner.n_classes, i, j, k, best, cell
        cdef int left, right
        cdef float top, score
        found = []
        stack = [(0, n, False)]
        while stack:
            i, j, is_done = stack.pop()
            if j == i + 1:
                found.append((i, j, self.words.symbols[self.words.starts[i]], -1))
                continue
            cell = self.pruner.spans.cell(i, j)
            if is_done:
                # The first phrase of the best class.
                best, top = 0, -INFINITY
                for k in range(self.n_phrases):
                    score = self.pruner.scores[<size_t>cell * m + self.pruner.classes[k]]
                    if score > top:
                        best, top = k, score
                found.append((i, j, best, -1))
                continue
            best, top = i + 1, -INFINITY
            for k in range(i + 1, j):
                left, right = self.pruner.spans.cell(i, k), self.pruner.spans.cell(k, j)
                if left >= 0 and right >= 0:
                    score = self.pruner.inside[left] + self.pruner.inside[right]
                    if score > top:
                        best, top = k, score
            stack += [(i, j, True), (best, j, False), (i, best, False)]
        return np.array(found, np.int32).reshape(-1, 4)

    def parse(self, IncrementalInput words, const int32_t[::1] starts, *, double scale=0, int k=0):
        """Parse sentences.

        words (IncrementalInput): The words of all sentences.
        starts (int32 array): The first word of each sentence, and at the end the number of words.
        scale (float): What scores are multiplied by for confidences; 0 for no confidences.
        k (int): How many trees of each sentence to list; 0 for no lists.
        RETURNS (list[tuple]): For each sentence, its best tree; for each row the probabilities of
            the labels of its symbol and its unary rule, topmost first (list of arrays, None without
            confidences); whether the grammar has no tree for it; and the k best trees with their
            scores.
        """
        cdef int s
        cdef IncrementalInput sentence
        found = []
        self.check(words)
        for s in range(starts.shape[0] - 1):
            sentence = words.cut(starts[s], starts[s + 1])
            self.control.enter()
            try:
                with nogil:
                    self.solve(sentence)
                best = self.best_rows()
                listed = self._list(k) if k else []
                sure = self._confidences(best, scale) if scale else None
            finally:
                self.control.leave()
            found.append((best, sure, bool(self.is_partial), listed))
        return found

    def nbest(self, IncrementalInput sentence, int k):
        """The k best trees of a sentence.

        sentence (IncrementalInput): The sentence.
        k (int): How many.
        RETURNS (list[tuple]): Score and tree, best first.
        """
        self.check(sentence)
        self.control.enter()
        try:
            with nogil:
                self.solve(sentence)
            return self._list(k)
        finally:
            self.control.leave()

    def features(self, IncrementalInput sentence, const int32_t[:, ::1] rows):
        """What the score of a tree is the sum of.

        sentence (IncrementalInput): The sentence.
        rows (int32 array): The tree.
        RETURNS (list[list[tuple]]): For each row, what is scored: `phrase`, `word`, `chain`, `rule`,
            `unary`, `heads`, `any`, whether it is a phrase, or `unknown`, the cost of a tag that
            the word does not have; its number, that of a symbol, a unary rule or a binary rule; two
            positions, the edges of the span or the two heads; and the weights, one per template,
            those of symbols last. `word` has none of these.
            Rules and `tag`, a reading with a score, have one weight, that of a rule with its fixed
            score.
        """
        cdef vector[Node] nodes
        cdef vector[Feature] features
        cdef Node node
        cdef size_t at
        self.check(sentence)
        if not read_nodes(rows, self.grammar, self.heads, nodes):
            raise ValueError(Errors.SPAN_NODES)
        self.scorer.load(sentence)
        found = []
        for at in range(nodes.size()):
            node = nodes[at]
            own = []
            self.scorer.see(node.start, node.end)
            features.clear()
            self.collect(node, 1, features)
            kind = "phrase" if node.symbol < self.n_phrases else "word"
            own.append((kind, node.symbol, node.start, node.end, self._weights(features)))
            if node.symbol == self.unknown and self._find_tag(sentence, node) < 0:
                own.append(("unknown", node.symbol, node.start, node.end, [-UNKNOWN_COST]))
            elif node.symbol >= self.n_phrases and sentence.scores is not None:
                own.append(
                    ("tag", node.symbol, node.start, node.end, [self._tag_score(sentence, node)])
                )
            if self.is_shared(node):
                own.append(("any", node.symbol, node.start, node.end, self._shared_weights()))
            if node.unary >= 0:
                number = self.grammar.unary_ids[node.unary]
                features.clear()
                self.collect_unary(node, 1, features)
                own.append(("chain", number, node.start, node.end, self._weights(features)))
                features.assign(1, Feature(self.unary_features[node.unary], 1))
                weight = self._weights(features)[0] + self.grammar.unary_scores[node.unary]
                own.append(("unary", number, node.start, node.end, [weight]))
            if node.rule >= 0:
                number = self.grammar.rule_ids[node.rule]
                features.assign(1, Feature(self.rule_features[node.rule], 1))
                weight = self._weights(features)[0] + self.grammar.scores[node.rule]
                own.append(("rule", number, node.start, node.end, [weight]))
                if self.heads is not None:
                    features.clear()
                    self.heads.collect(node.rule, node.head, node.other, 1, features)
                    own.append(("heads", number, node.head, node.other, self._weights(features)))
            found.append(own)
        return found

    cdef int _find_tag(self, IncrementalInput sentence, const Node& node) noexcept nogil:
        """The reading with the tag of a word, -1 if it is not one of its own."""
        cdef int at
        for at in range(sentence.starts[node.start], sentence.starts[node.end]):
            if sentence.tags[at] == node.symbol:
                return at
        return -1

    cdef double _tag_score(self, IncrementalInput sentence, const Node& node) noexcept nogil:
        """The fixed score of the tag of a word, where there are such scores."""
        cdef int at = self._find_tag(sentence, node)
        return sentence.scores[at] if at >= 0 else -UNKNOWN_COST

    cdef bint is_shared(self, const Node& node) noexcept nogil:
        """Whether a node has shared features: it is a phrase, or a unary rule makes it one."""
        if self.is_phrase[node.symbol]:
            return True
        return node.unary >= 0 and self.makes_phrase[node.unary]

    cdef double fixed(self, IncrementalInput sentence, const Node& node) noexcept nogil:
        """The part of the score of a node that is not learned."""
        cdef double score = 0
        if node.symbol >= self.n_phrases and sentence.scores is not None:
            score += self._tag_score(sentence, node)
        if node.unary >= 0:
            score += self.grammar.unary_scores[node.unary]
        if node.rule >= 0:
            score += self.grammar.scores[node.rule]
        return score

    cdef list _shared_weights(self):
        """Weights of the shared features of the span at hand, 0 for templates without one."""
        cdef size_t k
        found = [0.0] * self.scorer.shared_seeds.size()
        for k in range(self.scorer.shared_ids.size()):
            weight = self.scorer.weights.sum(&self.scorer.shared_ids[k], 1)
            found[self.scorer.shared_templates[k]] = weight
        return found

    cdef list _weights(self, const vector[Feature]& features):
        cdef size_t k
        return [
            self.scorer.weights.sum(&features[k].id, 1) for k in range(features.size())
        ]

    def _list(self, int k):
        cdef int n, i
        if self.is_partial:
            return [(0.0, self._pruner_rows())]
        if self.forest.goal() < 0:
            return []
        with nogil:
            n = self.kbest.find(self.forest, k)
        found = []
        for i in range(n):
            self.kbest.items(self.forest, i, True, self.items)
            score = self.kbest.score(self.forest, self.forest.goal(), i)
            found.append((score, self.rows(self.items)))
        return found

    def _confidences(self, const int32_t[:, ::1] rows, double scale):
        """The probabilities of labels over the spans of a tree, after `solve`."""
        cdef int n_items = <int>self.chart.items.size(), at, i, cell, label
        cdef vector[double] probabilities
        cdef vector[double] sums
        cdef Item item
        if self.is_partial or self.forest.goal() < 0:
            return [np.zeros(self._count_labels(rows, at)) for at in range(rows.shape[0])]
        probabilities.resize(n_items)
        with nogil:
            self.inside_outside.find(self.forest, scale, probabilities.data(), n_items)
            sums.assign(<size_t>self.spans.n_cells * self.n_labels, 0)
            for i in range(n_items):
                item = self.chart.items[i]
                cell = self.spans.cell(item.start, item.end)
                if item.unary >= 0:
                    for label in self.unary_labels[item.unary]:
                        sums[<size_t>cell * self.n_labels + label] += probabilities[i]
                else:
                    for label in self.labels[item.symbol]:
                        sums[<size_t>cell * self.n_labels + label] += probabilities[i]
        found = []
        for at in range(rows.shape[0]):
            cell = self.spans.cell(rows[at, 0], rows[at, 1])
            own = []
            for label in self._labels_of(rows, at):
                own.append(min(sums[<size_t>cell * self.n_labels + label], 1.0))
            found.append(np.array(own, dtype=np.float64))
        return found

    def _labels_of(self, const int32_t[:, ::1] rows, int at):
        """The labels over a span of a tree, topmost first."""
        cdef int u = self.grammar.find_unary(rows[at, 2], rows[at, 3]) if rows[at, 3] >= 0 else -1
        # Cython does not unpack a C++ vector by `*`.
        cdef list found = list(self.unary_labels[u]) if u >= 0 else []
        return found + list(self.labels[rows[at, 2]])

    def _count_labels(self, const int32_t[:, ::1] rows, int at):
        return len(self._labels_of(rows, at))
