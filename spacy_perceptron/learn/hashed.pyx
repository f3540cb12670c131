"""The scalar weight table: hashed feature -> one weight, without keys (the hash kernel of Shi et
al. 2009, used for dependency parsing by Bohnet 2010).

The index of a feature is the low bits of its 64-bit id. Features with the same index share a
weight. This does not hurt accuracy as long as the table is not much smaller than the number of
features, and features that training never saw get weights as well. In return, a look-up is one read
from memory, without comparing or probing, and the table never grows.

A trainable table also keeps, beside each weight w, the running sum u of time * change, so that the
average of w over every example up to time t is w - u/t (Collins 2002, in the lazy form of Daumé
2006). The sum records the change of w as rounded to float32. The average is therefore the mean of
the actual weights, to float64 precision, for any number of examples. A look-up and an update are
O(1); averaging is linear in the size of the table. Memory: 4 bytes per weight, 12 in training, 16
with adaptive steps.

Parsers spend most of their time on look-ups, and most of that waiting for memory. A compact table,
for prediction only, takes 2 bytes per weight. Twice as much of a table of 2 ** 22 weights then
stays in the processor's cache, which makes a random read up to three times as fast.
"""
from typing import TypedDict

import numpy as np


from libc.math cimport fabs, fabsf, lround, sqrtf
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t, uintptr_t

from ..errors import Errors
from .states import read_numbers, read_sums
from .bounds cimport bound, largest_weight

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define SP_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define SP_PREFETCH(address) ((void)0)
    #endif
    """
    void SP_PREFETCH(const void* address) noexcept nogil

BITS = range(10, 29)

cdef enum:
    CACHE_LINE = 64
    LARGEST_CODE = 32767

cdef float SMALLEST_UNIT = 1e-30

# A table as plain arrays, sorted by index.
SavedHashedWeights = TypedDict(
    "SavedHashedWeights", {"indices": np.ndarray, "values": np.ndarray}
)


cdef class HashedWeights:
    """Weights of hashed features, one number per feature.

    n_bits (int): The table has 2 ** n_bits weights; 10 to 28.
    trainable (bool): Keep the sums that averaging needs. Frozen tables refuse `update`.
    compact (bool): Keep weights as 16-bit multiples of a unit, the largest weight / 32767. Only
        `from_arrays` fills such a table.
    adaptive (bool): Make each weight's steps smaller the more it has moved (after AdaGrad, Duchi et
        al. 2011): delta / (1 + sqrt(sum of all its squared deltas)).
    """

    def __init__(
        self, int n_bits, *, bint trainable=False, bint adaptive=False, bint compact=False
    ):
        if n_bits not in BITS:
            raise ValueError(Errors.HASHED_BITS.format(n=n_bits))
        if compact and trainable:
            raise ValueError(Errors.TABLE_COMPACT)
        self.n_bits = n_bits
        self.mask = (<uint64_t>1 << n_bits) - 1
        self.trainable = trainable
        self.adaptive = adaptive
        self.arrays = []
        self.unit = 1
        self.weights = <float*>NULL if compact else <float*>self._zeros(np.float32)
        self.codes = <int16_t*>self._zeros(np.int16) if compact else <int16_t*>NULL
        self.totals = <double*>self._zeros(np.float64) if trainable else NULL
        self.squares = <float*>self._zeros(np.float32) if adaptive else NULL

    cdef void* _zeros(self, dtype) except NULL:
        """A number per weight, aligned to cache lines. Unlike a vector, numpy asks for huge pages,
        which halves the time of random reads from a table of 64 MB."""
        array = np.zeros((np.dtype(dtype).itemsize << self.n_bits) + CACHE_LINE, np.uint8)
        cdef unsigned char[::1] view = array
        cdef uintptr_t start = <uintptr_t>&view[0]
        self.arrays.append(array)
        return <void*>((start + CACHE_LINE - 1) & ~<uintptr_t>(CACHE_LINE - 1))

    cdef void add(self, uint64_t id, float delta, double time) noexcept nogil:
        """w += delta at the given time, for one feature of a trainable table."""
        cdef uint64_t i = id & self.mask
        cdef float before = self.weights[i]
        delta = bound(delta)
        if self.squares != NULL:
            self.squares[i] = self.squares[i] + delta * delta
            delta = delta / (1 + sqrtf(self.squares[i]))
        self.weights[i] = bound(before + delta)
        self.totals[i] = self.totals[i] + time * (<double>self.weights[i] - <double>before)

    def update(self, const uint64_t[::1] ids, const float[::1] deltas, double time,
               *, float step=1.0):
        """Add to some weights of a trainable table: w += step * delta.

        ids (uint64 array): Feature ids.
        deltas (float32 array): What to add.
        time (float): Time of the update: the number of examples finished before this one.
        step (float): Factor on all deltas.
        """
        cdef Py_ssize_t k
        if not self.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        if ids.shape[0] != deltas.shape[0]:
            raise ValueError(
                Errors.HASHED_UPDATE.format(ids=ids.shape[0], deltas=deltas.shape[0])
            )
        with nogil:
            for k in range(ids.shape[0]):
                self.add(ids[k], step * deltas[k], time)

    def scores(self, const uint64_t[::1] ids):
        """The summed weights of some features.

        ids (uint64 array): Feature ids.
        RETURNS (float): The sum.
        """
        return self.sum(&ids[0], <int>ids.shape[0]) if ids.shape[0] else 0.0

    cdef void prefetch(self, const uint64_t* ids, int n) noexcept nogil:
        """Ask for the weights of n features ahead of their use."""
        cdef int k
        if self.codes != NULL:
            for k in range(n):
                SP_PREFETCH(&self.codes[ids[k] & self.mask])
        else:
            for k in range(n):
                SP_PREFETCH(&self.weights[ids[k] & self.mask])

    cdef float sum(self, const uint64_t* ids, int n) noexcept nogil:
        """The summed weights of n features."""
        return sp_sum_twins(self.weights, self.codes, self.unit, self.mask, ids, 0, n, 0)

    def weight(self, uint64_t id):
        """The weight of one feature.

        id (int): Feature id.
        RETURNS (float): Its weight.
        """
        return self.sum(&id, 1)

    def averaged(self, double time, *, double min_weight=0.0):
        """The average over all times up to now, in saved form.

        time (float): Number of examples seen; 0 gives the current weights.
        min_weight (float): Averages smaller than this are dropped.
        RETURNS (dict): Arrays `indices` (uint32, ascending) and `values` (float32, not 0), for
            `from_arrays`.
        """
        if self.codes != NULL:
            return self._decoded()
        cdef size_t n = <size_t>1 << self.n_bits, i, n_used = 0, n_kept = 0
        cdef bint lazy = self.trainable and time > 0
        cdef const float* weights = self.weights
        cdef const double* totals = self.totals
        cdef double weight
        cdef float kept
        # An average differs from 0 only where a weight or a sum does.
        with nogil:
            for i in range(n):
                n_used += weights[i] != 0
            if lazy:
                for i in range(n):
                    n_used += (totals[i] != 0) & (weights[i] == 0)
        indices = np.empty(n_used, dtype=np.uint32)
        values = np.empty(n_used, dtype=np.float32)
        cdef uint32_t[::1] index_view = indices
        cdef float[::1] value_view = values
        with nogil:
            for i in range(n):
                weight = weights[i]
                if lazy and totals[i] != 0:
                    weight = weight - totals[i] / time
                kept = <float>weight
                if kept != 0 and fabs(kept) >= min_weight:
                    index_view[n_kept] = <uint32_t>i
                    value_view[n_kept] = kept
                    n_kept += 1
        if n_kept < n_used:
            indices, values = indices[:n_kept].copy(), values[:n_kept].copy()
        return {"indices": indices, "values": values}

    def _decoded(self):
        """The weights of a compact table in saved form."""
        cdef const int16_t[::1] view = <int16_t[:self.mask + 1]>self.codes
        codes = np.asarray(view)
        indices = np.flatnonzero(codes).astype(np.uint32)
        return {"indices": indices, "values": codes[indices] * np.float32(self.unit)}

    @classmethod
    def from_arrays(
        cls, int n_bits, indices, values, *, bint trainable=False, bint adaptive=False,
        bint compact=False
    ):
        """Build a table from what `averaged` returned.

        n_bits (int): Size of the table.
        indices, values (arrays): The saved form.
        trainable (bool): Whether the table can be updated.
        adaptive (bool): Whether steps get smaller the more a weight has moved.
        compact (bool): Whether to round weights to 16 bits.
        RETURNS (HashedWeights): The table.
        """
        cdef HashedWeights table = cls(
            n_bits, trainable=trainable, adaptive=adaptive, compact=compact
        )
        check_weights(n_bits, indices, values)
        cdef const uint32_t[::1] index_view = np.ascontiguousarray(indices, dtype=np.uint32)
        cdef const float[::1] value_view = np.ascontiguousarray(values, dtype=np.float32)
        cdef Py_ssize_t i
        if compact:
            table._set_codes(index_view, value_view)
        else:
            for i in range(index_view.shape[0]):
                table.weights[index_view[i]] = value_view[i]
        return table

    cdef void _set_codes(
        self, const uint32_t[::1] indices, const float[::1] values
    ) noexcept nogil:
        """Fill a compact table with finite weights."""
        cdef Py_ssize_t i
        cdef double largest = 0, per_unit
        for i in range(values.shape[0]):
            largest = max(largest, fabs(values[i]))
        # If all weights are tiny, the unit could underflow to 0.
        self.unit = max(<float>(largest / LARGEST_CODE), SMALLEST_UNIT)
        per_unit = 1 / <double>self.unit
        for i in range(values.shape[0]):
            self.codes[indices[i]] = <int16_t>lround(values[i] * per_unit)

    def state(self):
        """All that training goes on from.

        RETURNS (dict): Arrays `indices` (ascending), `values`, `totals` and, in an adaptive table,
            `squares`, wherever one of them is not 0.
        """
        if not self.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        cdef size_t n = <size_t>1 << self.n_bits, i, n_used = 0
        cdef const float* weights = self.weights
        cdef const double* sums = self.totals
        cdef const float* moved = self.squares
        with nogil:
            for i in range(n):
                n_used += (weights[i] != 0) | (sums[i] != 0) | (moved != NULL and moved[i] != 0)
        indices = np.empty(n_used, dtype=np.uint32)
        values = np.empty(n_used, dtype=np.float32)
        totals = np.empty(n_used, dtype=np.float64)
        squares = np.empty(n_used if self.adaptive else 0, dtype=np.float32)
        cdef uint32_t[::1] index_view = indices
        cdef float[::1] value_view = values
        cdef double[::1] total_view = totals
        cdef float[::1] square_view = squares
        n_used = 0
        with nogil:
            for i in range(n):
                if weights[i] == 0 and sums[i] == 0 and (moved == NULL or moved[i] == 0):
                    continue
                index_view[n_used] = <uint32_t>i
                value_view[n_used] = weights[i]
                total_view[n_used] = sums[i]
                if moved != NULL:
                    square_view[n_used] = moved[i]
                n_used += 1
        found = {"indices": indices, "values": values, "totals": totals}
        return {**found, "squares": squares} if self.adaptive else found

    @classmethod
    def from_state(cls, int n_bits, state, *, bint adaptive=False):
        """Make a trainable table of what `state` returned.

        n_bits (int): Size of the table.
        state (dict): The arrays. Raises ValueError if they are not those of such a table.
        adaptive (bool): Whether steps get smaller the more a weight has moved.
        RETURNS (HashedWeights): The table.
        """
        indices = read_numbers(state, "indices", np.uint32)
        values = read_numbers(state, "values", np.float32)
        totals, squares = read_sums(state, len(values), adaptive=adaptive)
        cdef HashedWeights table = cls.from_arrays(
            n_bits, indices, values, trainable=True, adaptive=adaptive
        )
        cdef const uint32_t[::1] index_view = indices
        cdef const double[::1] total_view = totals
        cdef const float[::1] square_view = squares
        cdef Py_ssize_t i
        for i in range(index_view.shape[0]):
            table.totals[index_view[i]] = total_view[i]
        for i in range(square_view.shape[0]):
            table.squares[index_view[i]] = square_view[i]
        return table

    def __reduce__(self):
        flags = {
            "trainable": self.trainable,
            "adaptive": self.adaptive,
            "compact": self.codes != NULL,
        }
        return _rebuild, (self.n_bits, self.averaged(0), flags)


def _rebuild(n_bits, state, flags):
    return HashedWeights.from_arrays(n_bits, **state, **flags)


def check_weights(int n_bits, indices, values):
    """Raise ValueError if arrays are not what `averaged` returns: indices that rise and are in the
    table, with finite values.

    n_bits (int): Size of the table.
    indices, values (arrays): The saved form.
    """
    indices, values = np.asarray(indices), np.asarray(values)
    if indices.ndim != 1 or indices.shape != values.shape:
        raise ValueError(Errors.TABLE_DAMAGED)
    if len(indices) and not (0 <= indices.min() and indices.max() < 1 << n_bits):
        raise ValueError(Errors.TABLE_DAMAGED)
    cdef const uint32_t[::1] index_view = np.ascontiguousarray(indices, dtype=np.uint32)
    cdef const float[::1] value_view = np.ascontiguousarray(values, dtype=np.float32)
    cdef Py_ssize_t i
    cdef bint damaged = False
    with nogil:
        for i in range(index_view.shape[0]):
            damaged |= i > 0 and index_view[i] <= index_view[i - 1]
            # Neither NaN nor so large that sums could overflow.
            damaged |= not fabsf(value_view[i]) <= largest_weight()
    if damaged:
        raise ValueError(Errors.TABLE_DAMAGED)


def bit_indices(const uint8_t[::1] packed):
    """Indices of the set bits: `np.flatnonzero(np.unpackbits(packed))`, but five times as fast.

    packed (uint8 array): The bits, the highest bit of a byte first.
    RETURNS (uint32 array): The indices, ascending.
    """
    cdef uint32_t places[256][8]
    cdef uint32_t counts[256]
    cdef Py_ssize_t i, n = 0
    cdef uint32_t byte, k
    for byte in range(256):
        counts[byte] = 0
        for k in range(8):
            places[byte][k] = 0
            if byte >> (7 - k) & 1:
                places[byte][counts[byte]] = k
                counts[byte] += 1
    for i in range(packed.shape[0]):
        n += counts[packed[i]]
    # Eight indices are written at a time, however many count: leave room for the surplus.
    indices = np.empty(n + 8, dtype=np.uint32)
    cdef uint32_t[::1] view = indices
    n = 0
    with nogil:
        for i in range(packed.shape[0]):
            byte = packed[i]
            for k in range(8):
                view[n + k] = <uint32_t>(8 * i) + places[byte][k]
            n += counts[byte]
    return indices[:n]
