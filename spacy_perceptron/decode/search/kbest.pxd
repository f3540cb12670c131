cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from .control cimport Control
from .forest cimport Forest


cdef struct Derivation:
    double score
    int32_t edge
    # Which derivations of the edge's nodes, 0 for the best.
    int32_t left
    int32_t right


cdef struct Demand:
    int32_t node
    # How many successors of its last derivation have been looked for.
    int32_t n_tried


cdef struct Choice:
    int32_t node
    int32_t rank


@cython.final
cdef class KBest:
    cdef Control control
    # Nodes asked for more than their best derivation are opened, in this order.
    cdef vector[int32_t] opened
    cdef int n_opened
    # By place of an open node: derivations found, best first; a heap of the next ones; whether
    # there are no more.
    cdef vector[vector[Derivation]] found
    cdef vector[vector[Derivation]] waiting
    cdef vector[int32_t] exhausted
    cdef vector[Demand] demands
    cdef vector[Choice] stack
    # Whether a node is part of the best derivation, once its items have been collected.
    cdef vector[uint8_t] in_best

    cdef int find(self, Forest forest, int k) noexcept nogil
    cdef double score(self, Forest forest, int node, int rank) noexcept nogil
    cdef void items(
        self, Forest forest, int rank, bint whole, vector[int32_t]& items
    ) noexcept nogil
    cdef bint _has(self, int node, int rank) noexcept nogil
    cdef int _open(self, Forest forest, int node) noexcept nogil
    cdef void _advance(self, Forest forest, int node) noexcept nogil
    cdef bint _ask(self, int node, int rank) noexcept nogil
    cdef void _offer(
        self, Forest forest, int place, int edge, int left, int right
    ) noexcept nogil
    cdef void _take(self, int place) noexcept nogil
