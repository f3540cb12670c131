"""Words as an incremental parser takes them: arrays, checked once.

A word has one or more readings, the tagger's first: a reading is a tag, and what depends on it.
"""
import numpy as np

from libc.stdint cimport int32_t

from ....errors import Errors


cdef class IncrementalInput:
    """The words of one or more sentences.

    rows (int32 array): Lexeme row of each word.
    starts (int32 array): First reading of each word, then the number of readings.
    tags (int32 array): The tag of each reading, a symbol of the grammar.
    tokens (uint64 array): A row of values per reading.
    scores (float32 array | None): What is added to the score of a tree that has the reading, for
        parsers that use it.
    brackets (int32 array | None): What others predict of spans, for parsers that use it: start, end
        and, as bits, who says that they are phrases. No span comes twice.
    """

    def __init__(self, rows, starts, tags, tokens, scores=None, brackets=None):
        self.rows = np.ascontiguousarray(rows, dtype=np.int32)
        self.starts = np.ascontiguousarray(starts, dtype=np.int32)
        self.tags = np.ascontiguousarray(tags, dtype=np.int32)
        self.tokens = np.ascontiguousarray(tokens, dtype=np.uint64)
        self.n_words = self.rows.shape[0]
        n_readings = self.tags.shape[0]
        is_sound = self.starts.shape[0] == self.n_words + 1 and self.starts[0] == 0
        is_sound = is_sound and self.starts[self.n_words] == n_readings == self.tokens.shape[0]
        self.scores = None
        if scores is not None:
            self.scores = np.ascontiguousarray(scores, dtype=np.float32)
            is_sound = is_sound and self.scores.shape[0] == n_readings
            is_sound = is_sound and np.isfinite(np.asarray(self.scores)).all()
        self.brackets = None
        if brackets is not None:
            self.brackets = np.ascontiguousarray(brackets, dtype=np.int32).reshape(-1, 3)
            spans = np.asarray(self.brackets)
            is_sound = is_sound and (0 <= spans[:, 0]).all() and (spans[:, 0] < spans[:, 1]).all()
            is_sound = is_sound and (spans[:, 1] <= self.n_words).all()
        firsts = np.asarray(self.starts)
        if not is_sound or not (firsts[:self.n_words] < firsts[1:]).all():
            raise ValueError(Errors.INCREMENTAL_INPUT)

    def cut(self, int start, int end):
        """Some of the words.

        start, end (int): The first one, and the one after the last.
        RETURNS (IncrementalInput): These words.
        """
        if not 0 <= start <= end <= self.n_words:
            raise ValueError(Errors.PARSING_CUT.format(start=start, end=end, n=self.n_words))
        cdef IncrementalInput part = IncrementalInput.__new__(IncrementalInput)
        first, last = self.starts[start], self.starts[end]
        part.n_words = end - start
        part.rows = self.rows[start:end]
        part.starts = np.asarray(self.starts)[start:end + 1] - first
        part.tags = self.tags[first:last]
        part.tokens = self.tokens[first:last]
        part.scores = None if self.scores is None else self.scores[first:last]
        part.brackets = None
        if self.brackets is not None:
            rows = np.asarray(self.brackets)
            own = rows[(rows[:, 0] >= start) & (rows[:, 1] <= end)]
            part.brackets = np.ascontiguousarray(own - np.array([start, start, 0], np.int32))
        return part

    def cut_sentences(self, starts, int first, int last):
        """Some of the sentences.

        starts (int32 array): The first word of each sentence, then the number of words.
        first, last (int): The first sentence, and the one after the last.
        RETURNS (tuple[IncrementalInput, int32 array]): Their words, and where they start there.
        """
        own = starts[first:last + 1]
        return self.cut(own[0], own[last - first]), own - own[0]

    cdef int check(self, int n_columns, int n_rows, int first_tag, int last_tag) except -1:
        """Refuse words that do not fit.

        n_columns (int): The number of values per reading.
        n_rows (int): The number of lexeme rows.
        first_tag, last_tag (int): The lowest tag, and the one after the highest.
        """
        cdef int i
        if self.tokens.shape[1] != n_columns:
            raise ValueError(
                Errors.PARSING_COLUMNS.format(n=self.tokens.shape[1], expected=n_columns)
            )
        for i in range(self.n_words):
            if not 0 <= self.rows[i] < n_rows:
                raise ValueError(Errors.INCREMENTAL_INPUT)
        for i in range(self.tags.shape[0]):
            if not first_tag <= self.tags[i] < last_tag:
                raise ValueError(Errors.INCREMENTAL_INPUT)
        return 0
