"""Kernels of pairs of structures (Collins & Duffy 2002): the number of fragments they share, each
weighted by its size.

K(x, y) is the sum of C(a, b) over all nodes a of x and b of y (see `nodes` for C). Only pairs of
one group (trees: of one production) are visited, each once: the nodes of x are sorted by group, and
those of y are taken children first, so that the values of their children are at hand. The paper
fills a table of all pairs instead.

Time of one kernel: the number of nodes of y plus that of matching pairs (WSJ trees of 25 words: 44
nodes, about 14 pairs). Memory: a row of values per node of y that waits for its parent.
"""
import numpy as np


from cython.operator cimport dereference as deref
from libc.stdint cimport uint64_t
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

from .nodes cimport base_value, child_scale, read_nodes

cdef enum:
    SUBSET_TREE = 0


cdef class PairKernel:
    """The kernels of a structure with others."""

    cdef void prepare(self) noexcept nogil:
        """Number the groups."""
        cdef unordered_map[uint64_t, int] numbers
        cdef unordered_map[uint64_t, int].iterator found
        cdef pair[uint64_t, int] entry
        cdef size_t i
        self.first_groups.resize(self.first.groups.size())
        self.second_groups.resize(self.second.groups.size())
        numbers.reserve(self.first.groups.size())
        for i in range(self.first.groups.size()):
            entry.first, entry.second = self.first.groups[i], <int>numbers.size()
            self.first_groups[i] = deref(numbers.insert(entry).first).second
        for i in range(self.second.groups.size()):
            found = numbers.find(self.second.groups[i])
            self.second_groups[i] = -1
            if found != numbers.end():
                self.second_groups[i] = deref(found).second
        self.n_groups = <int>numbers.size()
        self.group_starts.assign(self.n_groups, 0)
        self.group_ends.assign(self.n_groups, 0)
        self.rows.assign(self.second.groups.size(), -1)

    cdef void choose(self, int structure) noexcept nogil:
        """Sort the nodes of a first structure by group."""
        cdef int start = self.first.starts[structure], end = self.first.starts[structure + 1]
        cdef int i, group, place = 0
        self.members.resize(end - start)
        for i in range(start, end):
            group = self.first_groups[i]
            self.group_ends[group] = self.group_ends[group] + 1
        for i in range(start, end):
            group = self.first_groups[i]
            if self.group_ends[group] > 0 and self.group_starts[group] == 0:
                # Starts are kept as -1 - place until the group's first node is put there.
                self.group_starts[group] = -1 - place
                place += self.group_ends[group]
        for i in range(start, end):
            group = self.first_groups[i]
            if self.group_starts[group] < 0:
                self.group_starts[group] = -1 - self.group_starts[group]
                self.group_ends[group] = self.group_starts[group]
            self.members[self.group_ends[group]] = i
            self.group_ends[group] = self.group_ends[group] + 1
        self.values.clear()
        self.free_rows.clear()
        self.n_rows = 0

    cdef void leave(self, int structure) noexcept nogil:
        """Forget the groups of a first structure."""
        cdef int i
        for i in range(self.first.starts[structure], self.first.starts[structure + 1]):
            self.group_starts[self.first_groups[i]] = 0
            self.group_ends[self.first_groups[i]] = 0

    cdef double evaluate(self, int structure, int other) noexcept nogil:
        """The kernel of the chosen first structure with one of the second ones."""
        cdef int start = self.first.starts[structure]
        cdef int size = self.first.starts[structure + 1] - start
        cdef int node, group, j
        cdef double total = 0, value
        for node in range(self.second.starts[other], self.second.starts[other + 1]):
            group = self.second_groups[node]
            if group >= 0 and self.group_ends[group] > self.group_starts[group]:
                value = self._fill_row(node, start, size)
                if self.second.counted[node]:
                    total += value
                if not self.second.inner[node]:
                    self._release(node)
            for j in range(self.second.child_starts[node], self.second.child_starts[node + 1]):
                self._release(self.second.children[j])
        return total

    cdef void _release(self, int node) noexcept nogil:
        """Give back the row of a node, if it has one."""
        if self.rows[node] >= 0:
            self.free_rows.push_back(self.rows[node])
            self.rows[node] = -1

    cdef double _fill_row(self, int node, int start, int size) noexcept nogil:
        """Compute C of a second node with all matching first nodes; returns their sum."""
        cdef int kind = self.first.kind
        cdef double scale = child_scale(kind, self.first.decay)
        cdef int group = self.second_groups[node]
        cdef int first_child = self.second.child_starts[node]
        cdef int n_children = self.second.child_starts[node + 1] - first_child
        cdef int i, j, match, first_children, child, first_child_of_match
        cdef double total = 0, value
        cdef uint64_t word = 0, shape = 0, other_word = 0, other_shape = 0
        cdef double* row
        if kind != SUBSET_TREE:
            other_word, other_shape = self.second.words[node], self.second.shapes[node]
        if self.free_rows.empty():
            self.free_rows.push_back(self.n_rows)
            self.n_rows = self.n_rows + 1
            self.values.resize(<size_t>self.n_rows * size)
        self.rows[node] = self.free_rows.back()
        self.free_rows.pop_back()
        row = self.values.data() + <size_t>self.rows[node] * size
        for i in range(self.group_starts[group], self.group_ends[group]):
            match = self.members[i]
            if kind != SUBSET_TREE:
                word, shape = self.first.words[match], self.first.shapes[match]
            value = base_value(kind, self.first.decay, word, shape, other_word, other_shape)
            first_children = self.first.child_starts[match]
            if self.first.child_starts[match + 1] - first_children == n_children:
                for j in range(n_children):
                    first_child_of_match = self.first.children[first_children + j]
                    child = self.second.children[first_child + j]
                    if self.first_groups[first_child_of_match] == self.second_groups[child]:
                        value *= 1.0 + scale * self.values[
                            <size_t>self.rows[child] * size + first_child_of_match - start
                        ]
            row[match - start] = value
            total += value
        return total


cdef PairKernel make_pair_kernel(StructureNodes first, StructureNodes second):
    """RETURNS (PairKernel): Kernels between the structures of two sets of nodes."""
    cdef PairKernel kernel = PairKernel.__new__(PairKernel)
    kernel.first = first
    kernel.second = second
    kernel.n_rows = 0
    kernel.prepare()
    return kernel


def kernel_matrix(settings, first, second):
    """The kernels of all pairs of structures, without the base model's part.

    settings (KernelSettings): The kernel.
    first (Structures): Trees or tagged sequences.
    second (Structures): More of them.
    RETURNS (float64 matrix): A row per structure of `first`, a column per one of `second`.
    """
    cdef StructureNodes first_nodes = read_nodes(settings, first)
    cdef StructureNodes second_nodes = read_nodes(settings, second)
    cdef PairKernel kernel = make_pair_kernel(first_nodes, second_nodes)
    matrix = np.zeros((len(first), len(second)))
    cdef double[:, ::1] view = matrix
    cdef int i, j
    with nogil:
        for i in range(first_nodes.n_structures):
            kernel.choose(i)
            for j in range(second_nodes.n_structures):
                view[i, j] = kernel.evaluate(i, j)
            kernel.leave(i)
    if settings.normalize:
        matrix *= inverse_norms(settings, first)[:, None]
        matrix *= inverse_norms(settings, second)
    return matrix


def inverse_norms(settings, structures):
    """1 / sqrt(K(x, x)) of each structure, and 0 where K(x, x) is 0.

    settings (KernelSettings): The kernel; whether it is to be normalized makes no difference.
    structures (Structures): Trees or tagged sequences.
    RETURNS (float64 array): A number per structure.
    """
    cdef StructureNodes nodes = read_nodes(settings, structures)
    cdef PairKernel kernel = make_pair_kernel(nodes, nodes)
    squares = np.zeros(len(structures))
    cdef double[::1] view = squares
    cdef int i
    with nogil:
        for i in range(nodes.n_structures):
            kernel.choose(i)
            view[i] = kernel.evaluate(i, i)
            kernel.leave(i)
    norms = np.sqrt(squares)
    return np.divide(1.0, norms, out=np.zeros(len(structures)), where=norms > 0)
