"""Finds trees for sentences: the face of the incremental search."""
import numpy as np

from libc.math cimport exp, log
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors
from .input cimport IncrementalInput
from .search cimport IncrementalSearch, Phrase


cdef class IncrementalParsing:
    """A parser over given weights.

    search (IncrementalSearch): The search.
    width (int): How many hypotheses it keeps.
    """

    def __init__(self, IncrementalSearch search, *, int width=16):
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        self.search = search
        self.width = width
        self.longest = 0
        search.scale_filter()

    @property
    def control(self):
        """RETURNS (Control): Lets other threads stop a search."""
        return self.search.control

    @property
    def lexemes(self):
        """RETURNS (LexemeTable): The words that sentences are made of."""
        return self.search.scorer.lexemes

    cdef int check(self, IncrementalInput words) except -1:
        """Refuse words of a shape that does not fit."""
        self.longest = max(self.longest, words.n_words)
        return words.check(
            self.search.scorer.n_tokens, self.search.scorer.lexemes.n_rows,
            self.search.grammar.n_phrases, self.search.grammar.n_symbols,
        )

    def nbest(self, IncrementalInput sentence, int k):
        """The k best trees of a sentence.

        sentence (IncrementalInput): The sentence; not empty.
        k (int): How many.
        RETURNS (list[tuple]): For each tree its score, its phrases in pre-order as rows of symbol,
            start and end (int32 array), and the reading of each word.
        """
        cdef int s
        cdef int32_t[::1] places
        self.check(sentence)
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.start(sentence, max(self.width, k))
                self.search.search()
        finally:
            self.search.control.leave()
        found = []
        for s in range(min(k, <int>self.search.states.size())):
            self.search.read_phrases(self.search.states[s].history, self.phrases)
            places = np.zeros(sentence.n_words, np.int32)
            self.search.read_places(self.search.states[s].history, &places[0])
            found.append((self.search.states[s].score, self._rows(), np.asarray(places)))
        return found

    def _rows(self):
        cdef int32_t[:, ::1] rows = np.zeros((self.phrases.size(), 3), np.int32)
        cdef size_t p
        for p in range(self.phrases.size()):
            rows[p, 0] = self.phrases[p].symbol
            rows[p, 1] = self.phrases[p].start
            rows[p, 2] = self.phrases[p].end
        return np.asarray(rows)

    def surprisal(self, IncrementalInput sentence):
        """How unexpected each word is after those before it: -log2 of its probability, from the
        summed probabilities of all hypotheses in the beam before and after it (Hale 2001, Roark
        et al. 2009). The scores must be log-probabilities.

        sentence (IncrementalInput): The sentence; not empty.
        RETURNS (float64 array): Bits for each word.
        """
        cdef double[::1] bits = np.zeros(sentence.n_words)
        cdef double before = 0, after
        cdef int i = 0
        if not self.search.scorer.is_probabilistic():
            raise ValueError(Errors.INCREMENTAL_SURPRISAL)
        self.check(sentence)
        self.search.control.enter()
        try:
            with nogil:
                self.search.scorer.load(sentence)
                self.search.start(sentence, self.width)
                while i < sentence.n_words and not self.search.beat() and self.search.step():
                    self.search.advance()
                    after = self._log_sum()
                    bits[i] = (before - after) / log(2.0)
                    before = after
                    i += 1
        finally:
            self.search.control.leave()
        return np.asarray(bits)

    cdef double _log_sum(self) noexcept nogil:
        """The log of the summed probabilities of all hypotheses."""
        cdef double total = 0, best = self.search.states[0].score
        cdef size_t s
        for s in range(self.search.states.size()):
            total += exp(self.search.states[s].score - best)
        return best + log(total)

    def rescored(self, int rank=0):
        """The score of a hypothesis in the final beam of the last search, computed anew.

        rank (int): Which one; 0 is the best.
        RETURNS (float): Its score.
        """
        cdef int32_t last
        cdef double score = 0
        cdef size_t n_cells = self.search.cells.size()
        if not 0 <= rank < <int>self.search.states.size():
            raise IndexError(rank)
        last = self.search.states[rank].history
        while last >= 0:
            self.search.replay(
                self.search.history[last].before, self.search.history[last].position,
                self.search.history[last].action, &score, NULL, 0
            )
            self.search.cells.resize(n_cells)
            last = self.search.history[last].previous
        return score
