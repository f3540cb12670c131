from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...learn.mira cimport Feature
from .search cimport AttachmentSearch


cdef class AttachmentDifference:
    cdef readonly AttachmentSearch search
    cdef vector[Feature] features
    # The actions of the correct and of the predicted sequence.
    cdef vector[int32_t] path
    cdef vector[int32_t] other_path

    cdef void compute(self, int32_t correct, int32_t predicted) noexcept nogil
    cdef void trace(self, int32_t last, vector[int32_t]& path) noexcept nogil
    cdef void _collect_path(
        self, const vector[int32_t]& path, int first, float value
    ) noexcept nogil
    cdef void _collect_action(
        self, int n_trees, int pair, int direction, float value
    ) noexcept nogil
    cdef double norm(self) noexcept nogil
    cdef int count_mistakes(self) noexcept nogil
