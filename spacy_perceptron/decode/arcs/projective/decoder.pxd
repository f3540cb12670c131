cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .eisner cimport FirstOrder
from ...search.forest cimport Forest
from .grand_sibling cimport SecondOrder
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..parts cimport Parts


@cython.final
cdef class ProjectiveDecoder:
    cdef readonly int order
    cdef readonly Forest forest
    cdef FirstOrder first_order
    cdef SecondOrder second_order
    cdef KBest kbest
    cdef Marginals inside_outside
    # The arcs of a tree by child, and the last arc seen so far of a head to one side.
    cdef vector[int32_t] tree
    cdef vector[int32_t] previous

    cdef double build(self, Parts parts) noexcept nogil
    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil
    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil
    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil
    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil
    cdef double _second_order_score(self, Parts parts) noexcept nogil
    cdef double _child_score(self, Parts parts, int arc, int side) noexcept nogil
    cdef int _check(self, Parts parts) except -1
