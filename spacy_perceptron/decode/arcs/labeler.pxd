from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...learn.weights cimport WeightTable
from .features cimport PartFeatures, TemplateRow


cdef class TreeLabeler:
    cdef readonly PartFeatures features
    cdef readonly WeightTable weights
    cdef int n_words
    # The children of each position, left to right: starts and members.
    cdef vector[int32_t] child_starts
    cdef vector[int32_t] children
    cdef vector[uint64_t] ids
    cdef vector[float] scores
    # For each word being looked up: its features, later their slots in the table, and their number.
    cdef vector[vector[uint64_t]] lookups
    cdef vector[int32_t] n_found

    cdef void label(self, const int32_t* heads, int32_t* labels, int n_words) noexcept nogil
    cdef int learn(
        self, const int32_t* tree, const int32_t* heads, const int32_t* labels, int n_words,
        double limit, double time
    ) except -1
    cdef void _load_tree(self, const int32_t* heads, int n_words) noexcept nogil
    cdef void _collect(self, const int32_t* heads, int child) noexcept nogil
    cdef int _best_by_ids(self, int gold, float margin) noexcept nogil
    cdef int _best_label(self, int gold, float margin) noexcept nogil
    cdef double _norm(self) noexcept nogil
