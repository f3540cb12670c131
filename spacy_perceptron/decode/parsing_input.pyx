"""Words as a parser's decoder takes them: arrays, checked once."""
import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint64_t

from ..errors import Errors


cdef class ParsingInput:
    """The words of a sentence, or of several ones.

    rows (int32 array): Lexeme row of each word.
    tokens (uint64 array): A row of values per word, such as tags.
    marks (uint8 array): Per word 1 for punctuation, 2 for a verb, 0 for others.
    guides (int32 array): A guide's head per word, 0 for the root, -1 for none; or None.
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
