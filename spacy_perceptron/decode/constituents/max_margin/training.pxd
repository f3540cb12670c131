from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ..incremental.input cimport IncrementalInput
from .nodes cimport Node
from .parsing cimport SpanParsing


cdef class SpanTraining:
    cdef readonly SpanParsing parsing
    cdef vector[Node] predicted
    cdef vector[Feature] features
    # By how much fixed scores prefer the gold tree.
    cdef readonly double offset

    cdef void _collect(self, SpanParsing parsing, const Node& node, float value) noexcept nogil
    cdef int _compare(self, SpanParsing parsing, IncrementalInput sentence) noexcept nogil
