from libc.stdint cimport int32_t

from .training cimport TaggingTraining


cdef class EasyFirstTagging(TaggingTraining):
    cdef void _read_tags(self, int s, int32_t* tags) noexcept nogil
    cdef void _read_confidences(self, float* confidences, double temperature) noexcept nogil
