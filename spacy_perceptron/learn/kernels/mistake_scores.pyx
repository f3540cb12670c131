"""What each mistake of a dual perceptron adds to the scores of candidates.

The voted perceptron asks every hypothesis for its favourite (Collins & Duffy 2002, section 3.4). A
hypothesis is the sum of the mistakes up to its time, so with these numbers all of them are running
sums. They take the same kernels as one hypothesis: each value C(s, d) goes to all mistakes that
gave weight to d.

Time: that of `support_scores`, plus the number of mistakes times that of nodes in which the
candidates differ.
"""
import numpy as np


from libcpp.vector cimport vector

from .candidate_dag cimport CandidateDag, Occurrence
from .support_dag cimport Entry, SupportDag
from .support_scores cimport KernelRows, make_rows


cdef struct Share:
    int mistake
    double delta


cdef class MistakeIndex:
    """Which mistakes gave weight to a node. Valid until the support changes.

    support (SupportDag): The model.
    """

    cdef SupportDag support
    # Per group: where the shares of each rank start, and all shares.
    cdef vector[vector[int]] starts
    cdef vector[vector[Share]] shares

    def __init__(self, SupportDag support):
        self.support = support
        self._read()

    cdef void _read(self) noexcept nogil:
        cdef size_t group, rank, m, i
        cdef Entry entry
        cdef Share share
        cdef vector[int]* starts
        self.starts.resize(self.support.weights.size())
        self.shares.resize(self.support.weights.size())
        for group in range(self.starts.size()):
            self.starts[group].assign(self.support.weights[group].size() + 2, 0)
        # Starts stand two places behind, and move to their own as shares are put in place.
        for m in range(self.support.entries.size()):
            for i in range(self.support.entries[m].size()):
                entry = self.support.entries[m][i]
                starts = &self.starts[entry.place.group]
                starts[0][entry.place.rank + 2] += 1
        for group in range(self.starts.size()):
            starts = &self.starts[group]
            for rank in range(2, starts[0].size()):
                starts[0][rank] += starts[0][rank - 1]
            self.shares[group].resize(starts[0].back())
        for m in range(self.support.entries.size()):
            for i in range(self.support.entries[m].size()):
                entry = self.support.entries[m][i]
                share.mistake, share.delta = <int>m, entry.delta
                starts = &self.starts[entry.place.group]
                self.shares[entry.place.group][starts[0][entry.place.rank + 1]] = share
                starts[0][entry.place.rank + 1] += 1

    def scores(self, CandidateDag candidates, *, bint skip_common):
        """What each mistake adds to the candidates' scores, without the base model.

        candidates (CandidateDag): The candidates.
        skip_common (bool): Leave out what all candidates have.
        RETURNS (float64 matrix): A row per mistake, oldest first, and a column per candidate.
        """
        cdef KernelRows rows = make_rows(self.support, candidates, skip_common)
        cdef size_t n_mistakes = self.support.mistakes.size(), m
        cdef int n_nodes = <int>rows.groups.size(), node, i
        cdef vector[vector[Occurrence]] owners
        cdef vector[double] node_scores
        cdef const double* row
        matrix = np.zeros((candidates.n_candidates, n_mistakes))
        cdef double[:, ::1] view = matrix
        self.support.n_readers += 1
        try:
            with nogil:
                _find_owners(candidates, owners, skip_common)
                for node in range(n_nodes):
                    if rows.groups[node] < 0:
                        continue
                    row = rows.compute(node)
                    if not owners[node].empty():
                        self._node_scores(rows.groups[node], row, node_scores)
                        for i in range(<int>owners[node].size()):
                            for m in range(n_mistakes):
                                view[owners[node][i].node, m] += owners[node][i].count * node_scores[m]
                    rows.finish(node)
        finally:
            self.support.n_readers -= 1
        return matrix.T

    cdef void _node_scores(
        self, int group, const double* row, vector[double]& node_scores
    ) noexcept nogil:
        """The sum over the nodes of a group of what each mistake gave them, times their value."""
        cdef size_t rank
        cdef int i
        cdef const int* starts = self.starts[group].data()
        cdef const Share* shares = self.shares[group].data()
        node_scores.assign(self.support.mistakes.size(), 0.0)
        for rank in range(self.support.weights[group].size()):
            for i in range(starts[rank], starts[rank + 1]):
                node_scores[shares[i].mistake] += shares[i].delta * row[rank]


cdef void _find_owners(
    CandidateDag candidates, vector[vector[Occurrence]]& owners, bint skip_common
) noexcept nogil:
    """Which candidates have a node: their places stand as the `node` of an occurrence."""
    cdef int i, j
    cdef Occurrence owner
    owners.resize(candidates.groups.size())
    for i in range(candidates.n_candidates):
        for j in range(candidates.starts[i], candidates.starts[i + 1]):
            if skip_common and candidates.common[candidates.occurrences[j].node]:
                continue
            owner.node, owner.count = i, candidates.occurrences[j].count
            owners[candidates.occurrences[j].node].push_back(owner)
