from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ..parts cimport Parts


cdef class Arborescence:
    # By arc: its score, lowered if it leaves the root, and whether it may be used.
    cdef vector[double] weights
    cdef vector[char] allowed
    # Components: the root, the words, and contracted cycles, which get higher numbers than their
    # members. `parent` is the cycle a component became a member of, or -1.
    cdef int n_components
    cdef vector[int32_t] parent
    cdef vector[int32_t] outermost
    cdef vector[char] states
    cdef vector[int32_t] path
    # The best arc from every word to a cycle, and what it is worth, in rows of `width`. A slot is
    # the number of a cycle's row.
    cdef int width
    cdef vector[double] row_keys
    cdef vector[int32_t] row_arcs
    cdef vector[int32_t] slots
    cdef vector[int32_t] free_slots
    # The best arc into a component, what it was worth when it was chosen, and whether it is in the
    # tree.
    cdef vector[int32_t] best_arcs
    cdef vector[double] best_keys
    cdef vector[char] kept
    # By word: the arc of the tree.
    cdef vector[int32_t] tree

    cdef void load(self, Parts parts) noexcept nogil
    cdef void allow_all(self) noexcept nogil
    cdef void ban(self, int arc) noexcept nogil
    cdef void fix(self, Parts parts, int arc) noexcept nogil
    cdef double solve(self, Parts parts) noexcept nogil
    cdef int root_word(self, Parts parts) noexcept nogil

    cdef int _find(self, int component) noexcept nogil
    cdef int _best_arc(self, Parts parts, int component) noexcept nogil
    cdef int _contract(self, Parts parts, int last) noexcept nogil
    cdef int _new_slot(self) noexcept nogil
    cdef void _add_member(self, Parts parts, int member, int slot) noexcept nogil
    cdef bint _choose(self, Parts parts) noexcept nogil
    cdef double _expand(self, Parts parts) noexcept nogil
