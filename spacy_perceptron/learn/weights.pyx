"""The hashed weight table: feature id -> a sparse row of class weights.

An open-addressing index of 16-byte slots points into one flat array of (class, weight) entries, so
a feature costs two cache misses whatever the number of classes, and a table of a million weights
loads in milliseconds. Scalar models (arcs, chains, parts) are tables with one class. Rows hold
only classes that were ever updated: in linear taggers, a tenth of the dense row.

A trainable table also keeps, beside each weight w, the running sum u of time * delta. The average
of w over every example seen up to time t is then w - u/t (Collins 2002, in the lazy form of Daumé
2006). A look-up is O(1) per feature plus the row's length; averaging and saving are linear in the
number of weights.
"""
import numpy as np


from libc.math cimport fabsf, sqrtf as sqrt
from libc.stdint cimport INT32_MAX, int32_t, uint16_t, uint32_t, uint64_t
from libcpp.vector cimport vector

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

# Key 0 marks an empty slot; extractors never produce it.
cdef enum:
    MIN_SLOTS = 1024
    FIRST_CAPACITY = 2
    GROUP = 16
    MAX_FILTER_BITS = 1 << 23


cdef class WeightTable:
    """Weights of hashed features, one sparse row of classes per feature.

    n_classes (int): Number of classes; 1 makes a scalar table.
    trainable (bool): Keep the sums that averaging needs. Frozen tables refuse `update`.
    adaptive (bool): Make each weight's steps smaller the more it has moved (after AdaGrad, Duchi et
        al. 2011): delta / (1 + sqrt(sum of all its squared deltas)).
    """

    def __init__(self, int n_classes, *, bint trainable=False, bint adaptive=False):
        if not 1 <= n_classes < 65536:
            raise ValueError(Errors.TABLE_CLASSES.format(n=n_classes))
        self.n_classes = n_classes
        self.trainable = trainable
        self.adaptive = adaptive
        self.n_features = 0
        # Rows start at 32-bit places.
        self.max_entries = INT32_MAX
        self._allocate(MIN_SLOTS)
        self._build_filter()

    def _allocate(self, size_t n_slots):
        cdef Slot empty
        empty.key = 0
        empty.start = 0
        empty.length = 0
        empty.capacity = 0
        self.slots.assign(n_slots, empty)
        self.mask = n_slots - 1

    cdef size_t _find(self, uint64_t key) noexcept nogil:
        """Index of the key's slot, or of the empty slot where it would go."""
        cdef size_t i = (key ^ (key >> 32)) & self.mask
        while self.slots[i].key != key and self.slots[i].key != 0:
            i = (i + 1) & self.mask
        return i

    cdef void _grow(self) except *:
        cdef vector[Slot] old = self.slots
        cdef size_t i
        self._allocate(old.size() * 2)
        for i in range(old.size()):
            if old[i].key != 0:
                self.slots[self._find(old[i].key)] = old[i]
        self._build_filter()

    cdef void _widen(self, Slot* slot) except *:
        """Move a full row to the end of the entries with twice the room. The hole it leaves is at
        most as large as what is in use, and disappears on saving."""
        cdef int capacity = max(FIRST_CAPACITY, 2 * <int>slot.capacity)
        cdef size_t start = self.entries.size()
        cdef int i
        cdef Entry blank
        blank.label = 0
        blank.weight = 0.0
        if capacity > self.n_classes:
            capacity = self.n_classes
        if start + capacity > self.max_entries:
            raise OverflowError(Errors.TABLE_FULL.format(n=self.max_entries))
        self.entries.resize(start + capacity, blank)
        if self.trainable:
            self.totals.resize(start + capacity, 0.0)
        if self.adaptive:
            self.squares.resize(start + capacity, 0.0)
        for i in range(slot.length):
            self.entries[start + i] = self.entries[slot.start + i]
            if self.trainable:
                self.totals[start + i] = self.totals[slot.start + i]
            if self.adaptive:
                self.squares[start + i] = self.squares[slot.start + i]
        slot.start = <int32_t>start
        slot.capacity = <uint16_t>capacity

    cdef int ask(self, const uint64_t* keys, int n, uint64_t* present) noexcept nogil:
        """First step of a look-up: prefetch the slots of n features.

        RETURNS (int): How many may have weights; these are written to `present`.
        """
        cdef const Slot* slots = self.slots.data()
        cdef const uint64_t* filter = self.filter.data()
        cdef uint64_t mask = self.mask, filter_mask = self.filter_mask, key
        cdef size_t i
        cdef int k, n_present = 0
        for k in range(n):
            key = keys[k]
            i = (key >> 20) & filter_mask
            if (filter[i >> 6] >> (i & 63)) & 1:
                present[n_present] = key
                n_present += 1
                SP_PREFETCH(&slots[(key ^ (key >> 32)) & mask])
        return n_present

    cdef void find(self, uint64_t* present, int n) noexcept nogil:
        """Second step: replace the features by their slots, and prefetch the rows."""
        cdef const Slot* slots = self.slots.data()
        cdef const Entry* entries = self.entries.data()
        cdef uint64_t mask = self.mask, key
        cdef size_t i
        cdef int k
        for k in range(n):
            key = present[k]
            i = (key ^ (key >> 32)) & mask
            while slots[i].key != key and slots[i].key != 0:
                i = (i + 1) & mask
            present[k] = i
            if slots[i].length:
                SP_PREFETCH(&entries[slots[i].start])

    cdef void add_found(self, const uint64_t* found, int n, float* scores) noexcept nogil:
        """Third step: add the rows to the class scores."""
        cdef const Slot* slots = self.slots.data()
        cdef const Entry* entry
        cdef int k, j
        for k in range(n):
            entry = self.entries.data() + slots[found[k]].start
            for j in range(slots[found[k]].length):
                scores[entry[j].label] += entry[j].weight

    cdef void add_scores(self, const uint64_t* keys, int n, float* scores) noexcept nogil:
        """Add the rows of n features to the class scores.

        Works in groups, so that the waits for memory overlap. To score many items, interleave the
        three steps for different items instead.
        """
        cdef uint64_t found[GROUP]
        cdef int first = 0, size
        while first < n:
            size = self.ask(keys + first, min(<int>GROUP, n - first), found)
            self.find(found, size)
            self.add_found(found, size, scores)
            first += GROUP

    cdef int add(self, uint64_t key, int label, float delta, double time) except -1:
        """w += delta at the given time, for one feature and class."""
        cdef size_t index = self._find(key)
        cdef Slot* slot = &self.slots[index]
        cdef int j
        cdef float before, after
        if slot.key == 0:
            if 2 * (self.n_features + 1) > self.slots.size():
                self._grow()
                slot = &self.slots[self._find(key)]
            slot.key = key
            slot.length = 0
            slot.capacity = 0
            self.n_features += 1
            self._mark(key)
        for j in range(slot.length):
            if <int>self.entries[slot.start + j].label == label:
                break
        else:
            j = slot.length
            if j == slot.capacity:
                self._widen(slot)
            self.entries[slot.start + j].label = label
            self.entries[slot.start + j].weight = 0.0
            self.totals[slot.start + j] = 0.0
            slot.length += 1
        delta = bound(delta)
        if self.adaptive:
            self.squares[slot.start + j] += delta * delta
            delta /= 1.0 + sqrt(self.squares[slot.start + j])
        before = self.entries[slot.start + j].weight
        after = bound(before + delta)
        if after != before + delta:
            delta = after - before
        self.entries[slot.start + j].weight = after
        self.totals[slot.start + j] += time * delta
        return 0

    def update(self, const uint64_t[::1] keys, const int32_t[::1] labels,
               const float[::1] deltas, double time, *, float step=1.0):
        """Add to some weights of a trainable table: w += step * delta.

        keys (uint64 array): Feature ids, not 0.
        labels (int32 array): Their classes.
        deltas (float32 array): What to add.
        time (float): Time of the update: the number of examples finished before this one.
        step (float): Factor on all deltas.
        """
        cdef Py_ssize_t k
        if not self.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        if not keys.shape[0] == labels.shape[0] == deltas.shape[0]:
            raise ValueError(
                Errors.TABLE_UPDATE.format(
                    keys=keys.shape[0], labels=labels.shape[0], deltas=deltas.shape[0]
                )
            )
        for k in range(keys.shape[0]):
            if keys[k] == 0 or not 0 <= labels[k] < self.n_classes:
                raise ValueError(
                    Errors.TABLE_KEY.format(key=keys[k], label=labels[k], n=self.n_classes)
                )
            self.add(keys[k], labels[k], step * deltas[k], time)

    def scores(self, const uint64_t[::1] keys):
        """Summed rows of some features.

        keys (uint64 array): Feature ids.
        RETURNS (float32 array): One score per class.
        """
        scores = np.zeros(self.n_classes, dtype=np.float32)
        cdef float[::1] view = scores
        if keys.shape[0]:
            self.add_scores(&keys[0], <int>keys.shape[0], &view[0])
        return scores

    def row(self, uint64_t key):
        """The weights of one feature.

        key (int): Feature id.
        RETURNS (dict): Class -> weight; empty for a feature that is not in the table.
        """
        cdef Slot slot = self.slots[self._find(key)]
        return {
            self.entries[slot.start + j].label: self.entries[slot.start + j].weight
            for j in range(slot.length)
        }

    def _by_key(self):
        """The features in order, and their slots."""
        cdef size_t i, n = 0
        keys = np.empty(self.n_features, dtype=np.uint64)
        where = np.empty(self.n_features, dtype=np.longlong)
        cdef uint64_t[::1] key_view = keys
        cdef long long[::1] where_view = where
        for i in range(self.slots.size()):
            if self.slots[i].key != 0:
                key_view[n] = self.slots[i].key
                where_view[n] = i
                n += 1
        by_key = np.argsort(keys, kind="stable")
        return keys[by_key], where[by_key]

    def averaged(self, double time, *, float min_weight=0.0):
        """The average over all times up to now, in saved form.

        time (float): Number of examples seen; 0 gives the current weights.
        min_weight (float): Averages smaller than this are dropped.
        RETURNS (dict): Arrays `keys`, `lengths`, `labels`, `values`, sorted by key, for
            `from_arrays`.
        """
        cdef size_t i, n = self.n_features, total = 0
        cdef int j, kept
        cdef float weight
        cdef Slot slot
        keys, where = self._by_key()
        cdef const long long[::1] where_view = where
        lengths = np.zeros(n, dtype=np.uint16)
        labels = np.empty(self.entries.size(), dtype=np.uint16)
        values = np.empty(self.entries.size(), dtype=np.float32)
        cdef uint16_t[::1] length_view = lengths
        cdef uint16_t[::1] label_view = labels
        cdef float[::1] value_view = values
        for i in range(n):
            slot = self.slots[where_view[i]]
            kept = 0
            for j in range(slot.length):
                weight = self.entries[slot.start + j].weight
                if time > 0 and self.trainable:
                    weight -= <float>(self.totals[slot.start + j] / time)
                if weight != 0.0 and abs(weight) >= min_weight:
                    label_view[total] = <uint16_t>self.entries[slot.start + j].label
                    value_view[total] = weight
                    total += 1
                    kept += 1
            length_view[i] = kept
        used = lengths > 0
        return {
            "keys": keys[used],
            "lengths": lengths[used],
            "labels": labels[:total].copy(),
            "values": values[:total].copy(),
        }

    @classmethod
    def from_arrays(cls, int n_classes, keys, lengths, labels, values,
                    *, bint trainable=False, bint adaptive=False):
        """Build a table from what `averaged` returned.

        n_classes (int): Number of classes.
        keys, lengths, labels, values (arrays): The saved form.
        trainable (bool): Whether the table can be updated.
        adaptive (bool): Whether steps get smaller the more a weight has moved.
        RETURNS (WeightTable): The table.
        """
        cdef WeightTable table = cls(n_classes, trainable=trainable, adaptive=adaptive)
        cdef const uint64_t[::1] key_view = np.ascontiguousarray(keys, dtype=np.uint64)
        cdef const uint16_t[::1] length_view = np.ascontiguousarray(lengths, dtype=np.uint16)
        cdef const uint16_t[::1] label_view = np.ascontiguousarray(labels, dtype=np.uint16)
        cdef const float[::1] value_view = np.ascontiguousarray(values, dtype=np.float32)
        cdef size_t n = key_view.shape[0], i, j, start = 0, n_slots = MIN_SLOTS
        cdef vector[size_t] last_row
        cdef bint repeated
        cdef Slot* slot
        n_values = int(np.asarray(lengths, dtype=np.int64).sum())
        sizes = (length_view.shape[0], label_view.shape[0], value_view.shape[0])
        # Rows start at 32-bit places.
        if sizes != (n, n_values, n_values) or n_values > INT32_MAX:
            raise ValueError(Errors.TABLE_DAMAGED)
        if n and (np.min(lengths) < 0 or np.max(lengths) > n_classes or 0 in np.asarray(keys)):
            raise ValueError(Errors.TABLE_DAMAGED)
        if n_values and (np.min(labels) < 0 or np.max(labels) >= n_classes):
            raise ValueError(Errors.TABLE_DAMAGED)
        while n_slots < 2 * n:
            n_slots *= 2
        table._allocate(n_slots)
        table.entries.resize(n_values)
        if trainable:
            table.totals.resize(n_values, 0.0)
        if adaptive:
            table.squares.resize(n_values, 0.0)
        for i in range(<size_t>n_values):
            # Neither NaN nor so large that sums could overflow.
            if not fabsf(value_view[i]) <= largest_weight():
                raise ValueError(Errors.TABLE_DAMAGED)
            table.entries[i].label = label_view[i]
            table.entries[i].weight = value_view[i]
        last_row.assign(n_classes, 0)
        for i in range(n):
            slot = &table.slots[table._find(key_view[i])]
            # Each feature has one row, in which each class occurs once.
            repeated = slot.key != 0
            for j in range(start, start + length_view[i]):
                repeated |= last_row[label_view[j]] == i + 1
                last_row[label_view[j]] = i + 1
            if repeated:
                raise ValueError(Errors.TABLE_DAMAGED)
            slot.key = key_view[i]
            slot.start = <int32_t>start
            slot.length = length_view[i]
            slot.capacity = length_view[i]
            start += length_view[i]
        table.n_features = n
        table._build_filter()
        return table

    def state(self):
        """All that training goes on from.

        RETURNS (dict): Arrays `keys` (ascending), `lengths`, `labels`, `values`, `totals` and, in
            an adaptive table, `squares`. Entries are in the order of their rows, those without
            weight included.
        """
        if not self.trainable:
            raise ValueError(Errors.TABLE_FROZEN)
        cdef size_t i, n = self.n_features, n_values = 0, total = 0
        cdef int j
        cdef Slot slot
        keys, where = self._by_key()
        cdef const long long[::1] where_view = where
        for i in range(n):
            n_values += self.slots[where_view[i]].length
        lengths = np.empty(n, dtype=np.int32)
        labels = np.empty(n_values, dtype=np.uint16)
        values = np.empty(n_values, dtype=np.float32)
        totals = np.empty(n_values, dtype=np.float64)
        squares = np.empty(n_values if self.adaptive else 0, dtype=np.float32)
        cdef int32_t[::1] length_view = lengths
        cdef uint16_t[::1] label_view = labels
        cdef float[::1] value_view = values
        cdef double[::1] total_view = totals
        cdef float[::1] square_view = squares
        for i in range(n):
            slot = self.slots[where_view[i]]
            length_view[i] = slot.length
            for j in range(slot.start, slot.start + slot.length):
                label_view[total] = <uint16_t>self.entries[j].label
                value_view[total] = self.entries[j].weight
                total_view[total] = self.totals[j]
                if self.adaptive:
                    square_view[total] = self.squares[j]
                total += 1
        found = {
            "keys": keys, "lengths": lengths, "labels": labels, "values": values, "totals": totals
        }
        return {**found, "squares": squares} if self.adaptive else found

    @classmethod
    def from_state(cls, int n_classes, state, *, bint adaptive=False):
        """Make a trainable table of what `state` returned.

        n_classes (int): Number of classes.
        state (dict): The arrays. Raises ValueError if they are not those of such a table.
        adaptive (bool): Whether steps get smaller the more a weight has moved.
        RETURNS (WeightTable): The table.
        """
        keys = read_numbers(state, "keys", np.uint64)
        lengths = read_numbers(state, "lengths", np.int32)
        labels = read_numbers(state, "labels", np.uint16)
        values = read_numbers(state, "values", np.float32)
        totals, squares = read_sums(state, len(values), adaptive=adaptive)
        if (keys[1:] <= keys[:-1]).any():
            raise ValueError(Errors.TABLE_DAMAGED)
        cdef WeightTable table = cls.from_arrays(
            n_classes, keys, lengths, labels, values, trainable=True, adaptive=adaptive
        )
        cdef const double[::1] total_view = totals
        cdef const float[::1] square_view = squares
        cdef Py_ssize_t i
        for i in range(total_view.shape[0]):
            table.totals[i] = total_view[i]
        for i in range(square_view.shape[0]):
            table.squares[i] = square_view[i]
        return table

    cdef void _build_filter(self) except *:
        """One bit per hashed key, small enough to stay in a near cache. Most features of new text
        are not in the table. The filter says so without reading the slots, which are far away."""
        cdef size_t n_bits = 1 << 16, i
        while n_bits < 16 * self.slots.size() // 2 and n_bits < MAX_FILTER_BITS:
            n_bits *= 2
        self.filter.assign(n_bits // 64, 0)
        self.filter_mask = n_bits - 1
        for i in range(self.slots.size()):
            if self.slots[i].key != 0:
                self._mark(self.slots[i].key)

    cdef void _mark(self, uint64_t key) noexcept nogil:
        cdef size_t bit = (key >> 20) & self.filter_mask
        self.filter[bit >> 6] = self.filter[bit >> 6] | (<uint64_t>1 << (bit & 63))

    def __reduce__(self):
        state = self.averaged(0)
        return _rebuild, (self.n_classes, state, self.trainable, self.adaptive)


def _rebuild(n_classes, state, trainable, adaptive):
    return WeightTable.from_arrays(n_classes, **state, trainable=trainable, adaptive=adaptive)
