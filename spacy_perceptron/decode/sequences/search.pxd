from libc.stdint cimport int32_t
from libcpp.vector cimport vector

cimport cython

from ..search.beam cimport BeamSearch, Candidate, State
from .rows cimport ScoreRows


cdef struct Action:
    int32_t previous
    int32_t position
    int32_t label
    int32_t row


cdef class TaggingSearch(BeamSearch):
    cdef readonly ScoreRows rows
    # Whether taggings that differ can become one state, if that is allowed.
    cdef readonly bint merges
    # Of the sentence that is being searched: its words, its gold tags in training, else NULL.
    cdef int n
    cdef const int32_t* gold
    cdef vector[Action] history
    # Scratch memory: sums over tags that say the same.
    cdef vector[double] same

    cdef void start(self, int width, const int32_t* gold, bint distinct) noexcept nogil
    cdef void read_tags(self, int s, int32_t* tags) noexcept nogil
    cdef void read_confidences(
        self, float* confidences, double temperature, const int32_t* groups, int n_groups
    ) noexcept nogil

    @cython.final
    cdef inline bint is_correct(self, const State& state, int i, int tag) noexcept nogil:
        """Whether a state stays correct with a tag at i; False without gold."""
        return (
            self.gold != NULL
            and state.correct
            and self.rows.constraint.agrees(self.gold, i, tag)
        )

    @cython.final
    cdef inline void try_position(
        self, const State& state, int parent, int i, int32_t row, Candidate* best
    ) noexcept nogil:
        """Take the best correct tag at i, of a row, if it is better than the best so far."""
        cdef int tag = self.rows.best_correct(self.gold, i, row)
        cdef double score
        if tag < 0:
            return
        score = state.score + self.rows.row_scores(row)[tag]
        if score > best.score:
            best.parent = parent
            best.score = score
            best.position = i
            best.label = tag
            best.row = row
