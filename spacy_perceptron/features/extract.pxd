from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector


cdef class FeatureProgram:
    cdef readonly int n_templates
    cdef vector[uint64_t] seeds
    cdef vector[int32_t] starts
    cdef vector[int32_t] atoms

    cdef void run(
        self, const uint64_t* values, int first, int last, uint64_t* ids
    ) noexcept nogil
