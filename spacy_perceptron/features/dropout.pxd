from libc.stdint cimport uint64_t


cdef class FeatureDropout:
    cdef uint64_t dropout_salt
    cdef uint64_t dropout_limit

    cdef int keep(self, uint64_t* ids, int n) noexcept nogil
