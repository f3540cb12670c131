"""Scores of candidates against all support candidates of a dual perceptron at once.

For each distinct node s of the candidates, children first: a row of C(s, d) for all support nodes d
of its group (see `nodes` for C), from the rows of its children; then g(s) = the sum of a_d C(s, d).
A candidate's score is the sum of g(s) over its nodes. A list of 20 candidates against 2,000 support
candidates are 40,000 kernels; here they take one visit per matching pair of distinct nodes.

A row is freed when the last node above it has been computed: those of deep trees do not pile up.
"""
import numpy as np


from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from .candidate_dag cimport CandidateDag, Occurrence
from .nodes cimport base_value
from .support_dag cimport Place, SupportDag

cdef enum:
    SUBSET_TREE = 0


cdef class KernelRows:
    """The values of C between the candidates' nodes and the support's, a row at a time."""

    cdef void prepare(self, bint skip_common) noexcept nogil:
        """Find which rows are needed, and how long."""
        cdef int node, j, child, n = <int>self.candidates.groups.size()
        self.candidates.mark_needed(self.needed, skip_common)
        self.groups.assign(n, -1)
        self.n_waiting.assign(n, 0)
        self.rows.assign(n, -1)
        for node in range(n):
            if not self.needed[node]:
                continue
            self.groups[node] = self.support.find_group(self.candidates.groups[node])
            if self.groups[node] < 0:
                continue
            for j in range(
                self.candidates.child_starts[node], self.candidates.child_starts[node + 1]
            ):
                child = self.candidates.children[j]
                self.n_waiting[child] = self.n_waiting[child] + 1

    cdef const double* compute(self, int node) noexcept nogil:
        """Fill the row of a node whose group is in the support; its children's rows are there."""
        cdef int group = self.groups[node], j, child, child_group, slot
        cdef const double* values
        cdef size_t size = self.support.weights[group].size()
        if self.free_rows.empty():
            self.free_rows.push_back(<int>self.values.size())
            self.values.push_back(vector[double]())
        slot = self.free_rows.back()
        self.free_rows.pop_back()
        self.rows[node] = slot
        if self.values[slot].size() < size:
            self.values[slot].resize(size)
        self.child_groups.clear()
        self.child_values.clear()
        for j in range(self.candidates.child_starts[node], self.candidates.child_starts[node + 1]):
            child = self.candidates.children[j]
            # No support node has a child of group -2. No conditional expression here: next to a
            # vector's element it is compiled to a reference to a number that is gone.
            child_group = self.groups[child]
            if child_group < 0:
                child_group = -2
            self.child_groups.push_back(child_group)
            values = NULL
            if self.rows[child] >= 0:
                values = self.values[self.rows[child]].data()
            self.child_values.push_back(values)
        if self.support.kind == SUBSET_TREE:
            self._fill_tree_row(group, self.values[slot].data())
        else:
            self._fill_window_row(node, group, self.values[slot].data())
        return self.values[slot].data()

    cdef void _fill_tree_row(self, int group, double* row) noexcept nogil:
        cdef size_t rank, n = self.support.weights[group].size()
        cdef int arity = self.support.arities[group], j
        cdef const Place* places = self.support.children[group].data()
        cdef const int* groups = self.child_groups.data()
        cdef const double** values = self.child_values.data()
        cdef double decay = self.candidates.decay, value
        for rank in range(n):
            value = decay
            for j in range(arity):
                if places[j].group == groups[j]:
                    value *= 1.0 + values[j][places[j].rank]
            row[rank] = value
            places += arity

    cdef void _fill_window_row(self, int node, int group, double* row) noexcept nogil:
        cdef size_t rank, n = self.support.weights[group].size()
        cdef const Place* places = self.support.children[group].data()
        cdef const uint64_t* words = self.support.words[group].data()
        cdef const uint64_t* shapes = self.support.shapes[group].data()
        cdef uint64_t word = self.candidates.words[node], shape = self.candidates.shapes[node]
        cdef double decay = self.candidates.decay, value
        cdef int next_group = -2, kind = self.support.kind
        cdef const double* next_values = NULL
        if not self.child_groups.empty():
            next_group, next_values = self.child_groups[0], self.child_values[0]
        for rank in range(n):
            value = base_value(kind, decay, word, shape, words[rank], shapes[rank])
            if places[rank].group == next_group:
                value *= 1.0 + decay * next_values[places[rank].rank]
            row[rank] = value

    cdef void finish(self, int node) noexcept nogil:
        """Free the rows that a node was the last to need, its own among them."""
        cdef int j, child
        if self.n_waiting[node] == 0 and self.rows[node] >= 0:
            self.free_rows.push_back(self.rows[node])
            self.rows[node] = -1
        for j in range(self.candidates.child_starts[node], self.candidates.child_starts[node + 1]):
            child = self.candidates.children[j]
            self.n_waiting[child] = self.n_waiting[child] - 1
            if self.n_waiting[child] == 0 and self.rows[child] >= 0:
                self.free_rows.push_back(self.rows[child])
                self.rows[child] = -1


cdef KernelRows make_rows(SupportDag support, CandidateDag candidates, bint skip_common):
    cdef KernelRows rows = KernelRows.__new__(KernelRows)
    rows.candidates = candidates
    rows.support = support
    rows.prepare(skip_common)
    return rows


def support_scores(
    SupportDag support, CandidateDag candidates, *, double scale, double sum_scale,
    bint skip_common,
):
    """Scores of candidates with the weights scale * a_d - sum_scale * u_d, without the base model.

    support (SupportDag): The model.
    candidates (CandidateDag): The candidates.
    scale (float): The factor of the weights: 1 for the last hypothesis.
    sum_scale (float): The factor of the sums for averages: 0 for the last hypothesis.
    skip_common (bool): Leave out what all candidates have: all scores then lack the same number.
    RETURNS (float64 array): A score per candidate.
    """
    cdef KernelRows rows = make_rows(support, candidates, skip_common)
    cdef vector[double] node_scores
    cdef const double* row
    cdef const double* weights
    cdef const double* sums
    cdef Occurrence occurrence
    cdef double total
    cdef int node, i, j
    cdef size_t rank
    scores = np.zeros(candidates.n_candidates)
    cdef double[::1] view = scores
    support.n_readers += 1
    try:
        with nogil:
            node_scores.assign(rows.groups.size(), 0.0)
            for node in range(<int>rows.groups.size()):
                if rows.groups[node] < 0:
                    continue
                row = rows.compute(node)
                weights = support.weights[rows.groups[node]].data()
                sums = support.sums[rows.groups[node]].data()
                total = 0
                if sum_scale == 0:
                    for rank in range(support.weights[rows.groups[node]].size()):
                        total += weights[rank] * row[rank]
                    total *= scale
                else:
                    for rank in range(support.weights[rows.groups[node]].size()):
                        total += (scale * weights[rank] - sum_scale * sums[rank]) * row[rank]
                node_scores[node] = total
                rows.finish(node)
            for i in range(candidates.n_candidates):
                for j in range(candidates.starts[i], candidates.starts[i + 1]):
                    occurrence = candidates.occurrences[j]
                    if not (skip_common and candidates.common[occurrence.node]):
                        view[i] += occurrence.count * node_scores[occurrence.node]
    finally:
        support.n_readers -= 1
    return scores
