from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

# Id of a feature left out by dropout. Templates produce neither it nor 0, which marks empty slots.
cdef enum:
    DROPPED = 1


cdef class FeatureProgram:
    cdef readonly int n_templates
    cdef vector[uint64_t] seeds
    cdef vector[int32_t] starts
    cdef vector[int32_t] atoms

    cdef void run(
        self, const uint64_t* values, int first, int last, uint64_t* ids
    ) noexcept nogil
