from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.control cimport Control
from ...search.forest cimport Forest
from ...search.kbest cimport KBest
from ...search.marginals cimport Marginals
from .chart cimport Chart
from .grammar cimport Grammar
from .pruner cimport CoarsePruner
from .sentence cimport TaggedWords
from .spans cimport Spans


cdef class ChartParsing:
    cdef readonly Control control
    cdef readonly Grammar grammar
    cdef readonly CoarsePruner pruner
    cdef readonly Forest forest
    cdef readonly double threshold
    cdef readonly int max_edges
    cdef vector[int32_t] classes
    cdef Chart chart
    cdef Chart coarse_chart
    # Whether the coarse chart has filled the forest.
    cdef bint is_coarse
    cdef TaggedWords coarse_words
    cdef Spans spans
    cdef KBest kbest
    cdef Marginals inside_outside
    cdef vector[int32_t] items

    cdef int _check(self, TaggedWords words) except -1
    cdef double _solve(self, TaggedWords words) noexcept nogil
    cdef void _build(self, Chart chart, TaggedWords words, double least) noexcept nogil
    cdef object _rows(self, const vector[int32_t]& items)
