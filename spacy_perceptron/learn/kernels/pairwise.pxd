from libcpp.vector cimport vector

from .nodes cimport StructureNodes


cdef class PairKernel:
    cdef StructureNodes first
    cdef StructureNodes second
    # Per node, the number of its group; -1 in `second` for groups that `first` has not.
    cdef vector[int] first_groups
    cdef vector[int] second_groups
    cdef int n_groups
    # The nodes of the present first structure, group by group.
    cdef vector[int] group_starts
    cdef vector[int] group_ends
    cdef vector[int] members
    # Values of C: a row per node of the second structure that still waits for its parent.
    cdef vector[double] values
    cdef vector[int] rows
    cdef vector[int] free_rows
    cdef int n_rows

    cdef void prepare(self) noexcept nogil
    cdef void choose(self, int structure) noexcept nogil
    cdef void leave(self, int structure) noexcept nogil
    cdef double evaluate(self, int structure, int other) noexcept nogil
    cdef void _release(self, int node) noexcept nogil
    cdef double _fill_row(self, int node, int start, int size) noexcept nogil


cdef PairKernel make_pair_kernel(StructureNodes first, StructureNodes second)
