from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .narrowing cimport ArcNarrowing
from .pruner cimport ArcPruner
from .features cimport PartFeatures
from .scorer cimport PartScorer
from .input cimport ParsingInput
from .parts cimport Parts
from .projective.decoder cimport ProjectiveDecoder
from .nonprojective.decoder cimport SpanningDecoder
from .labeler cimport TreeLabeler

cdef enum:
    # Taken off the score of arcs that must not be used: more than any tree's score.
    FORBIDDEN = 1 << 22


cdef class DependencyParsing:
    cdef readonly PartScorer scorer
    cdef readonly ArcPruner pruner
    # None: nothing is left out after pruning.
    cdef readonly ArcNarrowing narrowing
    cdef readonly ProjectiveDecoder projective
    cdef readonly SpanningDecoder spanning
    cdef readonly TreeLabeler labeler
    cdef readonly int order
    cdef readonly bint is_projective
    cdef bint is_narrowed
    cdef readonly Parts parts
    cdef PartFeatures features
    cdef vector[double] probabilities

    cdef int check(self, ParsingInput words) except -1
    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil
    cdef double decode(self, int32_t* heads) noexcept nogil
    cdef double score_tree(self, const int32_t* heads) noexcept nogil
    cdef bint score_sentence(self) noexcept nogil
    cdef double find_tree(self, int32_t* heads) noexcept nogil
    cdef tuple best_trees(self, int k)
    cdef void final_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil
    cdef void read_labels(self, const int32_t* heads, int32_t* labels) noexcept nogil
    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil
