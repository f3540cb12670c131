"""Easy-first search with a beam over partial taggings (Ma, Zhu, Xiao, Yang 2013, Algorithm 1).

A state is a partial tagging; an action (i, t) gives tag t to a still untagged position i; n actions
tag n words, easy ones first. All one-action extensions of the kept states compete and the best
`width` distinct partial taggings stay. Scores of an action depend on the words and on the tags
within two positions, so an action changes at most four other positions.

Positions live in blocks of 32 that states share until one of them writes (copy on write), and each
block knows its best action. A step therefore costs O(width * (n / 32 + 32)) in place of O(width *
n): time per word grows slowly with the length of the sentence, and memory is bounded by the
contexts met.

Deviation from the paper: words may be tagged before the search starts, by a dictionary or by
training that resumes after a mistake.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

cimport cython

from ..search.beam cimport BeamSearch, Candidate, State, action_signature
from .scorer cimport OUTSIDE, pack_context
from .search cimport TaggingSearch

cdef enum:
    BLOCK = 32


cdef struct Block:
    int32_t users
    int32_t best
    float scores[BLOCK]
    int32_t rows[BLOCK]
    uint16_t tags[BLOCK]


@cython.final
cdef class EasyFirstSearch(TaggingSearch):
    """Tags words in the order of ease. Memory is kept between sentences.

    scorer (TaggingScorer): Features and weights.
    constraint (Optional[Constraint]): Which tags may stand where; None allows every sequence.
    """

    cdef int n_blocks
    cdef vector[Block] blocks
    cdef vector[int32_t] free_blocks
    # Lists of block numbers. A state's payload says which one is its own: those of this step and of
    # the next one take turns in two halves of `width` lists; one more is for the followed state.
    cdef vector[int32_t] lists
    cdef int next_half
    cdef vector[int32_t] n_children
    cdef vector[int32_t] top_positions
    cdef vector[float] top_scores

    # --- Setting up a sentence -------------------------------------------------------------

    cdef void start(self, int width, const int32_t* gold, bint distinct) noexcept nogil:
        """Score every position in its initial context. States are distinct anyway."""
        cdef int i, b
        cdef int32_t* blocks
        TaggingSearch.start(self, width, gold, distinct)
        self.n_blocks = (self.n + BLOCK - 1) // BLOCK
        self.lists.resize(<size_t>(2 * width + 1) * self.n_blocks)
        self.next_half = 1
        self.blocks.clear()
        self.free_blocks.clear()
        blocks = self._blocks_of(self.states[0])
        for b in range(self.n_blocks):
            blocks[b] = self._new_block()
            self._clear_block(&self.blocks[blocks[b]])
        for i in range(self.n):
            if self.rows.given[i] >= 0:
                self.blocks[blocks[i // BLOCK]].tags[i % BLOCK] = <uint16_t>(
                    self.rows.given[i] + 1
                )
        for i in range(self.n):
            self._rescore(blocks, i)
        for b in range(self.n_blocks):
            self._find_best(&self.blocks[blocks[b]])

    cdef int32_t* _blocks_of(self, const State& state) noexcept nogil:
        return self.lists.data() + state.payload * self.n_blocks

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

    cdef int _code(self, const int32_t* blocks, int i) noexcept nogil:
        """Tag code of a position: 0 untagged, tag + 1, or OUTSIDE the sentence."""
        if i < 0 or i >= self.n:
            return OUTSIDE
        return self.blocks[blocks[i // BLOCK]].tags[i % BLOCK]

    cdef void _rescore(self, const int32_t* blocks, int i) noexcept nogil:
        """Look up position i's row after a change nearby. The block must be this state's own."""
        cdef Block* block = &self.blocks[blocks[i // BLOCK]]
        cdef int32_t row
        if block.tags[i % BLOCK] != 0:
            return
        row = self.rows.find(
            i,
            pack_context(
                self._code(blocks, i - 2),
                self._code(blocks, i - 1),
                self._code(blocks, i + 1),
                self._code(blocks, i + 2),
            ),
        )
        block.rows[i % BLOCK] = row
        block.scores[i % BLOCK] = self.rows.row_scores(row)[self.rows.row_tags(row)[0]]

    # --- One step of the beam --------------------------------------------------------------

    cdef bint step(self) noexcept nogil:
        cdef int s
        self.beam.reset(self.width)
        for s in range(<int>self.states.size()):
            self._offer_extensions(s)
        return self.beam.items.size() > 0

    cdef void _offer_extensions(self, int s) noexcept nogil:
        """Push the best `width` actions of state s.

        At least as good as the action of tag rank b at position rank a are the best actions of the
        a positions before it and the b better tags at its own, so it can be among the best `width`
        only if a + b < width.
        """
        cdef const int32_t* blocks = self._blocks_of(self.states[s])
        cdef int n_top = self._top_positions(blocks)
        cdef int a, b, i
        cdef const float* scores
        cdef const int32_t* tags
        cdef Candidate candidate
        candidate.parent = s
        for a in range(n_top):
            i = self.top_positions[a]
            candidate.position = i
            candidate.row = self.blocks[blocks[i // BLOCK]].rows[i % BLOCK]
            scores = self.rows.row_scores(candidate.row)
            tags = self.rows.row_tags(candidate.row)
            for b in range(min(self.width - a, self.rows.n_tags)):
                candidate.label = tags[b]
                candidate.score = self.states[s].score + scores[candidate.label]
                if candidate.score == -INFINITY or self.beam.refuses(candidate.score):
                    # What follows is no better: other tags and, after a best tag, other positions.
                    if b == 0:
                        return
                    break
                candidate.signature = self.states[s].signature + action_signature(
                    i, candidate.label
                )
                candidate.correct = self.is_correct(self.states[s], i, candidate.label)
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

    cdef void advance(self) noexcept nogil:
        # Elements of vectors are not changed in place: with bounds checks that takes the GIL.
        cdef int c, b, parent, users
        cdef int n_new = <int>self.beam.items.size()
        cdef State state
        cdef const int32_t* blocks
        self.n_children.assign(self.states.size(), 0)
        for c in range(n_new):
            parent = self.beam.items[c].parent
            self.n_children[parent] = self.n_children[parent] + 1
        for parent in range(<int>self.states.size()):
            blocks = self._blocks_of(self.states[parent])
            for b in range(self.n_blocks):
                # Every child is a user; the parent itself stops being one.
                users = self.blocks[blocks[b]].users + self.n_children[parent] - 1
                self.blocks[blocks[b]].users = users
                if users == 0:
                    self.free_blocks.push_back(blocks[b])
        self.next_states.clear()
        for c in range(n_new):
            state = self.states[self.beam.items[c].parent]
            self._copy_list(&state, self.next_half * self.width + c)
            self.apply(&state, self.beam.items[c])
            self.next_states.push_back(state)
        self.states.swap(self.next_states)
        self.next_half = 1 - self.next_half

    cdef void _copy_list(self, State* state, int number) noexcept nogil:
        """Give a state a copy of its list of blocks, under a number."""
        cdef const int32_t* blocks = self._blocks_of(state[0])
        state.payload = number
        memcpy(self._blocks_of(state[0]), blocks, self.n_blocks * sizeof(int32_t))

    cdef void apply(self, State* state, const Candidate& candidate) noexcept nogil:
        cdef int32_t* blocks = self._blocks_of(state[0])
        cdef int i = candidate.position, j, b
        cdef int first = max(i - 2, 0), last = min(i + 2, self.n - 1)
        cdef Block* block
        BeamSearch.apply(self, state, candidate)
        for b in range(first // BLOCK, last // BLOCK + 1):
            self._own(blocks, b)
        block = &self.blocks[blocks[i // BLOCK]]
        block.tags[i % BLOCK] = <uint16_t>(candidate.label + 1)
        block.scores[i % BLOCK] = -INFINITY
        for j in range(first, last + 1):
            self._rescore(blocks, j)
        for b in range(first // BLOCK, last // BLOCK + 1):
            self._find_best(&self.blocks[blocks[b]])

    cdef void _own(self, int32_t* blocks, int b) noexcept nogil:
        """Make block b of a state writable: its own copy if other states use it too."""
        cdef int32_t number = blocks[b], copy
        if self.blocks[number].users > 1:
            copy = self._new_block()
            self.blocks[copy] = self.blocks[number]
            self.blocks[copy].users = 1
            self.blocks[number].users = self.blocks[number].users - 1
            blocks[b] = copy

    # --- Training --------------------------------------------------------------------------

    cdef void try_correct(
        self, const State& state, int parent, Candidate* best
    ) noexcept nogil:
        cdef const int32_t* blocks = self._blocks_of(state)
        cdef const Block* block
        cdef int i
        for i in range(self.n):
            block = &self.blocks[blocks[i // BLOCK]]
            if block.tags[i % BLOCK] == 0:
                self.try_position(state, parent, i, block.rows[i % BLOCK], best)

    cdef void detach(self, State* state) noexcept nogil:
        cdef int32_t* blocks
        cdef int b
        self._copy_list(state, 2 * self.width)
        blocks = self._blocks_of(state[0])
        for b in range(self.n_blocks):
            self.blocks[blocks[b]].users = self.blocks[blocks[b]].users + 1
