from libc.stdint cimport int32_t
from libcpp.vector cimport vector

cdef enum:
    LEFT = 0
    RIGHT = 1
    ROOT = 0


cdef class Parts:
    cdef readonly int n_words
    # Arcs, sorted by child, then head.
    cdef vector[int32_t] heads
    cdef vector[int32_t] children
    # The arcs of child c are incoming[c] .. incoming[c + 1] - 1.
    cdef vector[int32_t] incoming
    # The arcs of head h to one side are outgoing[2 * h + side] .. outgoing[2 * h + side + 1] - 1
    # in outgoing_arcs, the nearest child first; rank is an arc's place among them.
    cdef vector[int32_t] outgoing
    cdef vector[int32_t] outgoing_arcs
    cdef vector[int32_t] rank
    cdef vector[int32_t] n_placed
    cdef vector[float] kept_scores
    # First ids of the parts whose outer arc this is.
    cdef vector[int32_t] sibling_start
    cdef vector[int32_t] grand_start
    cdef vector[int32_t] grand_sibling_start

    cdef vector[float] arc
    cdef vector[float] first
    cdef vector[float] last
    cdef vector[float] childless
    cdef vector[float] sibling
    cdef vector[float] grand
    cdef vector[float] grand_sibling

    cdef void reset(self, int n_words) noexcept nogil
    cdef void add_arc(self, int head, int child) noexcept nogil
    cdef void finish(self, int order) noexcept nogil
    cdef void keep_arcs(self, const vector[int32_t]& kept, int order) noexcept nogil
    cdef int find(self, int head, int child) noexcept nogil
    cdef int n_arcs(self) noexcept nogil
    cdef int side(self, int arc) noexcept nogil
    cdef int sibling_id(self, int inner, int outer) noexcept nogil
    cdef int grand_id(self, int upper, int lower) noexcept nogil
    cdef int grand_sibling_id(self, int upper, int inner, int outer) noexcept nogil
