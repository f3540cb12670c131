"""Conditional probabilities P(outcome | c1, ..., cD) by interpolated back-off, for search.

The distribution given the first d values of a context is interpolated with the one given the first
d - 1 values (Jelinek & Mercer 1980):

    P_d(x | c1..cd) = w f(x | c1..cd) + (1 - w) P_{d-1}(x | c1..c(d-1))

with relative frequencies f and a weight w for each context, both from `interpolation`. Below P_0
there is a constant floor, so nothing has probability 0. An outcome seen in a context was also seen
in each of its prefixes: the interpolated probability of each such pair is computed once, when the
model is made. A look-up multiplies the shares 1 - w of the contexts that never saw the outcome, and
ends at the first one that did.

A search asks for many outcomes in one context: `prepare` finds the rows of all prefixes once, a
hash look-up each, then `probability` costs a binary search in one or a few rows. A model never
changes, so any number of threads can read it. Memory: 12 bytes per pair of a context and an
outcome, and about 64 per context.
"""
import numpy as np


from libc.float cimport DBL_MIN
from libc.math cimport log
from libc.stdint cimport uint32_t, uint64_t

from ..errors import Errors
from ..features.hashing cimport mix

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define SP_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define SP_PREFETCH(address) ((void)0)
    #endif
    """
    void SP_PREFETCH(const void* address) noexcept nogil

MAX_ENTRIES = 1 << 31

cdef uint64_t EMPTY_PREFIX = 0x9E3779B97F4A7C15


cdef inline uint64_t _extend(uint64_t prefix, uint64_t value) noexcept nogil:
    """The key of a prefix that is one value longer."""
    return mix(prefix * 31 + mix(value + 1))


def prefix_keys(const uint64_t[:, ::1] contexts):
    """Number the prefixes of contexts.

    contexts (uint64 array): The values of each context: [n, depth].
    RETURNS (uint64 array): One key per prefix: [n, depth + 1], the empty one first.
    """
    cdef Py_ssize_t i, d
    keys = np.empty((contexts.shape[0], contexts.shape[1] + 1), np.uint64)
    cdef uint64_t[:, ::1] view = keys
    for i in range(contexts.shape[0]):
        view[i, 0] = EMPTY_PREFIX
        for d in range(contexts.shape[1]):
            view[i, d + 1] = _extend(view[i, d], contexts[i, d])
    return keys


cdef class BackoffModel:
    """A smoothed conditional distribution. See `interpolation.fit_backoff`, which makes one.

    depth (int): Number of values in a context; 0 to 31.
    floor (float): The probability of all outcomes below the empty context.
    keys (uint64 array): The keys of the contexts seen, as `prefix_keys` numbers them.
    lengths (uint32 array): How many outcomes were seen in each.
    remainders (float32 array): What each context leaves to the next shorter one: 1 - w.
    outcomes (uint64 array): The outcomes of all contexts in turn, ascending in each.
    probabilities (float32 array): Their interpolated probabilities.
    """

    def __init__(
        self, int depth, double floor, keys, lengths, remainders, outcomes, probabilities
    ):
        self.depth = depth
        self.floor = floor
        # Copies, so that nobody can change what has been checked.
        keys = _copy(keys, np.uint64)
        lengths = _copy(lengths, np.uint32)
        remainders = _copy(remainders, np.float32)
        outcomes = _copy(outcomes, np.uint64)
        probabilities = _copy(probabilities, np.float32)
        ends = np.cumsum(lengths, dtype=np.uint64)
        n_entries = int(lengths.sum(dtype=np.uint64))
        if (
            not 0 <= depth <= MAX_DEPTH
            or not 0 < floor <= 1
            or not len(keys) == len(lengths) == len(remainders)
            or not n_entries == len(outcomes) == len(probabilities)
            or max(len(keys), n_entries) >= MAX_ENTRIES
            # Written so that NaN is damage.
            or not ((remainders >= 0) & (remainders <= 1)).all()
            or not ((probabilities > 0) & (probabilities <= 1)).all()
        ):
            raise ValueError(Errors.BACKOFF_DAMAGED)
        starts = np.zeros(len(keys) + 1, np.uint32)
        starts[1:] = ends
        self.keys, self.starts, self.remainders = keys, starts, remainders
        self.outcomes, self.probabilities = outcomes, probabilities
        if not self._index() or not self._ascending():
            raise ValueError(Errors.BACKOFF_DAMAGED)

    cdef bint _ascending(self):
        """RETURNS (bool): Whether the outcomes of each row ascend."""
        cdef Py_ssize_t row
        cdef uint32_t i
        for row in range(self.keys.shape[0]):
            for i in range(self.starts[row] + 1, self.starts[row + 1]):
                if self.outcomes[i] <= self.outcomes[i - 1]:
                    return False
        return True

    cdef bint _index(self):
        """Fill the hash table of the rows, at most half full.

        RETURNS (bool): Whether all keys differ.
        """
        cdef size_t n_slots = 16
        cdef Py_ssize_t row
        cdef uint64_t i
        cdef RowSlot slot
        while n_slots < 2 * <size_t>self.keys.shape[0]:
            n_slots *= 2
        self.mask = n_slots - 1
        slot.key = slot.number = 0
        self.slots.assign(n_slots, slot)
        for row in range(self.keys.shape[0]):
            slot.key = self.keys[row]
            slot.number = <uint32_t>row + 1
            i = slot.key & self.mask
            while self.slots[i].number:
                if self.slots[i].key == slot.key:
                    return False
                i = (i + 1) & self.mask
            self.slots[i] = slot
        return True

    cdef uint32_t _find(self, uint64_t key) noexcept nogil:
        """RETURNS (uint32_t): The number of a row plus one, or 0."""
        cdef uint64_t i = key & self.mask
        while self.slots[i].number and self.slots[i].key != key:
            i = (i + 1) & self.mask
        return self.slots[i].number

    cdef void prepare(self, const uint64_t* context, FoundRows* found) noexcept nogil:
        """Find what is known about a context.

        context (const uint64_t*): Its `depth` values.
        found (FoundRows*): Result: valid as long as the model.
        """
        cdef uint64_t keys[MAX_DEPTH + 1]
        cdef uint32_t number
        cdef int d
        cdef double share = 1
        keys[0] = EMPTY_PREFIX
        for d in range(self.depth):
            keys[d + 1] = _extend(keys[d], context[d])
            SP_PREFETCH(&self.slots[keys[d + 1] & self.mask])
        found.n = 0
        # A context is only known if its prefixes are.
        for d in range(self.depth + 1):
            number = self._find(keys[d])
            if number == 0:
                break
            found.rows[d] = number - 1
            found.n = d + 1
        for d in range(found.n - 1, -1, -1):
            found.shares[d] = share
            share *= self.remainders[found.rows[d]]

    cdef double probability(self, const FoundRows* found, uint64_t outcome) noexcept nogil:
        """RETURNS (double): P(outcome | the context found), greater than 0."""
        cdef uint32_t low, high, middle, row
        cdef double share = 1
        cdef int d
        for d in range(found.n - 1, -1, -1):
            row = found.rows[d]
            low, high = self.starts[row], self.starts[row + 1]
            while low < high:
                middle = (low + high) // 2
                if self.outcomes[middle] < outcome:
                    low = middle + 1
                else:
                    high = middle
            if low < self.starts[row + 1] and self.outcomes[low] == outcome:
                return max(found.shares[d] * self.probabilities[low], DBL_MIN)
        if found.n:
            share = found.shares[0] * self.remainders[found.rows[0]]
        return max(share * self.floor, DBL_MIN)

    cdef double log_probability(self, const uint64_t* context, uint64_t outcome) noexcept nogil:
        """RETURNS (double): log P(outcome | context), finite."""
        cdef FoundRows found
        self.prepare(context, &found)
        return log(self.probability(&found, outcome))

    def log_probabilities(self, const uint64_t[:, ::1] contexts, const uint64_t[::1] outcomes):
        """The log-probabilities of outcomes, each in its context.

        contexts (uint64 array): The values of the contexts: [n, depth].
        outcomes (uint64 array): The outcomes: [n].
        RETURNS (float64 array): log P(outcome | context): [n].
        """
        cdef Py_ssize_t n = contexts.shape[0], i
        cdef uint64_t unused = 0
        if contexts.shape[1] != self.depth or outcomes.shape[0] != n:
            raise ValueError(
                Errors.BACKOFF_SHAPES.format(
                    contexts=(contexts.shape[0], contexts.shape[1]),
                    outcomes=outcomes.shape[0],
                    depth=self.depth,
                )
            )
        result = np.empty(n, np.float64)
        cdef double[::1] view = result
        with nogil:
            for i in range(n):
                view[i] = self.log_probability(
                    &contexts[i, 0] if self.depth else &unused, outcomes[i]
                )
        return result

    def to_arrays(self):
        """RETURNS (dict): The arguments that make this model."""
        return {
            "depth": self.depth,
            "floor": self.floor,
            "keys": np.array(self.keys),
            "lengths": np.diff(self.starts),
            "remainders": np.array(self.remainders),
            "outcomes": np.array(self.outcomes),
            "probabilities": np.array(self.probabilities),
        }

    def __reduce__(self):
        return _rebuild, (self.to_arrays(),)


def _copy(values, dtype):
    """RETURNS (array): A copy in consecutive memory; raises ValueError if it is no row of numbers
    of this type."""
    values = np.array(values)
    if values.ndim != 1 or (values.dtype != dtype and len(values)):
        raise ValueError(Errors.BACKOFF_DAMAGED)
    return np.ascontiguousarray(values, dtype=dtype)


def _rebuild(arrays):
    return BackoffModel(**arrays)
