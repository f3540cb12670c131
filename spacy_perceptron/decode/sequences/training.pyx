"""Valid perceptron updates for tagging by beam search (Ma, Zhu, Xiao, Yang 2013, Algorithm 2).

`Violation` finds where the search goes wrong; the features of the correct sequence up to there are
rewarded, those of the predicted one punished.

Deviations from the paper: words without a gold tag accept any tag; with `resume` the search
continues from the correct partial tagging after an update, as in LaSO (Daumé & Marcu 2005), and
each further update is valid in the same sense; with a margin, the scores of gold tags are lowered
by it during the search, and updates are valid in terms of these scores; with `max_violation` the
update is made where the predicted sequence is furthest ahead (Huang, Fayong, Guo 2012).

Cost: that of the search and, for an update, of the features at the positions that differ.
"""
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...features.extract cimport DROPPED
from ..search.violation cimport Violation
from .scorer cimport PAD
from .search cimport Action, TaggingSearch


cdef class TaggingTraining:
    """Finds violations and updates weights. Arguments are not checked.

    search (TaggingSearch): The search.
    max_violation (bool): Update at the greatest violation instead of the first.
    """

    def __init__(self, TaggingSearch search, *, bint max_violation=False):
        self.search = search
        self.max_violation = max_violation
        self.rows = search.rows
        self.scorer = search.rows.scorer
        self.violation = Violation(search)

    cdef bint find(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin
    ) noexcept nogil:
        """Search a sentence for a violation, with every gold tag handicapped by the margin.

        RETURNS (bint): Whether there is one. If given tags leave no correct answer, there is
            nothing to learn.
        """
        self.rows.load(rows, fixed, n, width)
        self.rows.handicap(gold, margin)
        self.search.start(width, gold, False)
        if not self.violation.find(self.max_violation) and self.search.states[0].correct:
            self.violation.forget()
        return self.violation.predicted >= 0

    cdef int learn(
        self, const int32_t* rows, const int32_t* gold, const int32_t* fixed, int n, int width,
        float margin, double time, bint resume
    ) except -1:
        """Update the scorer's weights on one sentence.

        RETURNS (int): Number of updates.
        """
        cdef int n_updates = 0, i
        cdef size_t k
        cdef vector[int32_t] given
        given.assign(n, -1)
        if fixed != NULL:
            given.assign(fixed, fixed + n)
        while self.find(rows, gold, given.data(), n, width, margin):
            self.clear_places()
            self._place_history(True, self.violation.correct)
            self._place_history(False, self.violation.predicted)
            self.collect()
            for k in range(self.difference_keys.size()):
                self.scorer.weights.add(
                    self.difference_keys[k],
                    self.difference_labels[k],
                    self.difference_deltas[k],
                    time,
                )
            n_updates += 1
            if not resume:
                break
            for i in range(n):
                if self.right_labels[i] >= 0:
                    given[i] = self.right_labels[i]
        return n_updates

    # --- The difference of two sequences ---------------------------------------------------

    cdef void clear_places(self) noexcept nogil:
        self.right_labels.assign(self.rows.n, -1)
        self.wrong_labels.assign(self.rows.n, -1)
        self.right_contexts.resize(self.rows.n)
        self.wrong_contexts.resize(self.rows.n)

    cdef void place(self, bint correct, int i, int label, uint64_t context) noexcept nogil:
        """Put an action of the correct or of the predicted sequence at its position."""
        if correct:
            self.right_labels[i] = label
            self.right_contexts[i] = context
        else:
            self.wrong_labels[i] = label
            self.wrong_contexts[i] = context

    cdef void _place_history(self, bint correct, int32_t last) noexcept nogil:
        cdef Action action
        while last >= 0:
            action = self.search.history[last]
            self.place(correct, action.position, action.label, self.rows.contexts[action.row])
            last = action.previous

    cdef void collect(self) noexcept nogil:
        """Features of the correct minus those of the predicted actions, without what cancels."""
        cdef int i, right, wrong
        self.difference_keys.clear()
        self.difference_labels.clear()
        self.difference_deltas.clear()
        for i in range(self.rows.n):
            right = self.right_labels[i]
            wrong = self.wrong_labels[i]
            if right == wrong:
                if right >= 0 and self.right_contexts[i] != self.wrong_contexts[i]:
                    self._collect_context_change(i, right)
                continue
            if right >= 0:
                self._collect_action(i, right, self.right_contexts[i], 1.0)
            if wrong >= 0:
                self._collect_action(i, wrong, self.wrong_contexts[i], -1.0)

    cdef void _collect_action(
        self, int i, int label, uint64_t context, float delta
    ) noexcept nogil:
        """All features of one action."""
        cdef const int32_t* rows = &self.rows.padded[PAD]
        self._collect_ids(self.scorer.static_ids(rows, i), label, delta)
        self._collect_ids(self.scorer.dynamic_ids(rows, i, context), label, delta)

    cdef void _collect_context_change(self, int i, int label) noexcept nogil:
        """Features of one tag given in two contexts: those that differ."""
        cdef const int32_t* rows = &self.rows.padded[PAD]
        cdef int k, n_ids = self.scorer.dynamic_ids(rows, i, self.right_contexts[i])
        self.context_ids.assign(self.scorer.ids.data(), self.scorer.ids.data() + n_ids)
        self.scorer.dynamic_ids(rows, i, self.wrong_contexts[i])
        for k in range(n_ids):
            if self.context_ids[k] != self.scorer.ids[k]:
                self._collect_id(self.context_ids[k], label, 1.0)
                self._collect_id(self.scorer.ids[k], label, -1.0)

    cdef void _collect_ids(self, int n_ids, int label, float delta) noexcept nogil:
        cdef int k
        for k in range(n_ids):
            self._collect_id(self.scorer.ids[k], label, delta)

    cdef void _collect_id(self, uint64_t key, int label, float delta) noexcept nogil:
        if key != DROPPED:
            self.difference_keys.push_back(key)
            self.difference_labels.push_back(label)
            self.difference_deltas.push_back(delta)
