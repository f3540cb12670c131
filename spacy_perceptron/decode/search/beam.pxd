from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from .control cimport Control


cdef enum:
    # Parents of a candidate that are not among the states: the one followed, and none.
    FOLLOWED = -1
    NO_PARENT = -2


cdef struct Candidate:
    double score
    uint64_t signature
    int32_t parent
    int32_t position
    int32_t label
    int32_t row
    bint correct


cdef class Beam:
    cdef readonly int width
    cdef vector[Candidate] items

    cdef void reset(self, int width) noexcept nogil
    cdef bint refuses(self, double score) noexcept nogil
    cdef bint push(self, const Candidate& candidate) noexcept nogil


# A partial structure. What the search needs to know of it beyond this (a slot, the last tags) is
# the payload; its actions are found through the last one.
cdef struct State:
    double score
    uint64_t signature
    uint64_t payload
    int32_t history
    bint correct


cdef class BeamSearch:
    cdef readonly Control control
    cdef int width
    cdef Beam beam
    cdef vector[State] states, next_states
    # In training: the correct sequence that goes on beside the beam after leaving it.
    cdef State followed
    cdef bint follows

    cdef void open(self, int width) noexcept nogil
    cdef bint step(self) noexcept nogil
    cdef bint beat(self) noexcept nogil
    cdef void advance(self) noexcept nogil
    cdef void search(self) noexcept nogil
    cdef void apply(self, State* state, const Candidate& action) noexcept nogil
    cdef int32_t record(self, const State& state, const Candidate& action) noexcept nogil
    cdef bint any_correct(self) noexcept nogil
    cdef bint find_correct(self, Candidate* best) noexcept nogil
    cdef void try_correct(
        self, const State& state, int parent, Candidate* best
    ) noexcept nogil
    cdef void follow(self, const Candidate& action) noexcept nogil
    cdef void detach(self, State* state) noexcept nogil


cdef uint64_t action_signature(int position, int label) noexcept nogil
