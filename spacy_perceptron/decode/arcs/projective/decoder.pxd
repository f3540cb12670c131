cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.forest cimport Forest
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from ..decoder cimport ArcDecoder
from ..parts cimport Parts
from .chart cimport Chart


@cython.final
cdef class ProjectiveDecoder(ArcDecoder):
    cdef readonly Forest forest
    cdef Chart chart
    cdef KBest kbest
    cdef Marginals inside_outside
    # Arcs of a derivation.
    cdef vector[int32_t] items
    # The last arc so far of a head to one side.
    cdef vector[int32_t] previous

    cdef void _read_items(self, Parts parts, int32_t* heads) noexcept nogil
    cdef double _second_order_score(self, Parts parts) noexcept nogil
    cdef double _child_score(self, Parts parts, int arc, int side) noexcept nogil
