cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector


@cython.final
cdef class TaggedWords:
    cdef readonly int n_words
    # The symbols of word i are starts[i] .. starts[i + 1] - 1.
    cdef vector[int32_t] starts
    cdef vector[int32_t] symbols
    cdef vector[float] scores

    cdef void project(self, TaggedWords words, const int32_t* classes, int n_classes) noexcept nogil
