from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ...search.violation cimport Violation
from .parsing cimport IncrementalParsing
from .search cimport IncrementalSearch


cdef class IncrementalTraining:
    cdef readonly IncrementalParsing parsing
    cdef IncrementalSearch search
    cdef Violation violation
    cdef vector[Feature] features
    cdef vector[int32_t] paths[2]

    cdef void _trace(self, int32_t last, vector[int32_t]& path) noexcept nogil
    cdef int _compare(self) noexcept nogil
    cdef int _update(self, double margin, double limit, double time) noexcept nogil
