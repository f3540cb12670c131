"""Easy-first search with a beam over partial taggings (Ma, Zhu, Xiao, Yang 2013, Algorithm 1).

A state is a partial tagging; an action (i, t) gives tag t to a still untagged position i; n actions
tag n words, easy ones first. All one-action extensions of the kept states compete and the best
`width` distinct partial taggings stay. Scores of an action depend on the words and on the tags
within two positions, so an action changes at most four other positions, and the score row of a
position under a given context of tags is computed once per sentence, whichever states ask for it.

Positions live in blocks of 32 that states share until one of them writes (copy on write), and each
block knows its best action. A step therefore costs O(width * (n / 32 + 32)) in place of O(width *
n): time per word grows slowly with the length of the sentence, and memory is bounded by the
contexts met.

Deviation from the paper: words may be tagged before the search starts, by a dictionary or by
training that resumes behind a mistake.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

from ...errors import Errors
from ..search.beam cimport Beam, Candidate, action_signature
from .scorer cimport OUTSIDE, PAD, TaggingScorer, pack_context

cdef extern from *:
    """
    /* The first of the largest of n scores. The maximum is found in eight lanes, which compilers
       turn into vectors, and then looked for. */
    static inline int sp_first_best(const float* scores, int n) {
        float lanes[8], best = scores[0];
        int t = 0, k;
        for (k = 0; k < 8; k++) lanes[k] = best;
        for (; t + 8 <= n; t += 8)
            for (k = 0; k < 8; k++)
                lanes[k] = scores[t + k] > lanes[k] ? scores[t + k] : lanes[k];
        for (k = 0; k < 8; k++) best = lanes[k] > best ? lanes[k] : best;
        for (; t < n; t++) best = scores[t] > best ? scores[t] : best;
        t = 0;
        while (t < n - 1 && scores[t] != best) t++;
        return t;
    }
    """
    int sp_first_best(const float* scores, int n) noexcept nogil


cdef class TaggingSearch:
    """The search. Scratch memory is kept between sentences.

    scorer (TaggingScorer): Features and weights.
    """

    def __init__(self, TaggingScorer scorer):
        self.scorer = scorer
        self.n_tags = scorer.n_tags
        self.beam = Beam(1)
        self.lowest = NO_GOLD

    cdef int _check(self, const int32_t[::1] rows, const int32_t[::1] tags, int width) except -1:
        """Refuse arguments that lead outside the arrays. tags: gold or given ones, may be None."""
        cdef Py_ssize_t i, n = rows.shape[0]
        if width < 1:
            raise ValueError(Errors.DECODE_WIDTH.format(width=width))
        for i in range(n):
            if not 0 <= rows[i] < self.scorer.lexemes.n_rows:
                n_rows = self.scorer.lexemes.n_rows
                raise ValueError(Errors.DECODE_ROW.format(row=rows[i], n=n_rows))
        if tags is None:
            return 0
        if tags.shape[0] != n:
            raise ValueError(Errors.DECODE_TAGS.format(n_tags=tags.shape[0], n_words=n))
        for i in range(n):
            if not self.lowest <= tags[i] < self.n_tags:
                raise ValueError(Errors.DECODE_TAG.format(tag=tags[i], n=self.n_tags))
        return 0

    # --- Setting up a sentence -------------------------------------------------------------

    cdef void _start(
        self, const int32_t* rows, const int32_t* fixed, int n, int width
    ) noexcept nogil:
        """Load a sentence and make its first state."""
        self._load(rows, n, width)
        self._open(fixed)

    cdef void _load(self, const int32_t* rows, int n, int width) noexcept nogil:
        """Score what does not depend on tags."""
        cdef int i
        self.n = n
        self.width = width
        self.n_blocks = (n + BLOCK - 1) // BLOCK
        self.padded.assign(n + 2 * PAD, 0)
        for i in range(n):
            self.padded[PAD + i] = rows[i]
        for i in range(PAD):
            self.padded[PAD + n + i] = 1
        self.static.resize(<size_t>n * self.n_tags)
        self.scorer.static_scores(&self.padded[PAD], n, &self.static[0])

    cdef void _open(self, const int32_t* fixed) noexcept nogil:
        """One state without actions, every position scored in its initial context.

        fixed: a tag per position given before the search, or -1; may be NULL.
        """
        cdef int i, b
        cdef State first
        self.rows.clear()
        self.row_context.clear()
        self.row_next.clear()
        self.row_top.clear()
        self.row_head.assign(self.n, -1)
        self.history.clear()
        self.blocks.clear()
        self.free_blocks.clear()
        self.states.clear()
        first.score = 0.0
        first.signature = 0
        first.history = -1
        first.correct = True
        self.states.push_back(first)
        self.state_blocks.assign(self.n_blocks, 0)
        for b in range(self.n_blocks):
            self.state_blocks[b] = self._new_block()
            self._clear_block(&self.blocks[self.state_blocks[b]])
        if fixed != NULL:
            for i in range(self.n):
                if fixed[i] >= 0:
                    self.blocks[self.state_blocks[i // BLOCK]].tags[i % BLOCK] = <uint16_t>(
                        fixed[i] + 1
                    )
        for i in range(self.n):
            self._rescore(&self.state_blocks[0], i)
        for b in range(self.n_blocks):
            self._find_best(&self.blocks[self.state_blocks[b]])

    cdef int32_t _new_block(self) noexcept nogil:
        cdef int32_t number
        if self.free_blocks.size():
            number = self.free_blocks.back()
            self.free_blocks.pop_back()
        else:
            number = <int32_t>self.blocks.size()
            self.blocks.resize(number + 1)
        self.blocks[number].users = 1
        return number

    cdef void _clear_block(self, Block* block) noexcept nogil:
        cdef int k
        for k in range(BLOCK):
            block.scores[k] = -INFINITY
            block.rows[k] = -1
            block.tags[k] = 0
        block.best = 0

    cdef void _find_best(self, Block* block) noexcept nogil:
        cdef int k, best = 0
        for k in range(1, BLOCK):
            if block.scores[k] > block.scores[best]:
                best = k
        block.best = best

    # --- Score rows ------------------------------------------------------------------------

    cdef int _code(self, const int32_t* blocks, int i) noexcept nogil:
        """Tag code of a position: 0 untagged, tag + 1, or OUTSIDE the sentence."""
        if i < 0 or i >= self.n:
            return OUTSIDE
        return self.blocks[blocks[i // BLOCK]].tags[i % BLOCK]

    cdef int32_t _row(self, int i, uint64_t context) noexcept nogil:
        """The score row of a position in a context, computed at most once per sentence."""
        cdef int32_t row = self.row_head[i]
        cdef float* scores
        while row >= 0:
            if self.row_context[row] == context:
                return row
            row = self.row_next[row]
        row = <int32_t>self.row_context.size()
        self.row_context.push_back(context)
        self.row_next.push_back(self.row_head[i])
        self.row_head[i] = row
        self.rows.resize(<size_t>(row + 1) * self.n_tags)
        scores = &self.rows[<size_t>row * self.n_tags]
        memcpy(scores, &self.static[<size_t>i * self.n_tags], self.n_tags * sizeof(float))
        self.scorer.add_dynamic_scores(&self.padded[PAD], i, context, scores)
        self._forbid(i, context, scores)
        self._rank(scores)
        return row

    cdef void _forbid(self, int i, uint64_t context, float* scores) noexcept nogil:
        """For subclasses: give tags that may not stand in this context a score of -INFINITY."""
        pass

    cdef bint _agrees(self, const int32_t* gold, int i, int label) noexcept nogil:
        """Whether a tag can be part of a correct tagging."""
        return gold[i] == NO_GOLD or gold[i] == label

    cdef void _rank(self, const float* scores) noexcept nogil:
        """Append the best min(width, n_tags) tags of a row, best first, lower tag on ties."""
        cdef int n_top = min(self.width, self.n_tags)
        cdef size_t start = self.row_top.size()
        cdef int t, k, filled = 0
        self.row_top.resize(start + n_top)
        cdef int32_t* top = &self.row_top[start]
        if n_top == 1:
            top[0] = sp_first_best(scores, self.n_tags)
            return
        for t in range(self.n_tags):
            if filled == n_top and scores[t] <= scores[top[n_top - 1]]:
                continue
            k = filled if filled < n_top else n_top - 1
            while k > 0 and scores[top[k - 1]] < scores[t]:
                top[k] = top[k - 1]
                k -= 1
            top[k] = t
            if filled < n_top:
                filled += 1

    cdef int32_t _top(self, int32_t row, int rank) noexcept nogil:
        return self.row_top[<size_t>row * min(self.width, self.n_tags) + rank]

    cdef void _rescore(self, const int32_t* blocks, int i) noexcept nogil:
        """Look up position i's row after a change nearby. The block must be this state's own."""
        cdef Block* block = &self.blocks[blocks[i // BLOCK]]
        cdef int32_t row
        if block.tags[i % BLOCK] != 0:
            return
        row = self._row(
            i,
            pack_context(
                self._code(blocks, i - 2),
                self._code(blocks, i - 1),
                self._code(blocks, i + 1),
                self._code(blocks, i + 2),
            ),
        )
        block.rows[i % BLOCK] = row
        block.scores[i % BLOCK] = self.rows[<size_t>row * self.n_tags + self._top(row, 0)]

    # --- One step of the beam --------------------------------------------------------------

    cdef void _offer_extensions(self, int s, const int32_t* gold) noexcept nogil:
        """Push the best `width` actions of state s.

        At least as good as the action of tag rank b at position rank a are the best actions of the
        a positions before it and the b better tags at its own, so it can be among the best `width`
        only if a + b < width.
        """
        cdef const int32_t* blocks = &self.state_blocks[<size_t>s * self.n_blocks]
        cdef int n_top = self._top_positions(blocks)
        cdef int a, b, i
        cdef int32_t row
        cdef Candidate candidate
        candidate.parent = s
        for a in range(n_top):
            i = self.top_positions[a]
            row = self.blocks[blocks[i // BLOCK]].rows[i % BLOCK]
            for b in range(min(self.width - a, self.n_tags)):
                candidate.label = self._top(row, b)
                candidate.position = i
                candidate.row = row
                candidate.score = (
                    self.states[s].score
                    + self.rows[<size_t>row * self.n_tags + candidate.label]
                )
                if candidate.score == -INFINITY or self.beam.refuses(candidate.score):
                    # What follows is no better: other tags and, after a best tag, other positions.
                    if b == 0:
                        return
                    break
                candidate.signature = self.states[s].signature + action_signature(
                    i, candidate.label
                )
                candidate.correct = (
                    gold != NULL
                    and self.states[s].correct
                    and self._agrees(gold, i, candidate.label)
                )
                self.beam.push(candidate)

    cdef int _top_positions(self, const int32_t* blocks) noexcept nogil:
        """Fill top_positions with the untagged positions of the best actions, best first.

        RETURNS (int): How many there are: `width`, or fewer near the end.
        """
        cdef int b, k, j, n_top = 0
        cdef const Block* block
        cdef float score
        self.top_positions.resize(self.width)
        self.top_scores.resize(self.width)
        for b in range(self.n_blocks):
            block = &self.blocks[blocks[b]]
            score = block.scores[block.best]
            if score == -INFINITY or (n_top == self.width and score <= self.top_scores[n_top - 1]):
                continue
            if self.width == 1:
                self.top_positions[0] = b * BLOCK + block.best
                self.top_scores[0] = score
                n_top = 1
                continue
            for k in range(BLOCK):
                score = block.scores[k]
                if score == -INFINITY:
                    continue
                if n_top == self.width:
                    if score <= self.top_scores[n_top - 1]:
                        continue
                    j = n_top - 1
                else:
                    j = n_top
                    n_top += 1
                while j > 0 and self.top_scores[j - 1] < score:
                    self.top_scores[j] = self.top_scores[j - 1]
                    self.top_positions[j] = self.top_positions[j - 1]
                    j -= 1
                self.top_scores[j] = score
                self.top_positions[j] = b * BLOCK + k
        return n_top

    cdef int32_t _own(self, int32_t* blocks, int b) noexcept nogil:
        """Make block b of a state writable: its own copy if other states use it too."""
        cdef int32_t number = blocks[b], copy
        if self.blocks[number].users > 1:
            copy = self._new_block()
            self.blocks[copy] = self.blocks[number]
            self.blocks[copy].users = 1
            self.blocks[number].users = self.blocks[number].users - 1
            blocks[b] = copy
            number = copy
        return number

    cdef void _advance(self) noexcept nogil:
        """Turn the beam's candidates into the states of the next step."""
        # Elements of vectors are not changed in place: with bounds checks that takes the GIL.
        cdef int c, b, parent, users
        cdef int n_new = <int>self.beam.items.size()
        cdef int32_t* blocks
        self.n_children.assign(self.states.size(), 0)
        for c in range(n_new):
            parent = self.beam.items[c].parent
            self.n_children[parent] = self.n_children[parent] + 1
        for parent in range(<int>self.states.size()):
            blocks = &self.state_blocks[<size_t>parent * self.n_blocks]
            for b in range(self.n_blocks):
                # Every child is a user; the parent itself stops being one.
                users = self.blocks[blocks[b]].users + self.n_children[parent] - 1
                self.blocks[blocks[b]].users = users
                if users == 0:
                    self.free_blocks.push_back(blocks[b])
        self.next_states.clear()
        self.next_blocks.resize(<size_t>n_new * self.n_blocks)
        for c in range(n_new):
            blocks = &self.next_blocks[<size_t>c * self.n_blocks]
            memcpy(
                blocks,
                &self.state_blocks[<size_t>self.beam.items[c].parent * self.n_blocks],
                self.n_blocks * sizeof(int32_t),
            )
            self._apply(blocks, self.beam.items[c])
        self.states.swap(self.next_states)
        self.state_blocks.swap(self.next_blocks)

    cdef void _apply(self, int32_t* blocks, const Candidate& candidate) noexcept nogil:
        """Append the state that a candidate's action leads to."""
        cdef State state
        cdef Action action
        cdef int i = candidate.position, j, b
        cdef int first = max(i - 2, 0), last = min(i + 2, self.n - 1)
        cdef Block* block
        for b in range(first // BLOCK, last // BLOCK + 1):
            self._own(blocks, b)
        block = &self.blocks[blocks[i // BLOCK]]
        block.tags[i % BLOCK] = <uint16_t>(candidate.label + 1)
        block.scores[i % BLOCK] = -INFINITY
        for j in range(first, last + 1):
            self._rescore(blocks, j)
        for b in range(first // BLOCK, last // BLOCK + 1):
            self._find_best(&self.blocks[blocks[b]])
        action.previous = self.states[candidate.parent].history
        action.position = i
        action.label = candidate.label
        action.row = candidate.row
        state.score = candidate.score
        state.signature = candidate.signature
        state.correct = candidate.correct
        state.history = <int32_t>self.history.size()
        self.history.push_back(action)
        self.next_states.push_back(state)

    cdef bint _step(self, const int32_t* gold) noexcept nogil:
        """Extend every state by one action.

        RETURNS (bint): False when nothing is left to tag.
        """
        cdef int s
        self.beam.reset(self.width)
        for s in range(<int>self.states.size()):
            self._offer_extensions(s, gold)
        return self.beam.items.size() > 0

    cdef void _search(self) noexcept nogil:
        while self._step(NULL):
            self._advance()
