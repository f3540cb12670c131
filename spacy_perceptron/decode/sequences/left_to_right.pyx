"""Left-to-right search with a beam, exact where the beam is wide enough.

A step tags the next word in every state. Scores depend on the words and on the last one or two
tags, whichever the templates look at, so two states with the same last tags have the same future:
only the better one stays (Viterbi's argument), and a beam as wide as there are pairs of tags is
sure to find the best sequence. N-best lists need the others as well, so there states are not
merged. A step costs O(width * tags).

Words may be tagged before the search, which then passes over them.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

cimport cython

from ...errors import Errors
from ..search.beam cimport BeamSearch, Candidate, State, action_signature
from .rows cimport Constraint
from .scorer cimport OUTSIDE, TaggingScorer, pack_context
from .search cimport TaggingSearch


cdef inline uint64_t append_tag(uint64_t before, int tag) noexcept nogil:
    """The codes of the last two tags after one more tag."""
    return (before >> 16) | (<uint64_t>(tag + 1) << 16)


@cython.final
cdef class LeftToRightSearch(TaggingSearch):
    """Tags words from left to right. A state's payload is the codes of the last two tags.

    scorer (TaggingScorer): Features and weights; no template may look at tags ahead.
    constraint (Optional[Constraint]): Which tags may stand where; None allows every sequence.
    """

    # How many tags to the left features look at.
    cdef int order
    cdef bint distinct
    # The next word.
    cdef int position

    def __init__(self, TaggingScorer scorer, Constraint constraint=None):
        super().__init__(scorer, constraint)
        self.merges = True
        self.order = 1
        for offset in scorer.tag_offsets():
            if offset > 0:
                raise ValueError(Errors.ENTITY_LOOKAHEAD.format(offset=offset))
            self.order = max(self.order, -offset)

    cdef void start(self, int width, const int32_t* gold, bint distinct) noexcept nogil:
        TaggingSearch.start(self, width, gold, distinct)
        self.distinct = distinct
        self.states[0].payload = (<uint64_t>OUTSIDE << 16) | <uint64_t>OUTSIDE
        self.position = 0

    cdef int _given_code(self, int i) noexcept nogil:
        if i >= self.n:
            return OUTSIDE
        return self.rows.given[i] + 1 if self.rows.given[i] >= 0 else 0

    cdef int32_t _row(self, const State& state) noexcept nogil:
        """The score row of the next word: its context is what a state has and what is given."""
        return self.rows.find(
            self.position,
            pack_context(
                <int>(state.payload & 0xFFFF),
                <int>(state.payload >> 16),
                self._given_code(self.position + 1),
                self._given_code(self.position + 2),
            ),
        )

    cdef void _skip_given(self) noexcept nogil:
        """Move to the next word without a tag."""
        cdef size_t s
        cdef int tag
        while self.position < self.n and self.rows.given[self.position] >= 0:
            tag = self.rows.given[self.position]
            for s in range(self.states.size()):
                self.states[s].payload = append_tag(self.states[s].payload, tag)
            self.followed.payload = append_tag(self.followed.payload, tag)
            self.position = self.position + 1

    cdef bint step(self) noexcept nogil:
        cdef int s
        self._skip_given()
        if self.position == self.n:
            return False
        self.beam.reset(self.width)
        for s in range(<int>self.states.size()):
            self._offer_extensions(s)
        return self.beam.items.size() > 0

    cdef void _offer_extensions(self, int s) noexcept nogil:
        cdef State state = self.states[s]
        cdef int32_t row = self._row(state)
        cdef const float* scores = self.rows.row_scores(row)
        cdef const int32_t* tags = self.rows.row_tags(row)
        cdef uint64_t last = state.payload >> 16 if self.order > 1 else 0
        cdef Candidate candidate
        cdef int b
        candidate.parent = s
        candidate.position = self.position
        candidate.row = row
        for b in range(min(self.width, self.rows.n_tags)):
            candidate.label = tags[b]
            candidate.score = state.score + scores[candidate.label]
            if candidate.score == -INFINITY or self.beam.refuses(candidate.score):
                return
            if self.distinct:
                candidate.signature = state.signature + action_signature(
                    self.position, candidate.label
                )
            else:
                candidate.signature = (last << 16) + <uint64_t>candidate.label
            candidate.correct = self.is_correct(state, self.position, candidate.label)
            self.beam.push(candidate)

    cdef void advance(self) noexcept nogil:
        cdef size_t c
        cdef State state
        self.next_states.clear()
        for c in range(self.beam.items.size()):
            state = self.states[self.beam.items[c].parent]
            self.apply(&state, self.beam.items[c])
            self.next_states.push_back(state)
        self.states.swap(self.next_states)
        self.position = self.position + 1

    cdef void apply(self, State* state, const Candidate& candidate) noexcept nogil:
        BeamSearch.apply(self, state, candidate)
        state.payload = append_tag(state.payload, candidate.label)

    cdef void try_correct(
        self, const State& state, int parent, Candidate* best
    ) noexcept nogil:
        self.try_position(state, parent, self.position, self._row(state), best)
