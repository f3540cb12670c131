from libc.stdint cimport int64_t, uint64_t
from libcpp.deque cimport deque
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from .candidate_dag cimport CandidateDag


# Where a node is: its group, and its rank there. The group is -1 for no node.
cdef struct Place:
    int group
    int rank


cdef struct Entry:
    Place place
    double delta


cdef struct Mistake:
    int64_t example
    double base_delta


cdef class SupportDag:
    cdef readonly int kind
    cdef readonly size_t n_nodes
    cdef readonly size_t n_holes
    # How many threads read it without the GIL.
    cdef int n_readers
    cdef unordered_map[uint64_t, int] group_numbers
    cdef unordered_map[uint64_t, Place] places
    # Per group.
    cdef vector[uint64_t] group_ids
    cdef vector[int] arities
    cdef vector[vector[int]] holes
    # Per group and rank.
    cdef vector[vector[double]] weights
    cdef vector[vector[double]] sums
    cdef vector[vector[Place]] children
    cdef vector[vector[uint64_t]] words
    cdef vector[vector[uint64_t]] shapes
    cdef vector[vector[uint64_t]] identities
    cdef vector[vector[int]] references
    # Oldest first.
    cdef deque[Mistake] mistakes
    cdef deque[vector[Entry]] entries

    cdef int _require_no_readers(self) except -1
    cdef void move(self, Place place, double delta, int64_t example) noexcept nogil
    cdef int refer(self, Place place, int n) noexcept nogil
    cdef int find_group(self, uint64_t group) noexcept nogil
    cdef int add_group(self, uint64_t group, int arity) noexcept nogil
    cdef Place new_place(self, int group) noexcept nogil
    cdef void add(
        self, CandidateDag candidates, const vector[double]& deltas, Mistake mistake
    ) noexcept nogil
    cdef Place insert(
        self, CandidateDag candidates, int node, const vector[Place]& found
    ) noexcept nogil
    cdef void drop(self) noexcept nogil
    cdef void release(self, Place place) noexcept nogil
