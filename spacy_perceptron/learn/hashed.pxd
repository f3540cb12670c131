from libc.stdint cimport uint64_t


cdef class HashedWeights:
    cdef readonly int n_bits
    cdef readonly bint trainable
    cdef readonly bint adaptive
    # The weight of a feature is weights[id >> shift].
    cdef float* weights
    cdef int shift
    # Of a trainable and of an adaptive table; else NULL.
    cdef double* totals
    cdef float* squares
    # Who owns the memory.
    cdef list arrays

    cdef void* _zeros(self, dtype) except NULL
    cdef void add(self, uint64_t id, float delta, double time) noexcept nogil
