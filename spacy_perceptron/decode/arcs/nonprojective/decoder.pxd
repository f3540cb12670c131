cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..decoder cimport ArcDecoder
from .matrix_tree cimport MatrixTree
from .ranked_trees cimport RankedTrees


@cython.final
cdef class SpanningDecoder(ArcDecoder):
    cdef RankedTrees trees
    cdef MatrixTree matrix
    # Of the best tree: its arcs by child, empty if there is no tree, and the root's child.
    cdef vector[int32_t] best
    cdef int root_word
