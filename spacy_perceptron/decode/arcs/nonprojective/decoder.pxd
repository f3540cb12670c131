cimport cython
from libc.stdint cimport int32_t

from .matrix_tree cimport MatrixTree
from ..parts cimport Parts
from .ranked_trees cimport RankedTrees


@cython.final
cdef class SpanningDecoder:
    cdef RankedTrees trees
    cdef MatrixTree matrix

    cdef double decode_into(self, Parts parts, int32_t* heads) noexcept nogil
    cdef int nbest_into(self, Parts parts, int k, int32_t* heads, double* scores) noexcept nogil
    cdef double marginals_into(
        self, Parts parts, double scale, double* probabilities
    ) noexcept nogil
    cdef double score_tree(self, Parts parts, const int32_t* heads) noexcept nogil
