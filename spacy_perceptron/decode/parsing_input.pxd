from libc.stdint cimport int32_t, uint8_t, uint64_t


cdef class ParsingInput:
    cdef readonly int n_words
    cdef const int32_t[::1] rows
    cdef const uint64_t[:, ::1] tokens
    cdef const uint8_t[::1] marks
    cdef const int32_t[::1] guides
