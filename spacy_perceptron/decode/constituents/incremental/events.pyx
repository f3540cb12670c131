"""Reads the events of given trees, which generative models are estimated from."""
import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from .input cimport IncrementalInput
from .parsing cimport IncrementalParsing
from .scorer cimport EventScorer
from .search cimport IncrementalSearch


cdef class EventReader:
    """Finds the events that build a tree.

    parsing (IncrementalParsing): A parser whose program has contexts.
    """
    cdef readonly IncrementalParsing parsing
    cdef vector[Feature] unused

    def __init__(self, IncrementalParsing parsing):
        self.parsing = parsing

    def read(self, IncrementalInput sentence, const int32_t[:, ::1] actions):
        """Read the events of a sentence.

        sentence (IncrementalInput): The sentence.
        actions (int32 array): The correct actions, as `IncrementalTraining.learn` takes them.
        RETURNS (tuple[array, array]): The events of nodes and those of words: the values of their
            contexts, then their outcomes.
        """
        cdef int32_t top = 0
        cdef size_t i
        cdef IncrementalSearch search = self.parsing.search
        cdef EventScorer scorer = search.scorer
        self.parsing.check(sentence)
        search.take_gold(sentence, actions)
        scorer.recorded[0].clear()
        scorer.recorded[1].clear()
        search.control.enter()
        try:
            with nogil:
                scorer.load(sentence)
                search.start(sentence, 1)
                scorer.records = True
                for i in range(search.gold.size()):
                    top = search.replay(top, <int>i, search.gold[i], NULL, &self.unused, 0)
                    self.unused.clear()
                scorer.records = False
        finally:
            search.control.leave()
        return self._rows(0), self._rows(1)

    def _rows(self, int group):
        cdef size_t k
        cdef EventScorer scorer = self.parsing.search.scorer
        cdef uint64_t[::1] values = np.zeros(scorer.recorded[group].size(), np.uint64)
        for k in range(scorer.recorded[group].size()):
            values[k] = scorer.recorded[group][k]
        return np.asarray(values).reshape(-1, scorer.contexts[group].size() + 1)
