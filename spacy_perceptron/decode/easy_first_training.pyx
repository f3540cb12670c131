"""Valid updates for easy-first parsing (Ma, Zhu, Xiao, Yang 2013, Algorithm 2).

Many action sequences lead to the gold tree, so the plain early update can be invalid. Here the
sequence rewarded is the best correct one-action extension of the beam, at the step at which no
correct sequence stays in it; it never scores above the beam's best, which is the sequence punished.
An action is correct if its head is the child's gold head and the child has all its gold children.

Deviations from the paper. Updates can also be made where they are largest (`max_violation`, after
Huang, Fayong, Guo 2012): the search goes to the end, beside it the best extensions of the correct
sequence, and the step with the largest violation counts, which is never smaller than that of the
early update. The step size can be passive-aggressive (Crammer et al. 2006). With `augmented`, wrong
actions gain the margin while searching, and updates are valid in these scores. Words without a
gold head may go anywhere once they have the children they should have.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..errors import Errors
from ..learn.mira cimport Feature, merge
from .attachment_features cimport N_GROUPS
from .attachment_search cimport NO_HEAD, Action, State
from .attachment_state cimport ARC, OWN, Tree, Window, action_score
from .easy_first_parsing cimport EasyFirstParsing
from .parsing_input cimport ParsingInput

UPDATES = ("early", "max_violation")


cdef class EasyFirstTraining:
    """Learns from one sentence at a time.

    parsing (EasyFirstParsing): The parser to train; its weights must be trainable. After `learn`,
        `label_mistakes` tells how many labels of the gold tree were wrong or won too narrowly.
    """

    def __init__(self, EasyFirstParsing parsing):
        if not (parsing.scorer.weights.trainable and parsing.labeler.weights.trainable):
            raise ValueError(Errors.TABLE_FROZEN)
        self.parsing = parsing
        self.search = parsing.search

    def learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, *, str update="max_violation", double limit=INFINITY, double margin=1.0,
        bint augmented=True, bint mira=True
    ):
        """Learn from a sentence.

        sentence (ParsingInput): The sentence.
        heads (int32 array): Gold head per word: 0 for the root, -1 for unknown.
        labels (int32 array): Gold label per word, -1 for unknown.
        time (float): Number of examples finished before this one.
        update (str): `early` or `max_violation`.
        limit (float): Largest step: the constant C of passive-aggressive learning.
        margin (float): By how much the correct sequence should win for each mistake of another.
        augmented (bool): Add the margin to the scores of wrong actions while searching.
        mira (bool): Passive-aggressive steps if true, else steps of one.
        RETURNS (int): Mistakes of the sequence that was punished, 0 if there was none, or -1 if the
            gold heads allow no tree.
        """
        cdef int n = sentence.n_words, mistakes
        cdef double norm = 0, step = 1
        cdef size_t k
        if update not in UPDATES:
            raise ValueError(Errors.ATTACHMENT_UPDATE.format(value=update))
        if heads.shape[0] != n or labels.shape[0] != n:
            raise ValueError(
                Errors.PARSING_GOLD.format(n=n, heads=heads.shape[0], labels=labels.shape[0])
            )
        self.parsing.check(sentence, n)
        self.check(heads, labels)
        self.label_mistakes = 0
        self._forget()
        if n == 0:
            return 0
        self.parsing.load(sentence, 0, n)
        if not self.complete_gold(&heads[0], n):
            return -1
        self._learn_labels(heads, labels, limit, time)
        self.search.bonus = <float>margin if augmented else 0
        self.search.start(n, self.parsing.width, &heads[0])
        self.find_violation(update == "early")
        self.search.bonus = 0
        mistakes = 0
        if self.violation.predicted >= 0:
            self.collect()
            mistakes = self.count_mistakes()
            if mira:
                for k in range(self.difference.size()):
                    norm += self.difference[k].value * self.difference[k].value
                step = self.violation.predicted_score - self.violation.correct_score
                step = step if augmented else step + margin * mistakes
                step = min(limit, step / norm) if norm > 0 else 0
            self.update(step, time)
        self.search.gold = NULL
        return mistakes

    def _forget(self):
        self.violation.correct = self.violation.predicted = -1
        self.violation.correct_score = self.violation.predicted_score = 0
        self.search.history.clear()

    cdef int check(self, const int32_t[::1] heads, const int32_t[::1] labels) except -1:
        """Refuse heads and labels that there are not."""
        cdef int n = <int>heads.shape[0], n_labels = self.parsing.labeler.weights.n_classes, i
        for i in range(n):
            if (
                not -1 <= heads[i] <= n or heads[i] == i + 1
                or not -1 <= labels[i] < n_labels
            ):
                raise ValueError(
                    Errors.PARSING_GOLD_RANGE.format(
                        word=i + 1, head=heads[i], label=labels[i], n=n, n_labels=n_labels
                    )
                )
        return 0

    # --- Gold trees ---------------------------------------------------------------------------

    cdef bint complete_gold(self, const int32_t* heads, int n) noexcept nogil:
        """Fill the gaps of a partial gold tree by the best correct actions.

        RETURNS whether there is a tree with its heads.
        """
        cdef int i
        cdef bint whole = True
        self.gold_heads.assign(heads, heads + n)
        for i in range(n):
            whole = whole and heads[i] != NO_HEAD
        if whole:
            return self.is_projective(heads, n)
        self.fell_off = False
        self.search.start(n, 1, heads)
        while self.search.n_trees > 1:
            if not self.find_extension():
                return False
            self.search.beam.reset(1)
            self.search.beam.push(self.extension)
            self.search.advance()
        self.search.read_heads(self.search.states[0].history, self.gold_heads.data())
        for i in range(n):
            # The word left over may have a gold head.
            if heads[i] != NO_HEAD and heads[i] != self.gold_heads[i]:
                return False
        return True

    cdef bint is_projective(self, const int32_t* heads, int n) noexcept nogil:
        """Whether heads are a tree that actions lead to, with one root: trees are put together from
        left to right, as soon as they are complete."""
        cdef int i, first, second
        self.missing.assign(n + 1, 0)
        for i in range(n):
            self.missing[heads[i]] = self.missing[heads[i]] + 1
        self.stack.clear()
        for i in range(n):
            self.stack.push_back(i + 1)
            while self.stack.size() > 1:
                first = self.stack[self.stack.size() - 2]
                second = self.stack.back()
                if heads[first - 1] == second and self.missing[first] == 0:
                    self.stack[self.stack.size() - 2] = second
                    self.missing[second] = self.missing[second] - 1
                elif heads[second - 1] == first and self.missing[second] == 0:
                    self.missing[first] = self.missing[first] - 1
                else:
                    break
                self.stack.pop_back()
        return self.stack.size() == 1 and heads[self.stack[0] - 1] == 0

    def _learn_labels(
        self, const int32_t[::1] heads, const int32_t[::1] labels, double limit, double time
    ):
        cdef int n = <int>heads.shape[0], i
        self.known_labels.resize(n)
        for i in range(n):
            self.known_labels[i] = labels[i] if heads[i] != NO_HEAD else -1
        self.parsing.labeler.load_tree(self.gold_heads.data(), n)
        self.label_mistakes = self.parsing.labeler.learn(
            self.gold_heads.data(), self.known_labels.data(), limit, time
        )

    def gold_tree(self):
        """RETURNS (int32 array): The gold heads of the last sentence, with gaps filled."""
        return np.array(self.gold_heads, dtype=np.int32)

    # --- Violations ---------------------------------------------------------------------------

    cdef bint _try_extensions(self, const State& state, int parent) noexcept nogil:
        """Take the best correct extension of a state if it is better than what there is.

        RETURNS whether the state has one.
        """
        cdef const Tree* trees = self.search.trees_of(state.slot)
        cdef const Tree* head
        cdef const Tree* child
        cdef int i, direction
        cdef double score
        cdef bint found = False
        for i in range(self.search.n_trees - 1):
            for direction in range(1, -1, -1):
                head = &trees[i] if direction else &trees[i + 1]
                child = &trees[i + 1] if direction else &trees[i]
                if not self.search.is_correct(head, child):
                    continue
                found = True
                score = state.score + action_score(&trees[i], direction)
                if score > self.extension.score or self.extension.parent == -2:
                    self.extension.parent = parent
                    self.extension.score = score
                    self.extension.position = i
                    self.extension.label = direction
        return found

    cdef bint find_extension(self) noexcept nogil:
        """The best correct one-action extension: y-hat of Algorithm 2. RETURNS whether there is one.

        Its parent is -1 if that is the correct sequence that left the beam.
        """
        cdef int s
        cdef bint found = False
        self.extension.parent = -2
        self.extension.score = -INFINITY
        self.extension.signature = 0
        self.extension.row = -1
        self.extension.correct = True
        if self.fell_off:
            return self._try_extensions(self.gold_state, -1)
        for s in range(<int>self.search.states.size()):
            if self.search.states[s].correct:
                found = self._try_extensions(self.search.states[s], s) or found
        return found

    cdef void follow_extension(self) noexcept nogil:
        """Make the best correct extension the state that goes on beside the beam."""
        cdef int slot = 2 * self.search.width
        if not self.fell_off:
            self.gold_state = self.search.states[self.extension.parent]
            self.search.copy_slot(self.gold_state.slot, slot)
            self.gold_state.slot = slot
            self.fell_off = True
        self.search.apply(&self.gold_state, self.extension)

    cdef int find_violation(self, bint early) noexcept nogil:
        """Search the sentence for the two sequences to compare; both are left in `violation` if the
        best sequence is wrong. RETURNS 0, or -1 if there was no way to go on correctly."""
        cdef bint is_lost, is_new
        cdef int32_t correct
        cdef size_t c
        self.fell_off = False
        while self.search.step():
            if not self.find_extension():
                return -1
            is_lost = True
            for c in range(self.search.beam.items.size()):
                is_lost = is_lost and not self.search.beam.items[c].correct
            is_new = is_lost and not self.fell_off
            if is_lost and not (early and is_new):
                self.follow_extension()
                correct = self.gold_state.history
            else:
                correct = self.search.record(
                    self.search.states[self.extension.parent],
                    self.extension.position, self.extension.label
                )
            self.search.advance()
            self.consider(correct, not early or is_new or self.search.n_trees == 1)
            if early and is_new:
                return 0
        # A sequence that was wrong on the way and is right at last has won after all.
        if not self.fell_off and self.search.states[0].correct:
            self.violation.predicted = -1
        return 0

    cdef void consider(self, int32_t correct, bint counts) noexcept nogil:
        """Keep the present step if its violation is the largest so far."""
        cdef double predicted_score = self.search.states[0].score
        cdef double violation = predicted_score - self.extension.score
        if not counts or self.search.states[0].correct:
            return
        if (
            self.violation.predicted >= 0
            and violation <= self.violation.predicted_score - self.violation.correct_score
        ):
            return
        self.violation.correct = correct
        self.violation.predicted = self.search.states[0].history
        self.violation.correct_score = self.extension.score
        self.violation.predicted_score = predicted_score

    # --- Updates ------------------------------------------------------------------------------

    cdef void trace(self, int32_t last, vector[int32_t]& path) noexcept nogil:
        """The actions that lead up to one, first to last."""
        cdef size_t i, n
        cdef int32_t action
        path.clear()
        while last >= 0:
            path.push_back(last)
            last = self.search.history[last].previous
        n = path.size()
        for i in range(n // 2):
            action = path[i]
            path[i] = path[n - 1 - i]
            path[n - 1 - i] = action

    cdef void collect(self) noexcept nogil:
        """Features of the correct sequence minus those of the predicted one."""
        cdef int first = 0
        self.difference.clear()
        self.trace(self.violation.correct, self.path)
        self.trace(self.violation.predicted, self.other_path)
        while (
            first < <int>self.path.size() and self.path[first] == self.other_path[first]
        ):
            first += 1
        self._collect_path(self.path, first, 1)
        self._collect_path(self.other_path, first, -1)
        merge(self.difference)

    cdef void _collect_path(
        self, const vector[int32_t]& path, int first, float value
    ) noexcept nogil:
        """Replay a sequence and add the features of its actions from some point on."""
        cdef Tree* trees = self.search.trees_of(2 * self.search.width + 1)
        cdef int k, n = self.search.n_words
        cdef Action action
        self.search.open_trees(trees)
        for k in range(<int>path.size()):
            action = self.search.history[path[k]]
            if k >= first:
                self._collect_action(n - k, action.pair, action.direction, value)
            self.search.join(trees, n - k, action.pair, action.direction)

    cdef void _collect_action(
        self, int n_trees, int pair, int direction, float value
    ) noexcept nogil:
        cdef const Tree* trees = self.search.trees_of(2 * self.search.width + 1)
        cdef Window window
        cdef Feature feature
        cdef int g, n, k
        feature.value = value
        self.parsing.features.see(&window, trees, n_trees, pair)
        self.parsing.features.place(&window, direction)
        for g in range(-1, N_GROUPS):
            if g < 0:
                n = self.parsing.features.arc_ids(
                    &window, direction, self.parsing.scorer.ids.data()
                )
            else:
                n = self.parsing.features.group_ids(g, self.parsing.scorer.ids.data())
            n = self.parsing.scorer.keep(self.parsing.scorer.ids.data(), n)
            for k in range(n):
                feature.id = self.parsing.scorer.ids[k]
                self.difference.push_back(feature)

    cdef int count_mistakes(self) noexcept nogil:
        """How many wrong actions the predicted sequence has; 1 at least."""
        cdef Action action
        cdef size_t k
        cdef int n = 0, gold
        for k in range(self.other_path.size()):
            action = self.search.history[self.other_path[k]]
            gold = self.search.gold[action.child - 1]
            n += gold != NO_HEAD and gold != action.head
        return max(n, 1)

    cdef int update(self, double step, double time) except -1:
        cdef size_t k
        for k in range(self.difference.size()):
            self.parsing.scorer.weights.add(
                self.difference[k].id, <float>(step * self.difference[k].value), time
            )
        return 0

    # --- A window for tests -------------------------------------------------------------------

    def last_violation(self):
        """The two sequences of the last update, and their scores before it.

        RETURNS (tuple): The correct and the predicted actions as lists of (head, child), and their
            scores, gains of wrong actions included; None if there was no update.
        """
        if self.violation.predicted < 0:
            return None
        return (
            self.search.actions(self.violation.correct),
            self.search.actions(self.violation.predicted),
            self.violation.correct_score,
            self.violation.predicted_score,
        )
