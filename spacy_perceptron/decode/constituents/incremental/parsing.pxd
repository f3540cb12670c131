from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .input cimport IncrementalInput
from .search cimport IncrementalSearch, Phrase


cdef class IncrementalParsing:
    cdef readonly IncrementalSearch search
    cdef readonly int width
    cdef readonly int longest
    cdef vector[Phrase] phrases, others
    cdef vector[vector[int32_t]] labels

    cdef double _log_sum(self) noexcept nogil
    cdef int _measure(self, IncrementalInput sentence, double[::1] bits) except -1
    cdef int check(self, IncrementalInput words) except -1
    cdef int _search(self, IncrementalInput sentence, int k) except -1
    cdef bint _has(self, size_t first, const Phrase& phrase, int32_t label) noexcept nogil
