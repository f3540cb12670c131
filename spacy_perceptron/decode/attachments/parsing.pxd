from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .features cimport AttachmentFeatures
from .margins cimport AttachmentMargins
from .scorer cimport AttachmentScorer
from .search cimport AttachmentSearch
from ..arcs.input cimport ParsingInput
from ..arcs.labeler cimport TreeLabeler


cdef class EasyFirstParsing:
    cdef readonly AttachmentScorer scorer
    cdef readonly AttachmentSearch search
    cdef readonly TreeLabeler labeler
    cdef readonly int width
    cdef AttachmentFeatures features
    cdef AttachmentMargins clearness
    cdef vector[double] shares
    cdef vector[float] margins
    cdef vector[int32_t] other_heads

    cdef int check(self, ParsingInput words, int longest) except -1
    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil
    cdef void find_trees(self, int n_words, int width) noexcept nogil
    cdef void label(self, const int32_t* heads, int32_t* labels, int n_words) noexcept nogil
    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil
