from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from .easy_first cimport EasyFirstTagging

cdef enum:
    # Given or gold: any tag that does not go on with the entity before.
    NEW_START = -2
    # Names of neighbours that are no tags.
    UNKNOWN = -1
    BORDER = -2


cdef class EntityTagging(EasyFirstTagging):
    cdef readonly str scheme
    # What each tag is: its label, whether it goes on with an entity, and whether the next may or
    # must go on with its own.
    cdef vector[int32_t] label_of
    cdef vector[uint8_t] continues, may_go_on, must_go_on
    # Words that start anew.
    cdef vector[uint8_t] barriers

    cdef bint _follows(self, int left, int tag, bint barrier) noexcept nogil
    cdef bint _is_legal(
        self, int tag, int i, int before2, int before1, int after1, int after2
    ) noexcept nogil
    cdef int _neighbour(self, const int32_t* gold, int i) noexcept nogil
    cdef void _set_barriers(self, const int32_t* fixed) noexcept nogil
