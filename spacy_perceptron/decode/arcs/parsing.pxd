from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .decoder cimport ArcDecoder
from .narrowing cimport ArcNarrowing
from .parts cimport Parts
from .pruner cimport ArcPruner
from .scorer cimport PartScorer
from .sentences cimport SentenceParsing

cdef enum:
    # Taken off the score of arcs that must not be used: more than the score of any tree.
    FORBIDDEN = 1 << 22


cdef class DependencyParsing(SentenceParsing):
    cdef readonly PartScorer scorer
    cdef readonly ArcPruner pruner
    # None: nothing is left out after pruning.
    cdef readonly ArcNarrowing narrowing
    cdef readonly ArcDecoder decoder
    cdef readonly int order
    cdef bint is_narrowed
    cdef readonly Parts parts
    cdef vector[double] probabilities

    cdef bint score_sentence(self) noexcept nogil
    cdef bint _find_without(
        self, int word, int head, int32_t* heads, int32_t* labels, double* score
    ) noexcept nogil
    cdef void read_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil
