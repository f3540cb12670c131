from libcpp.vector cimport vector

from .candidate_dag cimport CandidateDag
from .support_dag cimport SupportDag


cdef class KernelRows:
    cdef CandidateDag candidates
    cdef SupportDag support
    # Per node of the candidates: whether it matters, its group in the support or -1, how many nodes
    # wait for its values, and its row of values or -1.
    cdef vector[char] needed
    cdef vector[int] groups
    cdef vector[int] n_waiting
    cdef vector[int] rows
    cdef vector[vector[double]] values
    cdef vector[int] free_rows
    # The children of the present node: groups and values.
    cdef vector[int] child_groups
    cdef vector[const double*] child_values

    cdef void prepare(self, bint skip_common) noexcept nogil
    cdef const double* compute(self, int node) noexcept nogil
    cdef void finish(self, int node) noexcept nogil
    cdef void _fill_tree_row(self, int group, double* row) noexcept nogil
    cdef void _fill_window_row(self, int node, int group, double* row) noexcept nogil


cdef KernelRows make_rows(SupportDag support, CandidateDag candidates, bint skip_common)
