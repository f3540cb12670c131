"""Attributes of word types, computed once per type and kept as a matrix of 64-bit values.

Words are identified by spaCy's string hash. Rows 0 and 1 stand for the places before and after a
sentence, so that contexts need no bounds checks. The table is bounded. One that a single decoder
reads starts over when it is full (`lookup`), and `generation` tells caches built on row numbers
that they are stale. One that several decoders read only grows (`extend`): rows are added with the
interpreter's lock, in memory that never moves, while other threads read earlier rows without it.
"""
import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..errors import Errors


cdef class LexemeTable:
    """Word hash -> row of attribute values.

    n_attributes (int): Number of attributes per word.
    max_rows (int): Bound on the number of rows.
    """

    def __init__(self, int n_attributes, *, int max_rows=1 << 15):
        self.n_attributes = n_attributes
        self.max_rows = max(max_rows, FIRST_ROW + 1)
        self.generation = -1
        self.clear()

    def clear(self):
        """Forget all words and start a new generation."""
        cdef size_t n_slots = 1024
        while n_slots < 2 * <size_t>self.max_rows:
            n_slots *= 2
        self.keys.assign(n_slots, 0)
        self.rows.assign(n_slots, -1)
        self.mask = n_slots - 1
        # Up to that number, rows stay where they are.
        self.values.reserve(<size_t>self.n_attributes * self.max_rows)
        self.values.assign(<size_t>self.n_attributes * FIRST_ROW, 0)
        for a in range(self.n_attributes):
            self.values[BEFORE * self.n_attributes + a] = 1
            self.values[AFTER * self.n_attributes + a] = 2
        self.n_rows = FIRST_ROW
        self.generation += 1

    cdef size_t _find(self, uint64_t key) noexcept nogil:
        cdef size_t i = (key ^ (key >> 32)) & self.mask
        while self.rows[i] >= 0 and self.keys[i] != key:
            i = (i + 1) & self.mask
        return i

    cdef const uint64_t* attributes(self, int row) noexcept nogil:
        return &self.values[<size_t>row * self.n_attributes]

    def lookup(self, const uint64_t[::1] orths, compute):
        """Rows of some words, adding those not yet known. If there is no room, the table starts
        over: not for tables that several decoders read.

        orths (uint64 array): Word hashes.
        compute (Callable): Word hash -> sequence of attribute values.
        RETURNS (int32 array): One row number per word, valid in the current generation.
        """
        found = np.empty(orths.shape[0], dtype=np.int32)
        cdef int missing = self._find_all(orths, found)
        cdef int32_t[::1] out = found
        cdef Py_ssize_t i
        if not missing:
            return found
        if self.n_rows + missing > self.max_rows and self.n_rows > FIRST_ROW:
            self.clear()
        for i in range(orths.shape[0]):
            out[i] = self._add(orths[i], compute, False)
        return found

    def extend(self, const uint64_t[::1] orths, compute):
        """Rows of some words, adding those not yet known to the end of the table.

        orths (uint64 array): Word hashes.
        compute (Callable): Word hash -> sequence of attribute values.
        RETURNS (Optional[int32 array]): One row number per word, or None if there is no room for
            all of them.
        """
        found = np.empty(orths.shape[0], dtype=np.int32)
        cdef int32_t[::1] out = found
        cdef Py_ssize_t i
        if self._find_all(orths, found):
            for i in range(orths.shape[0]):
                if out[i] < 0:
                    out[i] = self._add(orths[i], compute, True)
                    if out[i] < 0:
                        return None
        return found

    cdef int _find_all(self, const uint64_t[::1] orths, int32_t[::1] found) noexcept:
        """Find the rows of words, -1 for new ones.

        RETURNS (int): How many are new, repetitions included.
        """
        cdef Py_ssize_t i
        cdef int missing = 0
        for i in range(orths.shape[0]):
            found[i] = self.rows[self._find(orths[i])]
            missing += found[i] < 0
        return missing

    cdef int32_t _add(self, uint64_t orth, compute, bint in_place) except -2:
        """The row of a word, added if it is new.

        in_place (bint): Whether rows must stay where they are.
        RETURNS (int32_t): The row; -1 if there is no room in place.
        """
        cdef size_t slot = self._find(orth)
        cdef vector[uint64_t] row
        if self.rows[slot] >= 0:
            return self.rows[slot]
        row = compute(orth)
        if row.size() != <size_t>self.n_attributes:
            raise ValueError(
                Errors.LEXEME_VALUES.format(n=row.size(), expected=self.n_attributes)
            )
        # Meanwhile, other threads may have added words, this one among them. From here on none of
        # them runs.
        slot = self._find(orth)
        if self.rows[slot] >= 0:
            return self.rows[slot]
        if self.n_rows >= self.max_rows:
            if in_place:
                return -1
            if 2 * <size_t>self.n_rows >= self.keys.size():
                self._rehash()
                slot = self._find(orth)
        self.values.insert(self.values.end(), row.begin(), row.end())
        self.keys[slot] = orth
        self.rows[slot] = self.n_rows
        self.n_rows += 1
        return self.rows[slot]

    def _rehash(self):
        """Make room for a call with more distinct words than max_rows."""
        pairs = [(self.keys[i], self.rows[i]) for i in range(self.keys.size()) if self.rows[i] >= 0]
        cdef size_t n_slots = 2 * self.keys.size()
        self.keys.assign(n_slots, 0)
        self.rows.assign(n_slots, -1)
        self.mask = n_slots - 1
        cdef size_t slot
        for key, row in pairs:
            slot = self._find(key)
            self.keys[slot] = key
            self.rows[slot] = row

    def row_values(self, int row):
        """Attribute values of one row, as a list of integers."""
        return [self.values[<size_t>row * self.n_attributes + a] for a in range(self.n_attributes)]

    def __reduce__(self):
        # The contents can be computed again; only the shape matters.
        return _rebuild, (self.n_attributes, self.max_rows)


def _rebuild(n_attributes, max_rows):
    return LexemeTable(n_attributes, max_rows=max_rows)
