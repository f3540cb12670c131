cimport cython
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector


@cython.final
cdef class Spans:
    cdef readonly int n_words
    cdef readonly int n_classes
    cdef readonly int n_cells
    # The cell of the span (i, j), from word i up to word j, at i * (n_words + 1) + j; -1 for none.
    cdef vector[int32_t] cells
    # Whether a class of symbols is allowed in a cell, at cell * n_classes + class.
    cdef vector[uint8_t] allowed

    cdef void start(self, int n_words, int n_classes, int width, bint allow) noexcept nogil

    cdef void narrow(self, const uint8_t* kept, int n_classes) noexcept nogil

    cdef inline int cell(self, int start, int end) noexcept nogil:
        return self.cells[<size_t>start * (self.n_words + 1) + end]
