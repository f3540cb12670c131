from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..parts cimport Parts


cdef class MatrixTree:
    cdef int n_words
    cdef int width
    # Log weights and probabilities of arcs, a row of heads for every child. Words are in the order
    # in which they are eliminated, the root is the last head.
    cdef vector[double] logs
    cdef vector[double] shares
    # Log weight of all heads of a word when it is eliminated.
    cdef vector[double] totals
    cdef vector[int32_t] places

    cdef double log_z(self, Parts parts, double scale, int root_word) noexcept nogil
    cdef double marginals(
        self, Parts parts, double scale, int root_word, double* probabilities
    ) noexcept nogil

    cdef double _load(self, Parts parts, double scale, int root_word) noexcept nogil
    cdef void _eliminate(self, int word) noexcept nogil
    cdef void _restore(self, int word) noexcept nogil
