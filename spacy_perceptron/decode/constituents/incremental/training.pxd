from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....learn.mira cimport Feature
from ...search.violation cimport Violation
from .cache cimport HypothesisCache
from .parsing cimport IncrementalParsing
from .search cimport IncrementalSearch


cdef class IncrementalTraining:
    cdef readonly IncrementalParsing parsing
    cdef readonly HypothesisCache cache
    # Of the last sentence: updates that the cache caused.
    cdef readonly int n_cache_updates
    cdef IncrementalSearch search
    # When the filter was last adapted to the weights.
    cdef double scaled_at
    cdef Violation violation
    cdef vector[Feature] features
    cdef vector[int32_t] paths[2]

    cdef void _compare_trees(self) noexcept nogil
    cdef void _trace(self, int32_t last, vector[int32_t]& path) noexcept nogil
    cdef int _compare(self, int32_t correct, int32_t predicted) noexcept nogil
    cdef void _fill_cache(self, int32_t entry) noexcept nogil
    cdef int _update(self, double margin, double limit, double time) noexcept nogil
