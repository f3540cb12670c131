cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector


@cython.final
cdef class Grammar:
    cdef readonly int n_symbols
    cdef readonly int root
    # Binary rules ordered by left child, right child and parent. The pairs of children that have
    # rules are numbered in that order: those with left child b are pair_starts[b] ..
    # pair_starts[b + 1] - 1, the rules of pair p are rule_starts[p] .. rule_starts[p + 1] - 1.
    cdef vector[int32_t] pair_starts
    cdef vector[int32_t] pair_rights
    cdef vector[int32_t] rule_starts
    cdef vector[int32_t] parents
    cdef vector[int32_t] lefts
    cdef vector[int32_t] rights
    cdef vector[float] scores
    # The binary rules of parent a are by_parent[parent_starts[a]] and on.
    cdef vector[int32_t] parent_starts
    cdef vector[int32_t] by_parent
    # Unary rules ordered by child, those of child b from unary_starts[b] on.
    cdef vector[int32_t] unary_starts
    cdef vector[int32_t] unary_parents
    cdef vector[int32_t] unary_children
    cdef vector[float] unary_scores
    # The unary rules of parent a are unary_by_parent[unary_parent_starts[a]] and on.
    cdef vector[int32_t] unary_parent_starts
    cdef vector[int32_t] unary_by_parent
    # The numbers that the rules had when they were given.
    cdef vector[int32_t] rule_ids
    cdef vector[int32_t] unary_ids

    cdef int find_rule(self, int parent, int left, int right) noexcept nogil
    cdef int find_unary(self, int child, int number) noexcept nogil
