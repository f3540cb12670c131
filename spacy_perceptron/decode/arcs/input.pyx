"""Words as a parser takes them: arrays, checked once."""
import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint64_t

from ...errors import Errors


cdef class ParsingInput:
    """The words of one or more sentences.

    rows (int32 array): Lexeme row of each word.
    tokens (uint64 array): A row of values per word, such as tags.
    marks (uint8 array): 1 for punctuation, 2 for a verb, 0 for other words.
    guides (Optional[int32 array]): The head that a guide gives each word: 0 for the root, -1 for
        unknown.
    """

    def __init__(self, rows, tokens, marks, guides=None):
        self.rows = np.ascontiguousarray(rows, dtype=np.int32)
        self.tokens = np.ascontiguousarray(tokens, dtype=np.uint64)
        self.marks = np.ascontiguousarray(marks, dtype=np.uint8)
        self.n_words = self.rows.shape[0]
        if guides is None:
            guides = np.full(self.n_words, -1)
        self.guides = np.ascontiguousarray(guides, dtype=np.int32)
        for name, n in (
            ("tokens", self.tokens.shape[0]),
            ("marks", self.marks.shape[0]),
            ("guides", self.guides.shape[0]),
        ):
            if n != self.n_words:
                raise ValueError(Errors.PARSING_INPUT.format(name=name, n=n, words=self.n_words))

    def cut(self, int start, int end):
        """Some of the words.

        start, end (int): The first one, and the one after the last.
        RETURNS (ParsingInput): These words; the arrays are the same.
        """
        if not 0 <= start <= end <= self.n_words:
            raise ValueError(Errors.PARSING_CUT.format(start=start, end=end, n=self.n_words))
        cdef ParsingInput part = ParsingInput.__new__(ParsingInput)
        part.n_words = end - start
        part.rows = self.rows[start:end]
        part.tokens = self.tokens[start:end]
        part.marks = self.marks[start:end]
        part.guides = self.guides[start:end]
        return part

    cdef int check_shape(self, int n_columns, int n_rows) except -1:
        """Refuse words of another shape.

        n_columns (int): The number of values per word.
        n_rows (int): The number of lexeme rows.
        """
        cdef int i
        if self.tokens.shape[1] != n_columns:
            raise ValueError(
                Errors.PARSING_COLUMNS.format(n=self.tokens.shape[1], expected=n_columns)
            )
        for i in range(self.n_words):
            if not 0 <= self.rows[i] < n_rows:
                raise ValueError(Errors.PARSING_ROW.format(row=self.rows[i], n=n_rows))
        return 0

    cdef int check_starts(self, const int32_t[::1] starts) except -1:
        """Refuse sentence starts that do not rise from 0 to the number of words.

        RETURNS (int): The length of the longest sentence.
        """
        cdef int i, n = <int>starts.shape[0], longest = 0
        if n < 1 or starts[0] != 0 or starts[n - 1] != self.n_words:
            raise ValueError(Errors.PARSING_STARTS.format(n=self.n_words))
        for i in range(1, n):
            if starts[i] < starts[i - 1]:
                raise ValueError(Errors.PARSING_STARTS.format(n=self.n_words))
            longest = max(longest, starts[i] - starts[i - 1])
        return longest

    cdef int check_gold(
        self, const int32_t[::1] heads, const int32_t[::1] labels, int n_labels
    ) except -1:
        """Refuse gold heads and labels that do not exist."""
        cdef int n = self.n_words, i
        if heads.shape[0] != n or labels.shape[0] != n:
            raise ValueError(
                Errors.PARSING_GOLD.format(n=n, heads=heads.shape[0], labels=labels.shape[0])
            )
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
