"""Iterative parameter mixing (McDonald, Hall & Mann 2010): one state of a learner of several.

Shards of a corpus start a round from the same weights, and each learns from its examples alone.
Then their weights are mixed: a weight changes by the mean of its changes in those shards that moved
it. The paper takes the mean over all shards, which makes the steps of rare features, that only one
shard has, smaller by the number of shards. The squares that make steps smaller are those of all
shards, as in serial training.

The average of averaged learners goes on over all examples of all shards. If A is the average over n
examples before the round, and S_i the sum of the weights after each of the m_i examples of shard i,
then the average after the round is (n A + sum S_i) / (n + sum m_i). With the totals u of
`learn.weights` and the changes d_i, e_i of a weight w and its total in shard i,

    S_i = m_i w + (n + m_i) d_i - e_i

and the new total is u + (n + sum m_i) d - sum ((n + m_i) d_i - e_i), where d is the change of the
mixed weight as rounded to float32.

Tables are sorted by key, and all of them are read from the beginning to the end at once. Time:
O(k e) for k shards with e entries in all. What was mixed does not depend on when a shard was ready,
and on the order of shards only in the rounding of sums and in the order within rows.
"""
import numpy as np

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ..errors import Errors
from .bounds cimport bound


cdef struct Table:
    # A table, and how far it is read. Hashed tables have indices, others keys, lengths and labels.
    const uint32_t* indices
    const uint64_t* keys
    const int32_t* lengths
    const uint16_t* labels
    const float* values
    const double* totals
    const float* squares
    Py_ssize_t n_rows
    Py_ssize_t row
    Py_ssize_t entry
    bint is_shard
    double n_examples


cdef struct Weight:
    # A weight before the round, and the sums of what shards did to it.
    float value
    double total
    double square
    double change
    double sums
    double squares
    int n_moved


cdef inline uint64_t key_of(const Table* table) noexcept nogil:
    """The key of the next row."""
    return table.indices[table.row] if table.keys == NULL else table.keys[table.row]


cdef inline void move(
    Weight* weight, float value, double total, double square, double n_examples
) noexcept nogil:
    """Add what a shard did to a weight; with the examples before the round, it has `n_examples`."""
    cdef double change = <double>value - <double>weight.value
    # A weight that went back to where it was has moved, too.
    if change == 0 and total == weight.total and square == weight.square:
        return
    weight.change += change
    weight.sums += n_examples * change - (total - weight.total)
    if square != weight.square:
        weight.squares += square - weight.square
    weight.n_moved += 1


cdef class Mixer:
    """Mixes tables of one kind.

    tables (list[dict]): The arrays of the table before the round, and in each shard after it.
    n_examples (list[int]): The number of examples by then.
    """
    cdef list arrays
    cdef bint adaptive
    cdef vector[Table] tables
    cdef double n_examples
    # The row at hand: its classes in the order in which they were met, and their weights.
    cdef vector[uint16_t] classes
    cdef vector[Weight] weights
    # Where each class is in the row, if `owners` has the number of this row.
    cdef vector[size_t] places
    cdef vector[Py_ssize_t] owners

    def __init__(self, tables, n_examples):
        self.adaptive = "squares" in tables[0]
        self.arrays = [_checked(table, self.adaptive) for table in tables]
        for k, (table, n) in enumerate(zip(self.arrays, n_examples, strict=True)):
            if len(table["values"]):
                self._open(table, n, k > 0)
        self.n_examples = n_examples[0] + sum(n - n_examples[0] for n in n_examples[1:])
        self.places.assign(1 << 16, 0)
        self.owners.assign(1 << 16, -1)

    cdef void _open(self, arrays, double n_examples, bint is_shard) except *:
        """Start to read a table. Its arrays are not empty."""
        cdef Table table
        cdef const uint32_t[::1] indices = arrays.get("indices")
        cdef const uint64_t[::1] keys = arrays.get("keys")
        cdef const int32_t[::1] lengths = arrays.get("lengths")
        cdef const uint16_t[::1] labels = arrays.get("labels")
        cdef const float[::1] values = arrays["values"]
        cdef const double[::1] totals = arrays["totals"]
        cdef const float[::1] squares = arrays.get("squares")
        table.indices = <const uint32_t*>NULL if indices is None else &indices[0]
        table.keys = <const uint64_t*>NULL if keys is None else &keys[0]
        table.lengths = <const int32_t*>NULL if lengths is None else &lengths[0]
        table.labels = <const uint16_t*>NULL if labels is None else &labels[0]
        table.values = &values[0]
        table.totals = &totals[0]
        table.squares = <const float*>NULL if squares is None else &squares[0]
        table.n_rows = values.shape[0] if keys is None else keys.shape[0]
        table.row = 0
        table.entry = 0
        table.is_shard = is_shard
        table.n_examples = n_examples
        self.tables.push_back(table)

    def mix(self):
        """Read all tables to the end.

        RETURNS (dict): The arrays of the mixed table. In its rows come the classes that were there
            before, then those that are new in the first shard, and so on.
        """
        cdef Py_ssize_t n_rows = 0, n_entries = 0
        cdef uint64_t key = 0
        most_rows = sum(len(table.get("keys", table["values"])) for table in self.arrays)
        most_entries = sum(len(table["values"]) for table in self.arrays)
        # What is not written does not take any memory.
        keys = np.empty(most_rows, dtype=np.uint64)
        lengths = np.empty(most_rows, dtype=np.int32)
        labels = np.empty(most_entries, dtype=np.uint16)
        values = np.empty(most_entries, dtype=np.float32)
        totals = np.empty(most_entries, dtype=np.float64)
        squares = np.empty(most_entries, dtype=np.float32)
        cdef uint64_t[::1] key_view = keys
        cdef int32_t[::1] length_view = lengths
        cdef uint16_t[::1] label_view = labels
        cdef float[::1] value_view = values
        cdef double[::1] total_view = totals
        cdef float[::1] square_view = squares
        cdef size_t k
        with nogil:
            while self._next_key(&key):
                self._read_row(key, n_rows)
                for k in range(self.weights.size()):
                    label_view[n_entries] = self.classes[k]
                    self._settle(
                        &self.weights[k], &value_view[n_entries], &total_view[n_entries],
                        &square_view[n_entries],
                    )
                    n_entries += 1
                key_view[n_rows] = key
                length_view[n_rows] = <int32_t>self.weights.size()
                n_rows += 1
        found = {"values": values[:n_entries].copy(), "totals": totals[:n_entries].copy()}
        if self.adaptive:
            found["squares"] = squares[:n_entries].copy()
        if "indices" in self.arrays[0]:
            return {"indices": keys[:n_rows].astype(np.uint32), **found}
        rows = {"keys": keys[:n_rows].copy(), "lengths": lengths[:n_rows].copy()}
        return {**rows, "labels": labels[:n_entries].copy(), **found}

    cdef bint _next_key(self, uint64_t* key) noexcept nogil:
        """Find the smallest key that is left, if any."""
        cdef bint is_left = False
        cdef size_t t
        cdef uint64_t other
        for t in range(self.tables.size()):
            if self.tables[t].row < self.tables[t].n_rows:
                other = key_of(&self.tables[t])
                if not is_left or other < key[0]:
                    key[0] = other
                is_left = True
        return is_left

    cdef void _read_row(self, uint64_t key, Py_ssize_t number) noexcept nogil:
        """Read a row from all tables that have it."""
        cdef Table* table
        cdef Py_ssize_t end
        cdef size_t t
        self.classes.clear()
        self.weights.clear()
        for t in range(self.tables.size()):
            table = &self.tables[t]
            if table.row < table.n_rows and key_of(table) == key:
                end = table.entry + (1 if table.lengths == NULL else table.lengths[table.row])
                while table.entry < end:
                    self._read_entry(table, number)
                    table.entry += 1
                table.row += 1

    cdef void _read_entry(self, const Table* table, Py_ssize_t number) noexcept nogil:
        cdef uint16_t label = 0 if table.labels == NULL else table.labels[table.entry]
        cdef float value = table.values[table.entry]
        cdef double total = table.totals[table.entry]
        cdef double square = 0 if table.squares == NULL else table.squares[table.entry]
        cdef Weight weight
        if self.owners[label] != number:
            self.owners[label] = number
            self.places[label] = self.weights.size()
            weight.value = 0 if table.is_shard else value
            weight.total = 0 if table.is_shard else total
            weight.square = 0 if table.is_shard else square
            weight.change = 0
            weight.sums = 0
            weight.squares = 0
            weight.n_moved = 0
            self.classes.push_back(label)
            self.weights.push_back(weight)
        if table.is_shard:
            move(&self.weights[self.places[label]], value, total, square, table.n_examples)

    cdef void _settle(
        self, const Weight* weight, float* value, double* total, float* square
    ) noexcept nogil:
        """Write a weight after the round."""
        value[0] = weight.value
        total[0] = weight.total
        square[0] = <float>weight.square
        if weight.n_moved:
            value[0] = bound(<float>(weight.value + weight.change / weight.n_moved))
            total[0] += self.n_examples * (<double>value[0] - <double>weight.value) - weight.sums
            square[0] = <float>(weight.square + weight.squares)


def _checked(table, adaptive):
    """Raise ValueError if arrays are not those of a table: nothing is read beyond their ends."""
    table = {name: np.ascontiguousarray(array) for name, array in table.items()}
    n = len(table["values"])
    keys = table["indices"] if "indices" in table else table["keys"]
    n_labels = len(table.get("labels", keys))
    n_read = len(keys) if "indices" in table else int(table["lengths"].sum(dtype=np.int64))
    sizes = {n, n_labels, n_read, len(table["totals"])}
    if (
        sizes != {n}
        or len(table.get("lengths", keys)) != len(keys)
        or adaptive != ("squares" in table)
        or len(table.get("squares", keys[:0])) != (n if adaptive else 0)
        or (table.get("lengths", keys) < 0).any()
        or (keys[1:] <= keys[: len(keys) - 1]).any()
    ):
        raise ValueError(Errors.TABLE_DAMAGED)
    return table


def mix_tables(tables, n_examples):
    """Mix weight tables.

    tables (list[dict]): The arrays of the table before the round, and in each shard after it, as
        `WeightTable.state` or `HashedWeights.state` returns them.
    n_examples (list[int]): The number of examples by then.
    RETURNS (dict): The arrays of the mixed table.
    """
    return Mixer(tables, n_examples).mix()
