from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..arcs.sentences cimport SentenceParsing
from .margins cimport AttachmentMargins
from .scorer cimport AttachmentScorer
from .search cimport AttachmentSearch


cdef class EasyFirstParsing(SentenceParsing):
    cdef readonly AttachmentScorer scorer
    cdef readonly AttachmentSearch search
    cdef readonly int width
    cdef AttachmentMargins clearness
    cdef vector[double] shares
    cdef vector[float] margins
    cdef vector[int32_t] other_heads
