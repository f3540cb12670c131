"""Left-to-right beam search over legal entity tags, exact where the beam is wide enough.

A step tags the next word in every state. Scores depend on the words and on the last one or two
tags, whichever the templates look at, so two states with the same last tags have the same future:
only the better one stays (Viterbi's argument), and a beam as wide as there are pairs of tags finds
the best sequence for sure. N-best lists need the others as well, so there states are not merged.
A row of scores is computed once per position and context, whichever states ask for it. A step costs
O(width * tags).

Training finds violations as easy-first tagging does; `max_violation` goes on to the end of the
sentence and updates where the predicted prefix is furthest ahead of the correct one (Huang, Fayong,
Guo 2012).
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

from ...errors import Errors
from ...features.hashing cimport mix
from ..search.beam cimport Candidate, action_signature
from .entities cimport EntityTagging
from .scorer cimport OUTSIDE, TaggingScorer, pack_context
from .search cimport Action, State


cdef class LeftToRight(EntityTagging):
    """Tags sentences from left to right, and trains.

    scorer (TaggingScorer): Features and weights; its classes are the tags.
    scheme (str): `bio` or `biluo`.
    max_violation (bool): Update at the place of the greatest violation instead of the first.
    """

    def __init__(self, TaggingScorer scorer, str scheme, *, bint max_violation=False):
        super().__init__(scorer, scheme)
        self.merging = True
        self.max_violation = max_violation
        self.order = 1
        for offset in scorer.tag_offsets():
            if offset > 0:
                raise ValueError(Errors.ENTITY_LOOKAHEAD.format(offset=offset))
            self.order = max(self.order, -offset)

    # --- States: the two tags before the next word -----------------------------------------

    cdef int _given_code(self, int i) noexcept nogil:
        if i >= self.n:
            return OUTSIDE
        return self.given[i] + 1 if self.given[i] >= 0 else 0

    cdef uint64_t _context(self, uint64_t before) noexcept nogil:
        """The packed context of the next word: what a state has before it and what is given."""
        return pack_context(
            <int>(before & 0xFFFF),
            <int>(before >> 16),
            self._given_code(self.position + 1),
            self._given_code(self.position + 2),
        )

    cdef void _open(self, const int32_t* fixed) noexcept nogil:
        cdef State first
        cdef int i
        self._set_barriers(fixed)
        self.given.assign(self.n, -1)
        if fixed != NULL:
            for i in range(self.n):
                self.given[i] = fixed[i]
        self.rows.clear()
        self.row_context.clear()
        self.row_next.clear()
        self.row_top.clear()
        self.row_head.assign(self.n, -1)
        self.history.clear()
        self.states.clear()
        self.contexts.clear()
        first.score = 0.0
        first.signature = 0
        first.history = -1
        first.correct = True
        self.states.push_back(first)
        self.contexts.push_back((<uint64_t>OUTSIDE << 16) | <uint64_t>OUTSIDE)
        self.position = 0

    cdef void _skip_given(self) noexcept nogil:
        """Go on to the next word without a tag."""
        cdef size_t s
        while self.position < self.n and self.given[self.position] >= 0:
            for s in range(self.contexts.size()):
                self.contexts[s] = (self.contexts[s] >> 16) | (
                    <uint64_t>(self.given[self.position] + 1) << 16
                )
            self.position = self.position + 1

    # --- One step of the beam --------------------------------------------------------------

    cdef bint _step(self, const int32_t* gold) noexcept nogil:
        cdef int s
        self._skip_given()
        if self.position == self.n:
            return False
        self.beam.reset(self.width)
        for s in range(<int>self.states.size()):
            self._offer_extensions(s, gold)
        return True

    cdef void _offer_extensions(self, int s, const int32_t* gold) noexcept nogil:
        cdef int32_t row = self._row(self.position, self._context(self.contexts[s]))
        cdef const float* scores = &self.rows[<size_t>row * self.n_tags]
        cdef uint64_t last = self.contexts[s] >> 16 if self.order > 1 else 0
        cdef Candidate candidate
        cdef int b
        candidate.parent = s
        candidate.position = self.position
        candidate.row = row
        for b in range(min(self.width, self.n_tags)):
            candidate.label = self._top(row, b)
            candidate.score = self.states[s].score + scores[candidate.label]
            if candidate.score == -INFINITY or self.beam.refuses(candidate.score):
                return
            if self.merging:
                candidate.signature = (last << 16) + <uint64_t>candidate.label
            else:
                candidate.signature = self.states[s].signature + action_signature(
                    self.position, candidate.label
                )
            candidate.correct = (
                gold != NULL
                and self.states[s].correct
                and self._agrees(gold, self.position, candidate.label)
            )
            self.beam.push(candidate)

    cdef void _advance(self) noexcept nogil:
        cdef int c
        cdef Candidate candidate
        cdef State state
        cdef Action action
        self.next_states.clear()
        self.next_contexts.clear()
        for c in range(<int>self.beam.items.size()):
            candidate = self.beam.items[c]
            action.previous = self.states[candidate.parent].history
            action.position = candidate.position
            action.label = candidate.label
            action.row = candidate.row
            state.score = candidate.score
            state.signature = candidate.signature
            state.correct = candidate.correct
            state.history = <int32_t>self.history.size()
            self.history.push_back(action)
            self.next_states.push_back(state)
            self.next_contexts.push_back(
                (self.contexts[candidate.parent] >> 16) | (<uint64_t>(candidate.label + 1) << 16)
            )
        self.states.swap(self.next_states)
        self.contexts.swap(self.next_contexts)
        self.position = self.position + 1

    cdef void _read_tags(self, int s, int32_t* tags) noexcept nogil:
        cdef int i
        cdef int32_t a = self.states[s].history
        for i in range(self.n):
            tags[i] = self.given[i]
        while a >= 0:
            tags[self.history[a].position] = self.history[a].label
            a = self.history[a].previous

    # --- Violations ------------------------------------------------------------------------

    cdef void _find_gold_extension(self, const int32_t* gold) noexcept nogil:
        cdef int s, label
        cdef int32_t row
        cdef double score
        self.gold_candidate.parent = -1
        self.gold_candidate.score = -INFINITY
        for s in range(<int>self.states.size()):
            if not self.states[s].correct:
                continue
            row = self._row(self.position, self._context(self.contexts[s]))
            label = self._best_correct(gold, self.position, row)
            if label < 0:
                continue
            score = self.states[s].score + self.rows[<size_t>row * self.n_tags + label]
            if score > self.gold_candidate.score:
                self.gold_candidate.parent = s
                self.gold_candidate.score = score
                self.gold_candidate.position = self.position
                self.gold_candidate.label = label
                self.gold_candidate.row = row

    cdef bint _search_violation(self, const int32_t* gold) noexcept nogil:
        if self.max_violation:
            return self._search_max_violation(gold)
        return EntityTagging._search_violation(self, gold)

    cdef bint _search_max_violation(self, const int32_t* gold) noexcept nogil:
        """Decode to the end beside the correct sequence, which may have left the beam."""
        cdef uint64_t before = self.contexts[0]
        cdef int32_t gold_history = -1, right = -1, wrong = -1, row
        cdef double gold_score = 0.0, right_score = 0.0, wrong_score = 0.0, worst = -INFINITY
        cdef int label, start
        cdef bint found = False
        while True:
            start = self.position
            if not self._step(gold):
                break
            while start < self.position:
                before = (before >> 16) | (<uint64_t>(self.given[start] + 1) << 16)
                start += 1
            self._find_gold_extension(gold)
            if self.gold_candidate.parent >= 0:
                gold_history = self.states[self.gold_candidate.parent].history
                before = self.contexts[self.gold_candidate.parent]
            else:
                row = self._row(self.position, self._context(before))
                label = self._best_correct(gold, self.position, row)
                if label < 0:
                    break
                self.gold_candidate.score = (
                    gold_score + self.rows[<size_t>row * self.n_tags + label]
                )
                self.gold_candidate.position = self.position
                self.gold_candidate.label = label
                self.gold_candidate.row = row
            before = (before >> 16) | (<uint64_t>(self.gold_candidate.label + 1) << 16)
            self._add_gold_action(gold_history)
            gold_history = self.gold_history
            gold_score = self.gold_score
            self._advance()
            if not self.states[0].correct and self.states[0].score - gold_score > worst:
                worst = self.states[0].score - gold_score
                right, right_score = gold_history, gold_score
                wrong, wrong_score = self.states[0].history, self.states[0].score
                found = True
        # A mistake that later words have put right is none.
        if not found or self.states[0].correct:
            return False
        self.gold_history, self.gold_score = right, right_score
        self.wrong_history, self.wrong_score = wrong, wrong_score
        return True

    def nbest(self, const int32_t[::1] rows not None, int width, *, const int32_t[::1] fixed=None):
        """All taggings in the last beam of one sentence, best first.

        rows (int32 array): Lexeme rows of the words.
        width (int): Beam width, the most taggings to return.
        fixed (int32 array): Tags given in advance, or below 0; optional.
        RETURNS (tuple): Taggings (m x n int32 array) and their scores (float64 array).
        """
        self.merging = False
        try:
            return EntityTagging.nbest(self, rows, width, fixed=fixed)
        finally:
            self.merging = True

    def __reduce__(self):
        return _rebuild, (self.scorer, self.scheme, self.max_violation)


def _rebuild(scorer, scheme, max_violation):
    return LeftToRight(scorer, scheme, max_violation=max_violation)
