from libc.stdint cimport int32_t, uint64_t


cdef class IncrementalInput:
    cdef readonly int n_words
    cdef const int32_t[::1] rows
    cdef const int32_t[::1] starts
    cdef const int32_t[::1] tags
    cdef const uint64_t[:, ::1] tokens
    # The score of each reading, or None.
    cdef const float[::1] scores
    # Start, end and bits of spans, or None.
    cdef const int32_t[:, ::1] brackets

    cdef int check(self, int n_columns, int n_rows, int first_tag, int last_tag) except -1
