from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from .nodes cimport StructureNodes


cdef struct Occurrence:
    int node
    int count


cdef class CandidateDag:
    cdef readonly int kind
    cdef readonly double decay
    cdef readonly int n_candidates
    # Per distinct node, children first.
    cdef vector[uint64_t] groups
    cdef vector[uint64_t] identities
    cdef vector[uint64_t] words
    cdef vector[uint64_t] shapes
    cdef vector[int] child_starts
    cdef vector[int] children
    # The counted nodes of each candidate.
    cdef vector[int] starts
    cdef vector[Occurrence] occurrences
    # Whether all candidates have the node equally often.
    cdef vector[char] common

    cdef void read(self, StructureNodes nodes) noexcept nogil
    cdef void _find_common(self) noexcept nogil
    cdef void mark_needed(self, vector[char]& needed, bint skip_common) noexcept nogil
