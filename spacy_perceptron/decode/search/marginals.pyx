"""The probability of every item when a derivation's probability is proportional to
exp(scale * score): the inside-outside algorithm on a forest (Baker 1979; for dependencies Paskin
2001).

Bottom-up, the sum over a node's derivations and the share of each of its edges in it; top-down, the
probability that a node is part of the derivation, which it hands down along its edges by their
shares. Deviations: there are no outside sums, since shares are all that is needed, and the
probabilities of alternatives sum to 1 except for rounding. Sums are relative to the best derivation
of their node: they are 1 or more, and no score makes them overflow. The number of derivations of a
long and very ambiguous sentence can; its sums are then computed again as logarithms.

Linear in the number of edges.
"""
import numpy as np

cimport cython
from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t

from .forest cimport Edge, Forest

# Sums up to here can be multiplied and divided.
cdef double LARGE = 1e290
# Nodes below this probability are passed over: products of tiny numbers are slow.
cdef double TINY = 1e-290


@cython.final
cdef class Marginals:
    """Finds probabilities. Scratch memory is kept between sentences."""

    cdef double find(
        self, Forest forest, double scale, double* probabilities, int n_items
    ) noexcept nogil:
        """Find the probability of every item.

        forest (Forest): The forest, after `best`.
        scale (double): What scores are multiplied by, the inverse of a temperature.
        probabilities (double*): Gets the probability of every item, all 0 if there are no
            derivations. An item that a derivation has more than once counts each time.
        n_items (int): The number of items.
        RETURNS (double): The logarithm of the sum over all derivations, minus infinity if there are
            none.
        """
        cdef int item
        cdef double log_z = self.log_z(forest, scale)
        for item in range(n_items):
            probabilities[item] = 0
        if log_z > -INFINITY:
            self._descend(forest, probabilities)
        return log_z

    cdef double log_z(self, Forest forest, double scale) noexcept nogil:
        """Sum over all derivations, and find the shares of edges.

        RETURNS (double): The logarithm of the sum, minus infinity if there are no derivations.
        """
        cdef double z
        if forest.goal() < 0:
            return -INFINITY
        self.inside.resize(forest.n_nodes() + 1)
        self.shares.resize(forest.n_edges)
        z = self._sum(forest, scale)
        # False for NaN as well.
        if z < LARGE:
            return scale * forest.values[forest.goal() + 1] + log(z)
        return self._log_sum(forest, scale)

    cdef double _sum(self, Forest forest, double scale) noexcept nogil:
        """Bottom-up, with sums relative to the best derivation.

        RETURNS (double): The sum of the goal.
        """
        cdef int n_nodes = forest.n_nodes(), v, e, first, end, left, right
        cdef double* inside = &self.inside[0]
        cdef double* shares = &self.shares[0]
        cdef const double* values = &forest.values[0]
        cdef const int32_t* starts = &forest.starts[0]
        cdef const Edge* edges = &forest.edges[0]
        cdef double total, score
        inside[0] = 1
        for v in range(n_nodes):
            first = starts[v]
            end = starts[v + 1]
            if end == first + 1:
                inside[v + 1] = inside[edges[first].left + 1] * inside[edges[first].right + 1]
                shares[first] = 1
                continue
            total = 0
            for e in range(first, end):
                left = edges[e].left + 1
                right = edges[e].right + 1
                score = edges[e].score + values[left] + values[right] - values[v + 1]
                shares[e] = exp(scale * score) * inside[left] * inside[right]
                total += shares[e]
            inside[v + 1] = total
            total = 1 / total
            for e in range(first, end):
                shares[e] = shares[e] * total
        return inside[n_nodes]

    cdef double _log_sum(self, Forest forest, double scale) noexcept nogil:
        """Bottom-up, with logarithms of sums.

        RETURNS (double): The logarithm of the goal's sum.
        """
        cdef int n_nodes = forest.n_nodes(), v, e, first, end
        cdef double* inside = &self.inside[0]
        cdef double* shares = &self.shares[0]
        cdef const int32_t* starts = &forest.starts[0]
        cdef const Edge* edges = &forest.edges[0]
        cdef double top, total
        inside[0] = 0
        for v in range(n_nodes):
            first = starts[v]
            end = starts[v + 1]
            top = -INFINITY
            for e in range(first, end):
                shares[e] = scale * edges[e].score
                shares[e] = shares[e] + inside[edges[e].left + 1] + inside[edges[e].right + 1]
                top = max(top, shares[e])
            total = 0
            for e in range(first, end):
                shares[e] = exp(shares[e] - top)
                total += shares[e]
            inside[v + 1] = top + log(total)
            for e in range(first, end):
                shares[e] = shares[e] / total
        return inside[n_nodes]

    cdef void _descend(self, Forest forest, double* probabilities) noexcept nogil:
        """Top-down: the probabilities of nodes, and of the items their edges add."""
        cdef int n_nodes = forest.n_nodes(), v, e
        cdef double share
        self.posteriors.assign(n_nodes + 1, 0)
        cdef double* posteriors = &self.posteriors[0]
        cdef const double* shares = &self.shares[0]
        cdef const int32_t* starts = &forest.starts[0]
        cdef const Edge* edges = &forest.edges[0]
        posteriors[n_nodes] = 1
        for v in range(n_nodes - 1, -1, -1):
            if posteriors[v + 1] < TINY:
                continue
            for e in range(starts[v], starts[v + 1]):
                share = posteriors[v + 1] * shares[e]
                posteriors[edges[e].left + 1] = posteriors[edges[e].left + 1] + share
                posteriors[edges[e].right + 1] = posteriors[edges[e].right + 1] + share
                if edges[e].item >= 0:
                    probabilities[edges[e].item] = probabilities[edges[e].item] + share

    def probabilities(self, Forest forest not None, double scale=1.0):
        """Find the probability of every item, for tests and for use from Python.

        forest (Forest): The forest.
        scale (float): What scores are multiplied by, the inverse of a temperature.
        RETURNS (tuple[ndarray, float]): The probability of every item up to the last one that an
            edge has, and the logarithm of the sum over all derivations.
        """
        cdef int e, n_items = 0
        cdef double log_z
        for e in range(forest.n_edges):
            n_items = max(n_items, forest.edges[e].item + 1)
        cdef double[::1] found = np.zeros(n_items + 1)
        forest.best()
        log_z = self.find(forest, scale, &found[0], n_items)
        return np.asarray(found)[:n_items], log_z
