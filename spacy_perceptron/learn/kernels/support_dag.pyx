"""The support candidates of a dual perceptron as one weighted graph.

The dual perceptron's score of x is the sum over its mistakes of K(target, x) - K(chosen, x). A
kernel is a sum over nodes, and equal substructures (see `candidate_dag`) have equal values. So all
support candidates together are one set of distinct nodes d with weights a_d = the sum over all
mistakes of the count of d in the target minus that in the chosen candidate, each divided by its
candidate's norm if the kernel is normalized. What the two candidates of a mistake share cancels
out: a mistake adds the nodes in which they differ, and those below them that are not there yet,
with weight 0.

Nodes are kept by group, since only nodes of one group match: a group's weights and children lie
beside each other. Averages are lazy, as in all learners here: beside a_d there is u_d, the sum of
(example - 1) * change over the examples (from 1) that changed it, and the average over n examples
is a_d - u_d / n.

A mistake can be taken back. Nodes that nothing needs any more leave a hole, which the next node of
their group fills: the places of other nodes never change.

Adding and taking back: linear in the size of the two candidates.
"""
import numpy as np


from cython.operator cimport dereference as deref
from libc.stdint cimport int64_t, uint64_t
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from ...errors import Errors

cdef enum:
    SUBSET_TREE = 0


cdef class SupportDag:
    """Weighted nodes, and which mistake gave them which weight.

    settings (KernelSettings): The kernel.
    """

    def __init__(self, settings):
        self.kind = settings.number
        self.n_nodes = 0
        self.n_holes = 0

    def __len__(self):
        """The number of mistakes."""
        return self.mistakes.size()

    def add_mistake(
        self, CandidateDag candidates, int target, int chosen,
        *, double target_factor, double chosen_factor, double base_delta, int64_t example,
    ):
        """Learn that one candidate was chosen and not the target.

        candidates (CandidateDag): All candidates.
        target (int): The target's place among them.
        chosen (int): The other one's place.
        target_factor (float): By what the target's counts are multiplied: 1 or its inverse norm.
        chosen_factor (float): The same for the other one.
        base_delta (float): The difference of their base scores.
        example (int): The number of the example, from 1.
        """
        cdef vector[double] deltas
        cdef Mistake mistake
        cdef int i
        mistake.example, mistake.base_delta = example, base_delta
        self._require_no_readers()
        deltas.assign(candidates.groups.size(), 0.0)
        for i in range(candidates.starts[target], candidates.starts[target + 1]):
            deltas[candidates.occurrences[i].node] += (
                target_factor * candidates.occurrences[i].count
            )
        for i in range(candidates.starts[chosen], candidates.starts[chosen + 1]):
            deltas[candidates.occurrences[i].node] -= (
                chosen_factor * candidates.occurrences[i].count
            )
        self.add(candidates, deltas, mistake)

    def drop_oldest(self):
        """Take the oldest mistake back.

        RETURNS (tuple[int, float]): Its example and its difference of base scores.
        """
        cdef Mistake mistake = self.mistakes.front()
        self._require_no_readers()
        self.drop()
        return mistake.example, mistake.base_delta

    cdef int _require_no_readers(self) except -1:
        """Refuse to change while other threads read, which they do without the GIL."""
        if self.n_readers:
            raise RuntimeError(Errors.KERNEL_BUSY)
        return 0

    def mistake_arrays(self):
        """RETURNS (tuple[int64 array, float64 array]): The example of each mistake, oldest first,
        and its difference of base scores."""
        cdef size_t i, n = self.mistakes.size()
        examples, base_deltas = np.zeros(n, np.int64), np.zeros(n)
        cdef int64_t[::1] example_view = examples
        cdef double[::1] delta_view = base_deltas
        for i in range(n):
            example_view[i] = self.mistakes[i].example
            delta_view[i] = self.mistakes[i].base_delta
        return examples, base_deltas

    cdef void add(
        self, CandidateDag candidates, const vector[double]& deltas, Mistake mistake
    ) noexcept nogil:
        """Change weights, and add the nodes that this needs."""
        cdef int node, j, n = <int>candidates.groups.size()
        cdef unordered_map[uint64_t, Place].iterator known
        cdef vector[char] wanted
        cdef vector[Place] found
        cdef Place nowhere
        cdef Entry entry
        nowhere.group, nowhere.rank = -1, 0
        found.assign(n, nowhere)
        wanted.assign(n, 0)
        for node in range(n - 1, -1, -1):
            if deltas[node] == 0 and not wanted[node]:
                continue
            wanted[node] = 1
            known = self.places.find(candidates.identities[node])
            if known != self.places.end():
                found[node] = deref(known).second
                continue
            for j in range(candidates.child_starts[node], candidates.child_starts[node + 1]):
                wanted[candidates.children[j]] = 1
        self.mistakes.push_back(mistake)
        self.entries.push_back(vector[Entry]())
        for node in range(n):
            if not wanted[node]:
                continue
            if found[node].group < 0:
                found[node] = self.insert(candidates, node, found)
            if deltas[node] == 0:
                continue
            entry.place, entry.delta = found[node], deltas[node]
            self.entries.back().push_back(entry)
            self.move(entry.place, entry.delta, mistake.example)
            self.refer(entry.place, 1)

    cdef Place insert(
        self, CandidateDag candidates, int node, const vector[Place]& found
    ) noexcept nogil:
        """Add a node; its children are there."""
        cdef int first = candidates.child_starts[node], j
        cdef int n_children = candidates.child_starts[node + 1] - first
        cdef int group = self.find_group(candidates.groups[node])
        cdef Place place, child
        if group < 0:
            # The last word of a sequence has no child, others of its tag have one.
            group = self.add_group(
                candidates.groups[node], n_children if self.kind == SUBSET_TREE else 1
            )
        place = self.new_place(group)
        self.identities[group][place.rank] = candidates.identities[node]
        self.places[candidates.identities[node]] = place
        if self.kind != SUBSET_TREE:
            self.words[group][place.rank] = candidates.words[node]
            self.shapes[group][place.rank] = candidates.shapes[node]
        for j in range(n_children):
            child = found[candidates.children[first + j]]
            self.children[group][place.rank * self.arities[group] + j] = child
            self.refer(child, 1)
        return place

    cdef void move(self, Place place, double delta, int64_t example) noexcept nogil:
        """Change a weight, and its sum for averages."""
        cdef double* weight = &self.weights[place.group][place.rank]
        cdef double* total = &self.sums[place.group][place.rank]
        weight[0] += delta
        total[0] += (example - 1) * delta

    cdef int refer(self, Place place, int n) noexcept nogil:
        """RETURNS (int): How many mistakes and nodes need a node, after n more do."""
        cdef int* references = &self.references[place.group][place.rank]
        references[0] += n
        return references[0]

    cdef int find_group(self, uint64_t group) noexcept nogil:
        """RETURNS (int): The number of a group, or -1."""
        cdef unordered_map[uint64_t, int].iterator found = self.group_numbers.find(group)
        if found == self.group_numbers.end():
            return -1
        return deref(found).second

    cdef int add_group(self, uint64_t group, int arity) noexcept nogil:
        """RETURNS (int): The number of a new group."""
        self.group_numbers[group] = <int>self.group_ids.size()
        self.group_ids.push_back(group)
        self.arities.push_back(arity)
        self.holes.push_back(vector[int]())
        self.weights.push_back(vector[double]())
        self.sums.push_back(vector[double]())
        self.children.push_back(vector[Place]())
        self.words.push_back(vector[uint64_t]())
        self.shapes.push_back(vector[uint64_t]())
        self.identities.push_back(vector[uint64_t]())
        self.references.push_back(vector[int]())
        return <int>self.group_ids.size() - 1

    cdef Place new_place(self, int group) noexcept nogil:
        """Room for a node without weight, children or references: a hole, or the group's end."""
        cdef Place place, nowhere
        nowhere.group, nowhere.rank = -1, 0
        place.group = group
        self.n_nodes = self.n_nodes + 1
        if not self.holes[group].empty():
            place.rank = self.holes[group].back()
            self.holes[group].pop_back()
            self.n_holes = self.n_holes - 1
            return place
        place.rank = <int>self.weights[group].size()
        self.weights[group].push_back(0)
        self.sums[group].push_back(0)
        self.identities[group].push_back(0)
        self.references[group].push_back(0)
        self.children[group].insert(
            self.children[group].end(), <size_t>self.arities[group], nowhere
        )
        if self.kind != SUBSET_TREE:
            self.words[group].push_back(0)
            self.shapes[group].push_back(0)
        return place

    cdef void drop(self) noexcept nogil:
        """Take the oldest mistake back."""
        cdef int64_t example = self.mistakes.front().example
        cdef vector[Entry] entries = self.entries.front()
        cdef Entry entry
        cdef size_t i
        for i in range(entries.size()):
            entry = entries[i]
            self.move(entry.place, -entry.delta, example)
            self.release(entry.place)
        self.mistakes.pop_front()
        self.entries.pop_front()

    cdef void release(self, Place place) noexcept nogil:
        """Take back a reference to a node; if it was the last, remove it and what it alone needs."""
        cdef vector[Place] stack
        cdef size_t j
        cdef int arity
        stack.push_back(place)
        while not stack.empty():
            place = stack.back()
            stack.pop_back()
            if self.refer(place, -1) > 0:
                continue
            arity = self.arities[place.group]
            for j in range(<size_t>place.rank * arity, <size_t>(place.rank + 1) * arity):
                if self.children[place.group][j].group >= 0:
                    stack.push_back(self.children[place.group][j])
                    self.children[place.group][j].group = -1
            self.places.erase(self.identities[place.group][place.rank])
            self.weights[place.group][place.rank] = 0
            self.sums[place.group][place.rank] = 0
            self.holes[place.group].push_back(place.rank)
            self.n_holes = self.n_holes + 1
            self.n_nodes = self.n_nodes - 1
