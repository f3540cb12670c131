from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .input cimport IncrementalInput
from .search cimport IncrementalSearch, Phrase


cdef class IncrementalParsing:
    cdef readonly IncrementalSearch search
    cdef readonly int width
    cdef readonly int longest
    cdef vector[Phrase] phrases

    cdef double _log_sum(self) noexcept nogil
    cdef int check(self, IncrementalInput words) except -1
