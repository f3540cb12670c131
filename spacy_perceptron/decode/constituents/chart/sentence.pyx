"""A sentence as a chart sees it: the symbols that each word may have, with scores."""
import numpy as np

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors


@cython.final
cdef class TaggedWords:
    """Words with symbols.

    starts (array): Where the symbols of each word start, and where those of the last one end.
    symbols (array): The symbols of the words, one after the other; no word has one twice.
    scores (array): The score of each.
    """

    def __init__(self, starts=(0,), symbols=(), scores=()):
        starts = np.asarray(starts, dtype=np.int64)
        symbols = np.asarray(symbols, dtype=np.int64)
        scores = np.asarray(scores, dtype=np.float32)
        in_order = len(starts) > 0 and starts[0] == 0 and (np.diff(starts) >= 0).all()
        if not in_order or not starts[len(starts) - 1] == len(symbols) == len(scores):
            raise ValueError(Errors.CHART_WORDS)
        if not np.isfinite(scores).all():
            raise ValueError(Errors.GRAMMAR_NOT_FINITE)
        self.n_words = len(starts) - 1
        self.starts = starts
        self.symbols = symbols
        self.scores = scores

    def check(self, int n_symbols):
        """Refuse symbols that a grammar does not have.

        n_symbols (int): The number of the grammar's symbols.
        """
        for symbol in self.symbols:
            if not 0 <= symbol < n_symbols:
                raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=symbol, n=n_symbols))

    cdef void project(
        self, TaggedWords words, const int32_t* classes, int n_classes
    ) noexcept nogil:
        """Become a sentence in which classes of symbols take the place of symbols, each with the
        score of its best symbol.

        words (TaggedWords): The sentence with symbols.
        classes (int32_t*): The class of each symbol.
        n_classes (int): The number of classes.
        """
        cdef int i, at, c, first
        cdef vector[int32_t] places
        places.assign(n_classes, -1)
        self.n_words = words.n_words
        self.starts.clear()
        self.symbols.clear()
        self.scores.clear()
        self.starts.push_back(0)
        for i in range(words.n_words):
            first = <int>self.symbols.size()
            for at in range(words.starts[i], words.starts[i + 1]):
                c = classes[words.symbols[at]]
                if places[c] < first:
                    places[c] = <int>self.symbols.size()
                    self.symbols.push_back(c)
                    self.scores.push_back(-INFINITY)
                self.scores[places[c]] = max(self.scores[places[c]], words.scores[at])
            self.starts.push_back(<int>self.symbols.size())
