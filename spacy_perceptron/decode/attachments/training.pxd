from libc.stdint cimport int32_t

from ..arcs.input cimport ParsingInput
from .difference cimport AttachmentDifference
from .parsing cimport EasyFirstParsing
from .search cimport AttachmentSearch
from .violation cimport AttachmentViolation


cdef class EasyFirstTraining:
    cdef readonly EasyFirstParsing parsing
    cdef readonly int label_mistakes
    cdef AttachmentSearch search
    cdef AttachmentViolation violation
    cdef AttachmentDifference difference

    cdef int _learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, bint early, double limit, double margin, bint augmented, bint mira
    ) except -2
    cdef int update(self, double margin, double limit, double time) except -1
