from libcpp.vector cimport vector

from .active_trees cimport ActiveTree, ActiveTrees
from .hashed cimport HashedWeights
from .mira cimport Feature


cdef class MaxMargin:
    cdef readonly HashedWeights weights
    cdef readonly double c
    cdef readonly int max_trees
    cdef readonly double tolerance
    cdef readonly int max_steps
    cdef vector[ActiveTrees] sentences
    # The weights, by table index.
    cdef vector[double] exact
    # C * sum of alpha * loss, and the squared norm of the weights.
    cdef double linear
    cdef double norm
    # Per active tree of the sentence at hand: loss - w . D now and before, and the change of alpha.
    cdef vector[double] slopes
    cdef vector[double] old_slopes
    cdef vector[double] changes
    # Scratch.
    cdef vector[Feature] left
    cdef vector[Feature] right

    cdef double offer(
        self, int sentence, const vector[Feature]& difference, double loss, double time
    ) noexcept nogil
    cdef double ascend(self, int sentence, double time) noexcept nogil
    cdef void _open(self, int sentence) noexcept nogil
    cdef bint _is_useful(
        self, const ActiveTrees* active, const ActiveTree* tree, double slope
    ) noexcept nogil
    cdef void _insert(
        self, ActiveTrees* active, const ActiveTree& tree, double slope
    ) noexcept nogil
    cdef size_t _make_room(self, ActiveTrees* active) noexcept nogil
    cdef bint _less(self, const ActiveTrees* active, size_t i, size_t j) noexcept nogil
    cdef void _move(self, ActiveTrees* active) noexcept nogil
    cdef double _apply(self, const ActiveTrees* active, double time) noexcept nogil
    cdef void _write(self, size_t index, double time) noexcept nogil
    cdef void _rebuild_weights(self, double time) noexcept nogil
