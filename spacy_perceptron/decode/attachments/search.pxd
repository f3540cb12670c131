from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..search.beam cimport Beam, Candidate
from ..search.control cimport Control
from .scorer cimport AttachmentScorer
from .state cimport Tree

cdef enum:
    NO_HEAD = -1


cdef struct State:
    double score
    uint64_t signature
    int32_t history
    int32_t slot
    bint correct


cdef struct Action:
    int32_t previous
    # The pair in the list of trees at that time, and the direction: 1 if the child came second.
    int32_t pair
    int32_t direction
    int32_t head
    int32_t child
    float score


# The scores of a pair of words at some point: the first as a child of the second, and vice versa.
cdef struct Meeting:
    int32_t first
    int32_t second
    float scores[2]


cdef class AttachmentSearch:
    cdef readonly AttachmentScorer scorer
    cdef readonly Control control
    cdef int width
    cdef int n_words
    # Partial trees in each state of this step.
    cdef int n_trees
    # Lists of trees, and the score of the better action of each pair: room for n_words in a slot.
    cdef vector[Tree] trees
    cdef vector[float] best
    cdef vector[int32_t] free_slots
    cdef vector[State] states, next_states
    cdef vector[int32_t] n_children
    cdef vector[Action] history
    cdef Beam beam
    # Whether a beam of 1 logs scores, and the scores logged.
    cdef bint logs
    cdef vector[Meeting] meetings
    # The arc that must not be used; NO_HEAD for none.
    cdef int forbidden_head
    cdef int forbidden_child
    # In training: a gold head per word (else NULL), and what wrong actions gain.
    cdef const int32_t* gold
    cdef float bonus

    cdef void start(self, int n_words, int width, const int32_t* gold) noexcept nogil
    cdef Tree* trees_of(self, int slot) noexcept nogil
    cdef float* best_of(self, int slot) noexcept nogil
    cdef void open_trees(self, Tree* trees) noexcept nogil
    cdef bint is_correct(self, const Tree* head, const Tree* child) noexcept nogil
    cdef bint is_forbidden(self, int head, int child) noexcept nogil
    cdef void _offer(self, int s) noexcept nogil
    cdef void join(self, Tree* trees, int n_trees, int pair, int direction) noexcept nogil
    cdef void rescore(self, int slot, int pair, int direction) noexcept nogil
    cdef void finish_scores(self, int slot, int first, int last) noexcept nogil
    cdef int32_t record(self, const State& state, int pair, int direction) noexcept nogil
    cdef void apply(self, State* state, const Candidate& candidate) noexcept nogil
    cdef void copy_slot(self, int source, int target) noexcept nogil
    cdef bint step(self) noexcept nogil
    cdef bint beat(self) noexcept nogil
    cdef void advance(self) noexcept nogil
    cdef void search(self) noexcept nogil
    cdef void log(self, const Tree* trees, int first, int last) noexcept nogil
    cdef void read_heads(self, int32_t last, int32_t* heads) noexcept nogil
