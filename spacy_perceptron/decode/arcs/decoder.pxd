from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..search.control cimport Control
from .parts cimport Parts


cdef class ArcDecoder:
    cdef readonly int order
    cdef readonly Control control
    # The arcs of the tree scored last, by child.
    cdef vector[int32_t] tree

    cdef double solve(self, Parts parts) noexcept nogil
    cdef void read_heads(self, Parts parts, int32_t* heads) noexcept nogil
    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil
    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil
    cdef double log_sum(self, Parts parts, double scale) noexcept nogil
    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil
    cdef bint is_tree(self, const int32_t* heads, int n_words) noexcept nogil

    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil
    cdef tuple best_trees(self, Parts parts, int k)
    cdef int _check(self, Parts parts) except -1
