from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...search.control cimport Control
from .arborescence cimport Arborescence
from ..parts cimport Parts


# A restriction in addition to earlier ones: all trees have an arc, or no tree has it.
cdef struct Restriction:
    int32_t arc
    bint is_banned
    int32_t earlier


# A set of trees, none of them found yet, and a bound of their scores. The rest of the set it was
# taken from contains a tree already found; -1 if there is no rest.
cdef struct Region:
    double bound
    int32_t restriction
    int32_t rest
    int32_t found


cdef class RankedTrees(Arborescence):
    cdef Control control
    # The arcs of the trees found, one tree after the other, their scores, and their order by score.
    cdef vector[int32_t] trees
    cdef vector[double] scores
    cdef vector[int32_t] order
    cdef vector[Restriction] restrictions
    cdef vector[Region] regions
    # By word: its children as a linked list, and the pre-order interval of the words below it.
    cdef vector[int32_t] first_child
    cdef vector[int32_t] next_child
    cdef vector[int32_t] enter
    cdef vector[int32_t] leave

    cdef int find_best(self, Parts parts, int k) noexcept nogil

    cdef void _divide_by_root(self, Parts parts, double score) noexcept nogil
    cdef double _score_with_root_arc(self, Parts parts, double score, int arc) noexcept nogil
    cdef void _keep(self, Parts parts) noexcept nogil
    cdef int _restrict(self, int arc, bint is_banned, int earlier) noexcept nogil
    cdef Region _pop_region(self) noexcept nogil
    cdef double _solve_region(self, Parts parts, int restriction) noexcept nogil
    cdef void _split(self, Parts parts, int restriction, int found, double score) noexcept nogil
    cdef void _split_rest(self, Parts parts, int restriction, int found) noexcept nogil
    cdef int _cheapest_drop(self, Parts parts, double* loss) noexcept nogil
    cdef void _number_words(self, Parts parts) noexcept nogil
    cdef void _rank(self) noexcept nogil
