# cython: auto_pickle=False
"""Online training of incremental parsers: early update (Collins & Roark 2004) or the greatest
violation (Huang, Fayong & Guo 2012), with perceptron or passive-aggressive steps; and the repeated
use of hypotheses of the former paper.

An action that the grammar lacks never gets into the beam, so the early update happens at its word.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors
from ....learn.mira cimport Feature, merge
from ...search.beam cimport Candidate
from ...search.violation cimport Violation
from .cache cimport HypothesisCache
from .input cimport IncrementalInput
from .parsing cimport IncrementalParsing
from .search cimport Action, IncrementalSearch

# How many sentences may pass until the filter is adapted to the weights.
SCALE_EVERY = 256
UPDATES = ("early", "max_violation", "final")


cdef class IncrementalTraining:
    """Learns from one sentence at a time.

    parsing (IncrementalParsing): The parser to train; its weights must be trainable.
    cache (HypothesisCache | None): Takes the hypotheses of early updates, to use them again.
    """

    def __init__(self, IncrementalParsing parsing, *, HypothesisCache cache=None):
        if not parsing.search.scorer.weights.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        if cache is not None and cache.weights is not parsing.search.scorer.weights:
            raise ValueError(Errors.INCREMENTAL_CACHE)
        self.parsing = parsing
        self.cache = cache
        self.n_cache_updates = 0
        self.scaled_at = -SCALE_EVERY
        self.search = parsing.search
        self.violation = Violation(self.search)

    def learn(
        self, IncrementalInput sentence, const int32_t[:, ::1] actions, double time, *,
        str update="max_violation", double limit=INFINITY, double margin=1.0,
        bint augmented=False, bint mira=True, int32_t entry=0
    ):
        """Learn from a sentence.

        sentence (IncrementalInput): The sentence.
        actions (int32 array): For each word, how many nodes are closed before it, what the last of
            them is wrapped in (-1 for nothing), the chain opened and the reading of the word.
        time (float): Number of examples finished before this one.
        update (str): `early` or `max_violation`; or `final`, which compares whole trees even if the
            search has lost the correct one.
        limit (float): Largest passive-aggressive step.
        margin (float): By how much the correct tree should win for each wrong action.
        augmented (bool): Add the margin to the scores of wrong actions during the search.
        mira (bool): Passive-aggressive steps if true, else steps of one.
        entry (int): The number of the sentence in the cache.
        RETURNS (int): Wrong actions of the hypothesis that was punished, 0 if there was none.
        """
        if update not in UPDATES:
            raise ValueError(Errors.INCREMENTAL_UPDATE.format(value=update))
        if not 0 <= margin < INFINITY:
            raise ValueError(Errors.LEARN_MARGIN.format(value=margin))
        if self.cache is not None and (update != "early" or augmented or entry < 0):
            raise ValueError(Errors.INCREMENTAL_CACHE)
        self.n_cache_updates = 0
        self.parsing.check(sentence)
        self.search.take_gold(sentence, actions)
        self.violation.forget()
        if sentence.n_words == 0:
            return 0
        # Other trainings may move the same weights, so sentences learned here are not counted.
        if not 0 <= time - self.scaled_at < SCALE_EVERY:
            self.search.scale_filter()
            self.scaled_at = time
        cdef int mistakes = 0
        cdef bint early = update == "early", final = update == "final"
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.bonus = <float>margin if augmented else 0
                self.search.has_gold = True
                self.search.start(sentence, self.parsing.width)
                if final:
                    self._compare_trees()
                else:
                    self.violation.find(not early)
                self.search.bonus = 0
                if self.cache is not None:
                    self._fill_cache(entry)
                # A wrapping may be dropped before it is scored in full, so the correct sequence can
                # leave the beam although it is ahead: that is no violation.
                if self.violation.predicted >= 0 and (
                    final or self.violation.predicted_score >= self.violation.correct_score
                ):
                    mistakes = self._update(
                        0 if augmented else margin, limit if mira else -1, time
                    )
                if self.cache is not None:
                    self.n_cache_updates = self.cache.revise(time)
                self.search.has_gold = False
        finally:
            self.search.control.leave()
        return mistakes

    cdef void _compare_trees(self) noexcept nogil:
        """Take the best hypothesis at the end of the search, and the correct one."""
        cdef Candidate action
        cdef int i, n_steps
        self.search.search()
        n_steps = self.search.position
        if self.search.states[0].correct:
            return
        self.search.follows = True
        for i in range(n_steps):
            self.search.position = i
            self.search.find_correct(&action)
            self.search.follow(action)
        self.violation.correct = self.search.followed.history
        self.violation.correct_score = self.search.followed.score
        self.violation.predicted = self.search.states[0].history
        self.violation.predicted_score = self.search.states[0].score

    cdef void _trace(self, int32_t last, vector[int32_t]& path) noexcept nogil:
        """Collect the steps that lead up to one, last to first."""
        path.clear()
        while last >= 0:
            path.push_back(last)
            last = self.search.history[last].previous

    cdef int _compare(self, int32_t correct, int32_t predicted) noexcept nogil:
        """Features of the correct sequence minus those of the predicted one.

        correct, predicted: Their last steps.
        RETURNS (int): The number of wrong actions, at least 1.
        """
        cdef int side, n, k, mistakes = 0
        cdef int32_t step
        cdef Action a, b
        cdef size_t n_cells = self.search.cells.size()
        self.features.clear()
        self._trace(correct, self.paths[0])
        self._trace(predicted, self.paths[1])
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
        cdef int mistakes = self._compare(self.violation.correct, self.violation.predicted)
        cdef double step = 1, norm = 0
        cdef float change
        cdef size_t k
        if limit >= 0:
            for k in range(self.features.size()):
                norm += self.features[k].value * self.features[k].value
            step = self.violation.predicted_score - self.violation.correct_score
            step = min(limit, max(0, step + margin * mistakes) / norm) if norm > 0 else 0
        for k in range(self.features.size()):
            change = <float>(step * self.features[k].value)
            if self.cache is not None:
                self.cache.add(self.features[k].id, change, time)
            else:
                self.search.scorer.weights.add(self.features[k].id, change, time)
        return mistakes

    cdef void _fill_cache(self, int32_t entry) noexcept nogil:
        """Store what is left in the beam, compared with the correct sequence up to there."""
        cdef int32_t correct = self.violation.correct
        cdef double score = self.violation.correct_score, offset
        cdef size_t s, f
        self.cache.open(entry)
        for s in range(self.search.states.size()):
            if correct < 0 and self.search.states[s].correct:
                correct, score = self.search.states[s].history, self.search.states[s].score
        if correct < 0:
            return
        for s in range(self.search.states.size()):
            if self.search.states[s].correct:
                continue
            self._compare(correct, self.search.states[s].history)
            offset = 0
            if self.search.scorer.is_generative:
                offset = score - self.search.states[s].score
                for f in range(self.features.size()):
                    offset -= self.features[f].value * self.search.scorer.weights.weights[
                        self.features[f].id & self.search.scorer.weights.mask
                    ]
            self.cache.store(entry, self.features, offset)
