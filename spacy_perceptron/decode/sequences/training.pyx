"""Valid perceptron updates for easy-first tagging (Ma, Zhu, Xiao, Yang 2013, Algorithm 2).

Many action sequences lead to the gold tagging, so the plain early update can be invalid. Here the
sequence rewarded is the best correct one-action extension of the beam, at the step at which no
correct sequence stays in it; it never scores above the beam's best, which is the sequence punished.

Deviations from the paper: tokens without a gold tag accept any tag; with `resume` the search goes
on from the correct partial tagging after an update, as in LaSO (Daumé & Marcu 2005), and each
further update is valid in the same sense; with a margin every gold tag's score is lowered by it
while searching, and updates are valid in these handicapped scores.
"""
import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...errors import Errors
from ...features.extract cimport DROPPED
from .scorer cimport PAD
from .search cimport BLOCK, Action, Block, TaggingSearch


cdef class TaggingTraining(TaggingSearch):
    """Finds violations and updates weights."""

    cdef void _find_gold_extension(self, const int32_t* gold) noexcept nogil:
        """The best correct one-action extension of the correct states: y-hat of Algorithm 2."""
        cdef int s, i
        cdef int32_t row
        cdef const int32_t* blocks
        cdef const Block* block
        cdef int label
        cdef double score
        self.gold_candidate.parent = -1
        self.gold_candidate.score = -INFINITY
        for s in range(<int>self.states.size()):
            if not self.states[s].correct:
                continue
            blocks = &self.state_blocks[<size_t>s * self.n_blocks]
            for i in range(self.n):
                block = &self.blocks[blocks[i // BLOCK]]
                if block.tags[i % BLOCK] != 0:
                    continue
                row = block.rows[i % BLOCK]
                label = self._best_correct(gold, i, row)
                if label < 0:
                    continue
                score = self.states[s].score + self.rows[<size_t>row * self.n_tags + label]
                if score > self.gold_candidate.score:
                    self.gold_candidate.parent = s
                    self.gold_candidate.score = score
                    self.gold_candidate.position = i
                    self.gold_candidate.label = label
                    self.gold_candidate.row = row

    cdef int _best_correct(self, const int32_t* gold, int i, int32_t row) noexcept nogil:
        """The best tag of a row that agrees with gold; -1 if there is none."""
        cdef const float* scores = &self.rows[<size_t>row * self.n_tags]
        cdef int t, best = -1
        if gold[i] >= 0:
            return gold[i] if scores[gold[i]] > -INFINITY else -1
        for t in range(self.n_tags):
            if scores[t] > -INFINITY and (best < 0 or scores[t] > scores[best]):
                if self._agrees(gold, i, t):
                    best = t
        return best

    cdef void _start_training(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin
    ) noexcept nogil:
        """Load a sentence with every gold tag handicapped by the margin."""
        cdef int i
        cdef size_t at
        self._load(rows, n, width)
        for i in range(n):
            if gold[i] >= 0:
                at = <size_t>i * self.n_tags + gold[i]
                self.static[at] = self.static[at] - margin
        self._open(fixed)

    cdef bint _any_correct(self) noexcept nogil:
        cdef size_t c
        for c in range(self.beam.items.size()):
            if self.beam.items[c].correct:
                return True
        return False

    cdef bint _search_violation(self, const int32_t* gold) noexcept nogil:
        """Decode the loaded sentence until no correct state is left in the beam, or to the end
        (Algorithm 2).

        Leaves the two sequences to compare in gold_history and wrong_history, with their scores.

        RETURNS (bint): Whether the predicted sequence is wrong.
        """
        cdef bint fell_off
        while self._step(gold):
            self._find_gold_extension(gold)
            if self.gold_candidate.parent < 0:
                # Given tags leave no correct answer, so there is nothing to learn.
                return False
            self._add_gold_action(self.states[self.gold_candidate.parent].history)
            fell_off = not self._any_correct()
            self._advance()
            if fell_off:
                self._take_predicted()
                return True
        self._take_predicted()
        return not self.states[0].correct

    cdef void _add_gold_action(self, int32_t previous) noexcept nogil:
        """Extend a history by the best correct action: the sequence to reward."""
        cdef Action action
        action.previous = previous
        action.position = self.gold_candidate.position
        action.label = self.gold_candidate.label
        action.row = self.gold_candidate.row
        self.gold_history = <int32_t>self.history.size()
        self.gold_score = self.gold_candidate.score
        self.history.push_back(action)

    cdef void _take_predicted(self) noexcept nogil:
        """The best sequence of the present beam is the one to punish."""
        self.wrong_history = self.states[0].history
        self.wrong_score = self.states[0].score

    cdef void _place(self, bint correct, int position, int label, uint64_t context) noexcept nogil:
        if correct:
            self.right_labels[position] = label
            self.right_contexts[position] = context
        else:
            self.wrong_labels[position] = label
            self.wrong_contexts[position] = context

    cdef void _place_history(self, bint correct, int32_t last) noexcept nogil:
        cdef Action action
        while last >= 0:
            action = self.history[last]
            self._place(correct, action.position, action.label, self.row_context[action.row])
            last = action.previous

    cdef void _clear_places(self) noexcept nogil:
        self.right_labels.assign(self.n, -1)
        self.wrong_labels.assign(self.n, -1)
        self.right_contexts.resize(self.n)
        self.wrong_contexts.resize(self.n)

    cdef void _place_violation(self) noexcept nogil:
        """Lay both sequences of the last violation out by position."""
        self._clear_places()
        self._place_history(True, self.gold_history)
        self._place_history(False, self.wrong_history)

    cdef void _collect_ids(self, int n_ids, int label, float delta) noexcept nogil:
        cdef int k
        for k in range(n_ids):
            self._collect_id(self.scorer.ids[k], label, delta)

    cdef void _collect_id(self, uint64_t key, int label, float delta) noexcept nogil:
        if key != DROPPED:
            self.difference_keys.push_back(key)
            self.difference_labels.push_back(label)
            self.difference_deltas.push_back(delta)

    cdef void _collect_difference(self) noexcept nogil:
        """Features of the correct minus those of the predicted actions, without what cancels."""
        cdef int i, right, wrong
        cdef const int32_t* rows = &self.padded[PAD]
        self.difference_keys.clear()
        self.difference_labels.clear()
        self.difference_deltas.clear()
        for i in range(self.n):
            right = self.right_labels[i]
            wrong = self.wrong_labels[i]
            if right == wrong:
                if right >= 0 and self.right_contexts[i] != self.wrong_contexts[i]:
                    self._collect_context_change(i, right)
                continue
            if right >= 0:
                self._collect_ids(self.scorer.static_ids(rows, i), right, 1.0)
                self._collect_ids(
                    self.scorer.dynamic_ids(rows, i, self.right_contexts[i]), right, 1.0
                )
            if wrong >= 0:
                self._collect_ids(self.scorer.static_ids(rows, i), wrong, -1.0)
                self._collect_ids(
                    self.scorer.dynamic_ids(rows, i, self.wrong_contexts[i]), wrong, -1.0
                )

    cdef void _collect_context_change(self, int i, int label) noexcept nogil:
        """Features of one tag given in two contexts: those that differ."""
        cdef const int32_t* rows = &self.padded[PAD]
        cdef int k, n_ids = self.scorer.dynamic_ids(rows, i, self.right_contexts[i])
        self.context_ids.resize(n_ids)
        for k in range(n_ids):
            self.context_ids[k] = self.scorer.ids[k]
        self.scorer.dynamic_ids(rows, i, self.wrong_contexts[i])
        for k in range(n_ids):
            if self.context_ids[k] != self.scorer.ids[k]:
                self._collect_id(self.context_ids[k], label, 1.0)
                self._collect_id(self.scorer.ids[k], label, -1.0)

    def violation(self, const int32_t[::1] rows not None, const int32_t[::1] gold not None,
                  int width, *, float margin=0.0, const int32_t[::1] fixed=None):
        """Decode with the current weights until the search goes wrong (Algorithm 2).

        rows (int32 array): Lexeme rows of the words of one sentence.
        gold (int32 array): Gold tags, -1 where unknown.
        width (int): Beam width.
        margin (float): Handicap of every gold tag: correct actions must win by this much.
        fixed (int32 array): Tags given in advance, or -1; optional.
        RETURNS (tuple): None when the best tagging is correct, else the two action lists (correct,
            predicted) as tuples (position, tag, packed context), and their scores.
        """
        cdef int n = <int>rows.shape[0]
        self._check(rows, gold, width)
        self._check(rows, fixed, width)
        if n == 0:
            return None
        self._start_training(
            &rows[0], &gold[0], &fixed[0] if fixed is not None else NULL, n, width, margin
        )
        if not self._search_violation(&gold[0]):
            return None
        correct = self._actions(self.gold_history)
        predicted = self._actions(self.wrong_history)
        return correct, predicted, self.gold_score, self.wrong_score

    def _actions(self, int32_t last):
        actions = []
        while last >= 0:
            action = self.history[last]
            actions.append((action.position, action.label, self.row_context[action.row]))
            last = action.previous
        return actions[::-1]

    def difference(self, correct, predicted):
        """Features of the correct actions minus features of the predicted ones, for the sentence
        last decoded.

        correct, predicted (list): Actions as returned by `violation`.
        RETURNS (tuple): Feature ids (uint64), tags (int32) and counts (float32); a pair may occur
            more than once.
        """
        self._clear_places()
        for is_correct, actions in ((True, correct), (False, predicted)):
            for position, label, context in actions:
                if not (0 <= position < self.n and 0 <= label < self.n_tags):
                    raise ValueError(Errors.DECODE_ACTION.format(i=position, n=self.n, tag=label))
                self._place(is_correct, position, label, context)
        self._collect_difference()
        return (
            np.array(self.difference_keys, dtype=np.uint64),
            np.array(self.difference_labels, dtype=np.int32),
            np.array(self.difference_deltas, dtype=np.float32),
        )

    def learn(self, const int32_t[::1] rows not None, const int32_t[::1] gold not None,
              int width, double time, *, bint resume=False, float margin=0.0, const int32_t[::1] fixed=None):
        """Perceptron updates on one sentence, straight to the scorer's weights.

        rows (int32 array): Lexeme rows of the words.
        gold (int32 array): Gold tags, -1 where unknown.
        width (int): Beam width.
        time (float): Number of examples finished before this one.
        resume (bool): After an update, go on from the correct partial tagging instead of leaving
            the sentence.
        margin (float): Handicap of every gold tag: correct actions must win by this much.
        fixed (int32 array): Tags given in advance, or -1; optional.
        RETURNS (int): Number of updates.
        """
        cdef int n = <int>rows.shape[0], n_updates = 0, i
        cdef size_t k
        cdef vector[int32_t] given
        if not self.scorer.weights.trainable or self.scorer.cached:
            raise ValueError(Errors.TABLE_FROZEN)
        self._check(rows, gold, width)
        self._check(rows, fixed, width)
        if n == 0:
            return 0
        given.assign(n, -1)
        if fixed is not None:
            for i in range(n):
                given[i] = fixed[i]
        while True:
            self._start_training(&rows[0], &gold[0], &given[0], n, width, margin)
            if not self._search_violation(&gold[0]):
                return n_updates
            self._place_violation()
            self._collect_difference()
            for k in range(self.difference_keys.size()):
                self.scorer.weights.add(
                    self.difference_keys[k],
                    self.difference_labels[k],
                    self.difference_deltas[k],
                    time,
                )
            n_updates += 1
            if not resume:
                return n_updates
            for i in range(n):
                if self.right_labels[i] >= 0:
                    given[i] = self.right_labels[i]
