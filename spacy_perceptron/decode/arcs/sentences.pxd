from libc.stdint cimport int32_t, int64_t

from ..search.control cimport Control
from .features cimport PartFeatures
from .input cimport ParsingInput
from .labeler cimport TreeLabeler


cdef class SentenceParsing:
    cdef readonly TreeLabeler labeler
    cdef readonly Control control
    # The words of the longest sentence so far: scratch memory grows with it.
    cdef readonly int longest
    cdef PartFeatures features

    cdef int check(self, ParsingInput words, int longest) except -1
    cdef int64_t work(self) noexcept nogil
    cdef void load(self, ParsingInput words, int start, int end) noexcept nogil
    cdef void find_trees(self, int k, bint confidently) noexcept nogil
    cdef void read_tree(self, int32_t* heads) noexcept nogil
    cdef void read_confidences(
        self, const int32_t* heads, double scale, double* confidences
    ) noexcept nogil
    cdef int list_trees(self, int k, int32_t* heads, double* scores) noexcept nogil
    cdef void label_tree(self, const int32_t* heads, int32_t* labels) noexcept nogil
    cdef tuple _list_trees(self, int k)
