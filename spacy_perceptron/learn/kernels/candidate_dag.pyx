"""A list of candidates as one graph in which equal substructures are one node (hash-consing).

The candidates for a sentence share most of their substructures. With each of them once, a list of
20 has a quarter of the nodes, and a kernel against all of them costs as much less. A node that all
candidates have equally often gives all of them the same score: where only differences matter, it is
skipped unless a node above it is needed.

Time: linear in the number of nodes.
"""
from cython.operator cimport dereference as deref
from libc.stdint cimport uint64_t
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

from .nodes cimport read_nodes


cdef class CandidateDag:
    """The distinct nodes of several structures, and how often each structure has them.

    settings (KernelSettings): The kernel they are for.
    structures (Structures): The candidates.
    """

    def __init__(self, settings, structures):
        cdef StructureNodes nodes = read_nodes(settings, structures)
        with nogil:
            self.read(nodes)

    def __len__(self):
        return self.n_candidates

    @property
    def n_nodes(self):
        """The number of distinct nodes."""
        return self.groups.size()

    cdef void read(self, StructureNodes nodes) noexcept nogil:
        """Merge the nodes of all candidates."""
        cdef unordered_map[uint64_t, int] known
        cdef vector[int] node_of
        # The place of a distinct node among the occurrences of the present candidate.
        cdef vector[int] place
        cdef int candidate, i, j, node, n
        cdef Occurrence occurrence
        cdef pair[uint64_t, int] entry
        node_of.resize(nodes.groups.size())
        known.reserve(nodes.groups.size())
        self.kind = nodes.kind
        self.decay = nodes.decay
        self.n_candidates = nodes.n_structures
        self.child_starts.push_back(0)
        self.starts.push_back(0)
        for candidate in range(nodes.n_structures):
            n = <int>self.occurrences.size()
            for i in range(nodes.starts[candidate], nodes.starts[candidate + 1]):
                entry.first, entry.second = nodes.identities[i], <int>self.groups.size()
                node = deref(known.insert(entry).first).second
                node_of[i] = node
                if node == <int>self.groups.size():
                    place.push_back(-1)
                    self.groups.push_back(nodes.groups[i])
                    self.identities.push_back(nodes.identities[i])
                    if not nodes.words.empty():
                        self.words.push_back(nodes.words[i])
                        self.shapes.push_back(nodes.shapes[i])
                    for j in range(nodes.child_starts[i], nodes.child_starts[i + 1]):
                        self.children.push_back(node_of[nodes.children[j]])
                    self.child_starts.push_back(<int>self.children.size())
                if not nodes.counted[i]:
                    continue
                if place[node] < n:
                    place[node] = <int>self.occurrences.size()
                    occurrence.node, occurrence.count = node, 0
                    self.occurrences.push_back(occurrence)
                self.occurrences[place[node]].count = self.occurrences[place[node]].count + 1
            self.starts.push_back(<int>self.occurrences.size())
        self._find_common()

    cdef void _find_common(self) noexcept nogil:
        """Mark the nodes that all candidates have equally often."""
        cdef vector[int] n_equal
        cdef vector[int] first
        cdef size_t i
        cdef int node
        n_equal.assign(self.groups.size(), 0)
        first.assign(self.groups.size(), 0)
        for i in range(self.occurrences.size()):
            node = self.occurrences[i].node
            if n_equal[node] == 0:
                first[node] = self.occurrences[i].count
            n_equal[node] += first[node] == self.occurrences[i].count
        self.common.resize(self.groups.size())
        for i in range(self.groups.size()):
            self.common[i] = n_equal[i] == self.n_candidates

    cdef void mark_needed(self, vector[char]& needed, bint skip_common) noexcept nogil:
        """Mark the nodes whose kernels are needed: counted ones, and all below them.

        needed (vector[char]): Is set, per distinct node.
        skip_common (bool): Leave out what all candidates have, unless it is below something else.
        """
        cdef size_t i
        cdef int node, j
        needed.assign(self.groups.size(), 0)
        for i in range(self.occurrences.size()):
            node = self.occurrences[i].node
            needed[node] = not (skip_common and self.common[node])
        for node in range(<int>self.groups.size() - 1, -1, -1):
            if needed[node]:
                for j in range(self.child_starts[node], self.child_starts[node + 1]):
                    needed[self.children[j]] = 1
