from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..arcs.features cimport PartFeatures
from .state cimport Tree, Window

cdef enum:
    N_GROUPS = 4
    MAX_TERMS = 6
    # Numbers of what is in `SOURCES` of `program`.
    N_PLACES = 24
    ARC_SOURCE = 24
    N_SOURCES = 29


# A run of leaves, the terms of a group's features, that have the same source.
cdef struct Run:
    int32_t source
    int32_t first
    int32_t last


cdef struct Group:
    vector[Run] runs
    vector[int32_t] numbers
    # Places of leaves, MAX_TERMS per template; the first n_short templates have up to 4.
    vector[int32_t] rows
    # Numbers of the templates in the program.
    vector[int32_t] templates
    int n_templates
    int n_short


cdef class AttachmentFeatures:
    cdef readonly PartFeatures parts
    cdef readonly object program
    cdef bint looks_beyond
    # The groups that have templates, as bits; that of arcs is always among them.
    cdef int groups_used
    cdef Group[N_GROUPS] groups
    # What a partial tree's look adds to features: a row per look, a column per conjunct.
    cdef int n_tree_conjuncts
    cdef vector[uint64_t] tree_table
    cdef vector[uint64_t] leaves
    cdef int32_t[N_SOURCES] places
    # Stands for trees outside the list.
    cdef Tree absent

    cdef void start(self) noexcept nogil
    cdef void open_tree(self, Tree* tree, int word, int missing) noexcept nogil
    cdef void attach(self, Tree* head, const Tree* child) noexcept nogil
    cdef void see(self, Window* window, const Tree* trees, int n_trees, int i) noexcept nogil
    cdef void place(self, const Window* window, int direction) noexcept nogil
    cdef int max_ids(self) noexcept nogil
    cdef int arc_ids(self, const Window* window, int direction, uint64_t* ids) noexcept nogil
    cdef int group_ids(self, int group, uint64_t* ids) noexcept nogil
