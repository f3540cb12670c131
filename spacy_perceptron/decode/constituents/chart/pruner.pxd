cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.control cimport Control
from .grammar cimport Grammar
from .sentence cimport TaggedWords
from .spans cimport Spans


@cython.final
cdef class CoarsePruner:
    cdef readonly Grammar grammar
    cdef readonly int full_length
    cdef readonly int width
    # By cell and symbol: the best score of a derivation, and the best score of what is around it in
    # a tree; at the bottom of a cell and on its top.
    cdef vector[float] inside_bottom
    cdef vector[float] inside_top
    cdef vector[float] outside_bottom
    cdef vector[float] outside_top
    # The symbols on top of each cell, by cell from starts[cell] on.
    cdef vector[int32_t] present
    cdef vector[int32_t] starts

    cdef double score(self, TaggedWords words, Spans spans, Control control) noexcept nogil
    cdef void prune(self, Spans spans, double threshold) noexcept nogil
    cdef void _join(self, Grammar grammar, int left, int right, float* parents) noexcept nogil
    cdef void _raise(self, Grammar grammar, int cell) noexcept nogil
    cdef void _lower(self, Grammar grammar, int cell, float least) noexcept nogil
    cdef void _split(
        self, Grammar grammar, Spans spans, int i, int j, int parent, float least
    ) noexcept nogil
