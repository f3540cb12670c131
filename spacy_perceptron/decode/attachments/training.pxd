from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .difference cimport AttachmentDifference
from .search cimport AttachmentSearch
from .violation cimport AttachmentViolation
from .parsing cimport EasyFirstParsing


cdef class EasyFirstTraining:
    cdef readonly EasyFirstParsing parsing
    cdef readonly int label_mistakes
    cdef AttachmentSearch search
    cdef AttachmentViolation violation
    cdef AttachmentDifference difference
    cdef vector[int32_t] known_labels

    cdef int update(self, double margin, double limit, double time) except -1
