"""Online training of dependency parsers: k-best MIRA (McDonald, Crammer and Pereira 2005) and the
structured perceptron (Collins 2002), with the decoders that parse.

An example's k best trees under the present weights are found. If `augmented`, a point is added for
every wrong head or label; one tree is then enough, as it is the one with the largest violation.
MIRA makes the smallest change of weights after which the gold tree beats each of these trees by the
number of its mistakes, as far as the limit on each tree's multiplier allows. The perceptron takes a
step of one.

Gold trees may be partial. Words without a gold head get the best heads that are compatible with the
given ones, and cost nothing. Gold arcs are never pruned; the pruner learns from the same examples.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...errors import Errors
from ...learn.hashed cimport HashedWeights
from ...learn.mira cimport MiraStep
from ...learn.weights cimport WeightTable
from .difference cimport TreeDifference
from .input cimport ParsingInput
from .parsing cimport FORBIDDEN, DependencyParsing
from .parts cimport Parts

cdef enum:
    # In longer sentences, partial trees are completed with the arcs that pruning leaves.
    MAX_UNPRUNED = 40

# Scores are sums of single-precision numbers.
cdef double TOLERANCE = 1e-2


cdef class DependencyTraining:
    """Learns from one sentence at a time.

    parsing (DependencyParsing): The parser to train; its weights must be trainable. After `learn`,
        `label_mistakes` says how many labels of the gold tree were wrong or won too narrowly.
    """

    def __init__(self, DependencyParsing parsing):
        tables = (parsing.scorer.weights, parsing.scorer.label_weights, parsing.pruner.weights)
        if not all(table.trainable for table in tables):
            raise ValueError(Errors.TABLE_FROZEN)
        self.parsing = parsing
        self.difference = TreeDifference(parsing.scorer, parsing.order)
        self.step = MiraStep()

    def learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, *, int k=1, double limit=INFINITY, bint augmented=True, bint mira=True,
        double margin=1.0, double pruner_rate=1.0
    ):
        """Learn from a sentence.

        sentence (ParsingInput): The sentence.
        heads (int32 array): Gold head per word: 0 for the root, -1 for unknown.
        labels (int32 array): Gold label per word, -1 for unknown.
        time (float): Number of examples finished before this one.
        k (int): How many trees to learn from.
        limit (float): Largest multiplier of a tree.
        augmented (bool): Add to each tree's score the number of its mistakes before choosing.
        mira (bool): MIRA if true, else the perceptron.
        margin (float): By how much the gold tree should win for each mistake of another tree.
        pruner_rate (float): Step size of the pruner; 0 to leave it as it is.
        RETURNS (int): Mistakes of the best tree found, 0 if it keeps its margin, or -1 if no tree
            has the gold heads.
        """
        cdef int n = sentence.n_words
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        self.parsing.check(sentence, n)
        sentence.check_gold(heads, labels, self.parsing.scorer.label_weights.n_classes)
        self.label_mistakes = 0
        if n == 0:
            return 0
        self.parsing.control.enter()
        try:
            return self._learn(
                sentence, heads, labels, time, k, limit, augmented, mira, margin, pruner_rate
            )
        finally:
            self.parsing.control.leave()

    cdef int _learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, int k, double limit, bint augmented, bint mira, double margin,
        double pruner_rate
    ) except -2:
        """Learn from a sentence with words; see `learn`."""
        cdef int n = sentence.n_words, i, n_trees, mistakes, loss
        cdef double gold_score
        cdef DependencyParsing parsing = self.parsing
        parsing.load(sentence, 0, n)
        if pruner_rate > 0:
            parsing.pruner.learn(parsing.features, &heads[0], pruner_rate, time)
        if not self.score_with_gold(
            parsing, &heads[0], &labels[0], margin if augmented else 0.0
        ):
            return -1
        if parsing.features.tree_label.size():
            self.label_mistakes = parsing.labeler.learn(
                self.gold_heads.data(), &heads[0], &labels[0], n, limit, time
            )
        gold_score = self.gold_score(parsing.parts)
        n_trees = self.find_trees(k)
        mistakes = 0
        for i in range(n_trees):
            self.products.resize(n_trees)
            self.differences.resize(n_trees)
            self.label_differences.resize(n_trees)
            self.violations.resize(n_trees)
            loss = self.compare(i, gold_score, 0.0 if augmented else margin)
            # A step leaves its tree right at the margin, which is not a mistake.
            if i == 0 and self.violations[0] > TOLERANCE:
                mistakes = loss
        if mira:
            self.step.solve(self.products.data(), self.violations.data(), n_trees, limit)
        for i in range(n_trees):
            if mira:
                self.apply(i, self.step.alphas[i], time)
            elif i == 0 and mistakes:
                self.apply(i, 1.0, time)
        return mistakes

    def gold_tree(self):
        """RETURNS (int32 array): The gold heads of the last sentence, with gaps filled."""
        return np.array(self.gold_heads, dtype=np.int32)

    cdef bint score_with_gold(
        self, DependencyParsing parsing, const int32_t* heads, const int32_t* labels, float cost
    ) noexcept nogil:
        """Score the parts of the sentence that is loaded, and complete the gold tree. If pruning
        leaves no way to complete a partial tree, more arcs are allowed.

        heads, labels (int32_t*): What is given of the gold tree, -1 for unknown.
        cost (float): What every wrong head or label adds.
        RETURNS (bint): Whether there is a tree with these heads.
        """
        cdef int width
        for width in range(2 if parsing.features.n_words > MAX_UNPRUNED else 3):
            if width == 0:
                parsing.pruner.prune(parsing.features, parsing.parts, heads, parsing.order)
            elif width == 1:
                parsing.pruner.allow_chains(parsing.features, parsing.parts, heads, parsing.order)
            else:
                parsing.pruner.allow_all(parsing.features, parsing.parts, parsing.order)
            parsing.scorer.score(parsing.parts, heads, labels, cost)
            if self.complete_gold(parsing.parts, heads, labels):
                return True
        return False

    cdef bint complete_gold(
        self, Parts parts, const int32_t* heads, const int32_t* labels
    ) noexcept nogil:
        """Fill the gaps of a partial gold tree.

        RETURNS (bint): Whether there is a tree with these heads.
        """
        cdef int n = parts.n_words, i, a
        cdef bint whole = True, found = True
        self.gold_heads.assign(heads, heads + n)
        self.gold_labels.assign(labels, labels + n)
        self.is_known.resize(n)
        for i in range(n):
            self.is_known[i] = heads[i] >= 0
            whole = whole and heads[i] >= 0
        if whole:
            found = self.parsing.decoder.is_tree(heads, n)
        else:
            self.saved_scores = parts.arc
            for a in range(parts.n_arcs()):
                i = parts.children[a] - 1
                if heads[i] >= 0 and heads[i] != parts.heads[a]:
                    parts.arc[a] = parts.arc[a] - FORBIDDEN
            self.parsing.decoder.decode_into(parts, self.gold_heads.data())
            parts.arc = self.saved_scores
            for i in range(n):
                found = found and (heads[i] < 0 or heads[i] == self.gold_heads[i])
        for i in range(n):
            a = parts.find(self.gold_heads[i], i + 1)
            if a < 0:
                return False
            if self.is_known[i] == 0 or self.gold_labels[i] < 0:
                self.gold_labels[i] = self.parsing.scorer.best_label[a]
        return found

    cdef double gold_score(self, Parts parts) noexcept nogil:
        """The score of the gold tree with its labels, without costs."""
        cdef double score = self.parsing.decoder.score_tree(parts, self.gold_heads.data())
        cdef int i, a
        for i in range(parts.n_words):
            a = parts.find(self.gold_heads[i], i + 1)
            if a < 0:
                return -INFINITY
            score += self.parsing.scorer.gold_label_score[a] - self.parsing.scorer.label_score[a]
        return score

    cdef int find_trees(self, int k) except -1:
        """Put the k best trees in `trees`, best first.

        RETURNS (int): How many there are.
        """
        cdef int n = self.parsing.parts.n_words, i
        if k == 1:
            self.trees.resize(1)
            self.trees[0].resize(n)
            # No tree has a finite score if there is none; heads are then no indices.
            return self.parsing.decoder.decode_into(
                self.parsing.parts, self.trees[0].data()
            ) != -INFINITY
        self.parsing.decoder.solve(self.parsing.parts)
        found, _ = self.parsing.decoder.best_trees(self.parsing.parts, k)
        cdef const int32_t[:, ::1] heads = found
        self.trees.resize(heads.shape[0])
        for i in range(<int>heads.shape[0]):
            self.trees[i].assign(&heads[i, 0], &heads[i, 0] + n)
        return <int>heads.shape[0]

    cdef int compare(self, int i, double gold_score, double margin) noexcept nogil:
        """Compute a tree's difference from the gold tree, and by how much it violates its margin.

        margin (double): What each mistake adds to the violation, if the scores do not contain it.
        RETURNS (int): Its number of mistakes.
        """
        cdef int n = self.parsing.parts.n_words, w, loss = 0
        cdef double score = self.parsing.decoder.score_tree(
            self.parsing.parts, self.trees[i].data()
        )
        self.labels.resize(n)
        if self.parsing.features.label.size():
            self.parsing.read_labels(self.trees[i].data(), self.labels.data())
        else:
            self.labels.assign(self.gold_labels.begin(), self.gold_labels.end())
        for w in range(n):
            if self.is_known[w] != 0:
                loss += (
                    self.trees[i][w] != self.gold_heads[w] or self.labels[w] != self.gold_labels[w]
                )
        self.violations[i] = score - gold_score + margin * loss
        self.difference.compute(
            self.gold_heads.data(), self.gold_labels.data(), self.trees[i].data(),
            self.labels.data(), n
        )
        self.differences[i] = self.difference.features
        self.label_differences[i] = self.difference.label_features
        self.products[i] = self.difference.all_features
        return loss

    cdef int apply(self, int i, double step, double time) except -1:
        cdef HashedWeights weights = self.parsing.scorer.weights
        cdef WeightTable label_weights = self.parsing.scorer.label_weights
        cdef size_t k
        if step == 0:
            return 0
        for k in range(self.differences[i].size()):
            weights.add(
                self.differences[i][k].id, <float>(step * self.differences[i][k].value), time
            )
        for k in range(self.label_differences[i].size()):
            label_weights.add(
                self.label_differences[i][k].id, self.label_differences[i][k].label,
                <float>(step * self.label_differences[i][k].value), time
            )
        return 0
