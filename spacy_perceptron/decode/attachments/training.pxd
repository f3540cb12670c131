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

    cdef int update(self, double margin, double limit, double time) except -1
