cimport cython
from libcpp.vector cimport vector

from .forest cimport Forest


@cython.final
cdef class Marginals:
    # Sums over the derivations of node v at v + 1, with 1 for EMPTY at 0; or their logarithms, with
    # 0 for EMPTY.
    cdef vector[double] inside
    # The probability of an edge, given its node.
    cdef vector[double] shares
    # The probability that node v is part of a derivation, at v + 1.
    cdef vector[double] posteriors

    cdef double find(
        self, Forest forest, double scale, double* probabilities, int n_items
    ) noexcept nogil
    cdef double log_z(self, Forest forest, double scale) noexcept nogil
    cdef double _sum(self, Forest forest, double scale) noexcept nogil
    cdef double _log_sum(self, Forest forest, double scale) noexcept nogil
    cdef void _descend(self, Forest forest, double* probabilities) noexcept nogil
