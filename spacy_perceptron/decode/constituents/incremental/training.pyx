"""Online training of incremental parsers: early update (Collins & Roark 2004) or the greatest
violation (Huang, Fayong & Guo 2012), with perceptron or passive-aggressive steps.

An action that the grammar lacks never gets into the beam, so the early update happens at its word.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.mira cimport Feature, merge
from ...search.violation cimport Violation
from .cells cimport NONE
from .input cimport IncrementalInput
from .parsing cimport IncrementalParsing
from .search cimport END, Action, IncrementalSearch

UPDATES = ("early", "max_violation")


cdef class IncrementalTraining:
    """Learns from one sentence at a time.

    parsing (IncrementalParsing): The parser to train; its weights must be trainable.
    """

    def __init__(self, IncrementalParsing parsing):
        if not parsing.search.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        self.parsing = parsing
        self.search = parsing.search
        self.violation = Violation(self.search)

    def learn(
        self, IncrementalInput sentence, const int32_t[:, ::1] actions, double time, *,
        str update="max_violation", double limit=INFINITY, double margin=1.0,
        bint augmented=False, bint mira=True
    ):
        """Learn from a sentence.

        sentence (IncrementalInput): The sentence.
        actions (int32 array): For each word, how many nodes are closed before it, what the last of
            them is wrapped in (-1 for nothing), the chain opened and the reading of the word.
        time (float): Number of examples finished before this one.
        update (str): `early` or `max_violation`.
        limit (float): Largest passive-aggressive step.
        margin (float): By how much the correct tree should win for each wrong action.
        augmented (bool): Add the margin to the scores of wrong actions during the search.
        mira (bool): Passive-aggressive steps if true, else steps of one.
        RETURNS (int): Wrong actions of the hypothesis that was punished, 0 if there was none.
        """
        if update not in UPDATES:
            raise ValueError(Errors.ATTACHMENT_UPDATE.format(value=update))
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        self.parsing.check(sentence)
        self._set_gold(sentence, actions)
        self.violation.forget()
        if sentence.n_words == 0:
            return 0
        cdef int mistakes = 0
        cdef bint early = update == "early"
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.bonus = <float>margin if augmented else 0
                self.search.has_gold = True
                self.search.start(sentence, self.parsing.width)
                self.violation.find(not early)
                self.search.bonus = 0
                # A wrapping may be dropped before it is scored in full, so the correct sequence can
                # leave the beam although it is ahead: that is no violation.
                if (
                    self.violation.predicted >= 0
                    and self.violation.predicted_score >= self.violation.correct_score
                ):
                    mistakes = self._update(
                        0 if augmented else margin, limit if mira else -1, time
                    )
                self.search.has_gold = False
        finally:
            self.search.control.leave()
        return mistakes

    def _set_gold(self, IncrementalInput sentence, const int32_t[:, ::1] actions):
        """Take the correct actions, checked: they must not lead out of the tree."""
        cdef int i, n = sentence.n_words, depth = 0
        cdef Action action
        cdef int n_chains = <int>self.search.grammar.chains.size()
        if actions.shape[0] != n or actions.shape[1] != 4:
            raise ValueError(Errors.INCREMENTAL_ACTIONS)
        self.search.gold.clear()
        for i in range(n):
            action.n_closed = actions[i, 0]
            action.wrapping = actions[i, 1]
            action.chain = actions[i, 2]
            action.place = actions[i, 3]
            is_sound = 0 <= action.n_closed <= depth and 0 <= action.chain < n_chains
            is_sound = is_sound and NONE <= action.wrapping < self.search.grammar.n_phrases
            is_sound = is_sound and (action.wrapping == NONE or action.n_closed > 0)
            is_sound = is_sound and sentence.starts[i] <= action.place < sentence.starts[i + 1]
            if not is_sound:
                raise ValueError(Errors.INCREMENTAL_ACTIONS)
            depth -= action.n_closed
            depth += (action.wrapping != NONE) + <int>self.search.grammar.chains[action.chain].size()
            self.search.gold.push_back(action)
        action.n_closed = depth + 1
        action.wrapping = NONE
        action.chain = END
        action.place = sentence.starts[n]
        self.search.gold.push_back(action)

    cdef void _trace(self, int32_t last, vector[int32_t]& path) noexcept nogil:
        """Collect the steps that lead up to one, last to first."""
        path.clear()
        while last >= 0:
            path.push_back(last)
            last = self.search.history[last].previous

    cdef int _compare(self) noexcept nogil:
        """Features of the correct sequence minus those of the predicted one.

        RETURNS (int): The number of wrong actions, at least 1.
        """
        cdef int side, n, k, mistakes = 0
        cdef int32_t step
        cdef Action a, b
        cdef size_t n_cells = self.search.cells.size()
        self.features.clear()
        self._trace(self.violation.correct, self.paths[0])
        self._trace(self.violation.predicted, self.paths[1])
        n = <int>self.paths[0].size()
        while n and self.paths[0][n - 1] == self.paths[1][n - 1]:
            n -= 1
        for side in range(2):
            for k in range(n):
                step = self.paths[side][k]
                self.search.replay(
                    self.search.history[step].before, self.search.history[step].position,
                    self.search.history[step].action, NULL, &self.features, 1 - 2 * side
                )
                self.search.cells.resize(n_cells)
        for k in range(n):
            a = self.search.history[self.paths[0][k]].action
            b = self.search.history[self.paths[1][k]].action
            mistakes += not self.search._same(a, b)
        merge(self.features)
        return max(mistakes, 1)

    cdef int _update(self, double margin, double limit, double time) noexcept nogil:
        """Move the weights.

        RETURNS (int): The number of wrong actions.
        """
        cdef int mistakes = self._compare()
        cdef double step = 1, norm = 0
        cdef size_t k
        if limit >= 0:
            for k in range(self.features.size()):
                norm += self.features[k].value * self.features[k].value
            step = self.violation.predicted_score - self.violation.correct_score
            step = min(limit, max(0, step + margin * mistakes) / norm) if norm > 0 else 0
        for k in range(self.features.size()):
            self.search.scorer.weights.add(
                self.features[k].id, <float>(step * self.features[k].value), time
            )
        return mistakes
