from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .search cimport AttachmentSearch


cdef class AttachmentMargins:
    cdef readonly AttachmentSearch search
    # A derivation's actions, last to first, and the best other score of each word.
    cdef vector[int32_t] path
    cdef vector[float] rivals

    cdef void _replay(self, int32_t last) noexcept nogil
    cdef void find(self, int32_t last, const int32_t* heads, float* margins) noexcept nogil
