from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .scorer cimport PartScorer
from .parts cimport Parts
from .projective.decoder cimport ProjectiveDecoder


cdef class ArcNarrowing:
    cdef readonly double threshold
    cdef ProjectiveDecoder decoder
    cdef vector[double] probabilities
    cdef vector[int32_t] tree
    cdef vector[int32_t] kept

    cdef bint narrow(self, Parts parts, PartScorer scorer, int order) noexcept nogil
    cdef void _choose(self, Parts parts) noexcept nogil
