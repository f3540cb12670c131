"""Structures as nodes of one kind, for all kernels.

The kernels of Collins & Duffy (2002) are sums of C(a, b) over the nodes a of one structure and b of
another. C is 0 unless the nodes are of one group, and else

    C(a, b) = base(a, b) * product over children j of (1 + scale * C(a_j, b_j))

- Trees: a node's group is its production (its label and those of its children, words among them);
  base = decay, scale = 1. Words are no nodes, so a preterminal has no children here: C = decay.
- Tagged sequences: the group is the tag, the only child is the next word; scale = decay, and base
  is 1, plus 1 for the same word; smoothed: plus 1/2 for the same word and 1/2 for the same shape.
- Sequences with runs of at most m words: each word starts a window of m words, whose first node has
  the window of m - 1 words from the next word on as its child, and so on. The group is the tag with
  the length that the window may have. Only fragments that start at a window's first node count.

Nodes stand in an order in which children come before their parents, so nothing recurses. Groups
and whole substructures are known by 64-bit hashes: of a million different ones, two fall together
with a probability of about 3e-8. Reading is linear in the number of nodes (times m).
"""
import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from ...features.hashing cimport mix

cdef enum:
    SUBSET_TREE = 0
    TAGGING = 1


cdef inline uint64_t _extend(uint64_t state, uint64_t value) noexcept nogil:
    """The hash of a list, from that of its beginning and its next member. The two must not be
    exchangeable: members can be hashes too."""
    return mix((state + 1) * <uint64_t>0x9E3779B97F4A7C15 + value)


cdef double base_value(
    int kind, double decay, uint64_t word, uint64_t shape, uint64_t other_word, uint64_t other_shape
) noexcept nogil:
    """The factor of C(a, b) that does not depend on children."""
    if kind == SUBSET_TREE:
        return decay
    if kind == TAGGING:
        return 1.0 + (word == other_word)
    return 1.0 + 0.5 * (word == other_word) + 0.5 * (shape == other_shape)


cdef double child_scale(int kind, double decay) noexcept nogil:
    """The factor of a child's value."""
    return 1.0 if kind == SUBSET_TREE else decay


cdef class StructureNodes:
    """The nodes of several structures."""

    cdef void read_trees(
        self, const uint64_t[::1] labels, const int[::1] n_children, const int64_t[::1] offsets
    ) noexcept nogil:
        """Add all trees; they must be well formed."""
        cdef Py_ssize_t tree, i
        cdef int j, child
        cdef uint64_t production, identity
        # The children that wait for their parent, the leftmost on top: node (-1 for a word), label.
        cdef vector[int] waiting
        cdef vector[uint64_t] waiting_labels
        self.child_starts.push_back(0)
        self.starts.push_back(0)
        for tree in range(offsets.shape[0] - 1):
            waiting.clear()
            waiting_labels.clear()
            for i in range(offsets[tree + 1] - 1, offsets[tree] - 1, -1):
                if n_children[i] == 0:
                    waiting.push_back(-1)
                    waiting_labels.push_back(labels[i])
                    continue
                production = _extend(_extend(0, labels[i]), n_children[i])
                identity = 0
                for j in range(n_children[i]):
                    child = waiting.back()
                    production = _extend(_extend(production, waiting_labels.back()), child < 0)
                    if child >= 0:
                        self.children.push_back(child)
                        self.inner[child] = 1
                        identity = _extend(identity, self.identities[child])
                    waiting.pop_back()
                    waiting_labels.pop_back()
                waiting.push_back(<int>self.groups.size())
                waiting_labels.push_back(labels[i])
                self.groups.push_back(production)
                self.identities.push_back(_extend(identity, production))
                self.counted.push_back(1)
                self.inner.push_back(0)
                self.positions.push_back(<int>i)
                self.child_starts.push_back(<int>self.children.size())
            self.starts.push_back(<int>self.groups.size())

    cdef void read_sequences(
        self,
        const uint64_t[::1] tags,
        const uint64_t[::1] words,
        const uint64_t[::1] shapes,
        const int64_t[::1] offsets,
        int max_length,
    ) noexcept nogil:
        """Add all sequences; the plain kernel does not look at shapes."""
        cdef Py_ssize_t sequence, i
        cdef int level, child, n_levels = max(max_length, 1)
        cdef uint64_t shape
        self.child_starts.push_back(0)
        self.starts.push_back(0)
        for sequence in range(offsets.shape[0] - 1):
            for i in range(offsets[sequence + 1] - 1, offsets[sequence] - 1, -1):
                shape = 0 if self.kind == TAGGING else shapes[i]
                for level in range(n_levels):
                    # The next word's window of one word less, which has been added before.
                    child = <int>self.groups.size() - n_levels - (max_length > 0)
                    if i + 1 == offsets[sequence + 1] or (max_length and level == 0):
                        child = -1
                    self._add_window(tags[i], words[i], shape, level, child)
                    self.counted.push_back(level == n_levels - 1)
                    self.positions.push_back(<int>i)
            self.starts.push_back(<int>self.groups.size())

    cdef void _add_window(
        self, uint64_t tag, uint64_t word, uint64_t shape, int level, int child
    ) noexcept nogil:
        cdef uint64_t group = _extend(_extend(0, tag), level)
        cdef uint64_t identity = _extend(_extend(_extend(0, group), word), shape)
        if child >= 0:
            self.children.push_back(child)
            self.inner[child] = 1
            identity = _extend(identity, self.identities[child])
        self.groups.push_back(group)
        self.inner.push_back(0)
        self.words.push_back(word)
        self.shapes.push_back(shape)
        self.identities.push_back(identity)
        self.child_starts.push_back(<int>self.children.size())


cdef StructureNodes read_nodes(settings, structures):
    """Read structures for a kernel.

    settings (KernelSettings): The kernel.
    structures (Structures): Trees or sequences.
    RETURNS (StructureNodes): Their nodes.
    """
    cdef StructureNodes nodes = StructureNodes.__new__(StructureNodes)
    cdef const uint64_t[::1] labels, words, shapes
    cdef const int[::1] n_children
    cdef const int64_t[::1] offsets
    cdef int max_length = settings.max_length
    settings.check(structures)
    offsets = structures.offsets
    nodes.kind = settings.number
    nodes.decay = settings.decay
    nodes.n_structures = <int>len(structures)
    if nodes.kind == SUBSET_TREE:
        labels, n_children = structures.labels, structures.n_children
        with nogil:
            nodes.read_trees(labels, n_children, offsets)
    else:
        labels, words, shapes = structures.tags, structures.words, structures.shapes
        with nogil:
            nodes.read_sequences(labels, words, shapes, offsets, max_length)
    return nodes


def node_arrays(settings, structures):
    """The nodes of structures as arrays, for code that is not compiled.

    settings (KernelSettings): The kernel.
    structures (Structures): Trees or sequences.
    RETURNS (dict[str, np.ndarray]): Per node its `groups` id, whether it is `counted`, its
        `positions` in the given arrays and its `n_children`; the nodes' numbers of all `children`;
        and the number of the first node of each structure in `starts`.
    """
    cdef StructureNodes nodes = read_nodes(settings, structures)
    return {
        "groups": np.array(nodes.groups, dtype=np.uint64),
        "counted": np.array(nodes.counted, dtype=bool),
        "positions": np.array(nodes.positions, dtype=np.int64),
        "n_children": np.diff(np.array(nodes.child_starts, dtype=np.int64)),
        "children": np.array(nodes.children, dtype=np.int64),
        "starts": np.array(nodes.starts, dtype=np.int64),
    }
