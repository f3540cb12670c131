from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..search.beam cimport Candidate
from .entities cimport EntityTagging
from .search cimport State


cdef class LeftToRight(EntityTagging):
    # How many tags to the left features look at.
    cdef int order
    cdef bint merging, max_violation
    # The next word, and for each state the codes of the two tags before it.
    cdef int position
    cdef vector[int32_t] given
    cdef vector[uint64_t] contexts, next_contexts

    cdef int _given_code(self, int i) noexcept nogil
    cdef uint64_t _context(self, uint64_t before) noexcept nogil
    cdef void _skip_given(self) noexcept nogil
    cdef bint _search_max_violation(self, const int32_t* gold) noexcept nogil
