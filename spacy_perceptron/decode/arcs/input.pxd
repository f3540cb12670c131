from libc.stdint cimport int32_t, uint8_t, uint64_t


cdef class ParsingInput:
    cdef readonly int n_words
    cdef const int32_t[::1] rows
    cdef const uint64_t[:, ::1] tokens
    cdef const uint8_t[::1] marks
    cdef const int32_t[::1] guides

    cdef int check_shape(self, int n_columns, int n_rows) except -1
    cdef int check_starts(self, const int32_t[::1] starts) except -1
    cdef int check_gold(
        self, const int32_t[::1] heads, const int32_t[::1] labels, int n_labels
    ) except -1
