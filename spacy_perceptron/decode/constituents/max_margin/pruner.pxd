cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ...search.control cimport Control
from ..chart.spans cimport Spans
from ..incremental.input cimport IncrementalInput
from .scorer cimport SpanScorer


@cython.final
cdef class SpanPruner:
    cdef readonly SpanScorer scorer
    cdef readonly int n_phrases
    # The class of each phrase, and the number of classes.
    cdef vector[int32_t] classes
    cdef readonly int n_classes
    cdef int full_length
    cdef int width
    # All spans of the sentence, and the scores of classes in each that has several words, at
    # cell * n_classes + class.
    cdef Spans spans
    cdef vector[float] scores
    # By cell: the score of the best class; that of the best brackets within and around the span.
    cdef vector[float] own
    cdef vector[float] inside
    cdef vector[float] outside
    cdef vector[uint8_t] kept
    # The same as sums of exponentials, for learning.
    cdef vector[double] potentials
    cdef vector[double] inner
    cdef vector[double] outer
    cdef vector[uint8_t] gold
    cdef vector[Feature] features

    cdef bint score(self, IncrementalInput words, Control control) noexcept nogil
    cdef void prune(self, Spans spans, double threshold, int n_symbols) noexcept nogil
    cdef void _score_outside(self) noexcept nogil
    cdef bint _sum(self) noexcept nogil
    cdef double _share(self, int cell, int a, double total) noexcept nogil
