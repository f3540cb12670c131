"""Easy-first search with a beam over partial trees (Ma, Zhu, Xiao, Yang 2013, Algorithm 1).

A state is the list of partial trees p1..pr; an action attaches the root of one to the root of its
neighbour. After n - 1 actions one tree is left, whose root is that of the sentence. All one-action
extensions of the kept states compete, and the best `width` distinct states stay: sequences that
reach the same set of arcs in different orders are one state, and the best of them is kept. Among
equal scores, extensions of better states come first, then those further left, then those that
attach to the left.

Lists are dense and get shorter as the parse proceeds. A state is copied only if it has several
successors, so never with a beam of 1. An action changes the scores of at most six pairs: the two
around the tree that grew and two more on each side, the outer one of which looks at roots only. A
step costs O(width * n) simple operations (finding the best actions, copying lists), and a number of
scores that does not depend on n.
"""
from libc.math cimport NAN, fmaxf
from libc.stdint cimport int32_t
from libc.string cimport memcpy, memmove

from ..search.beam cimport Beam, Candidate, action_signature
from ..search.control cimport Control
from .scorer cimport AttachmentScorer
from .state cimport ALL, LEFT_SIDE, MIXED, OWN, RIGHT_SIDE, Tree, action_score

cdef enum:
    # What extending one state takes at least, in units of `Control`.
    STEP_WORK = 20


cdef class AttachmentSearch:
    """The search. Memory is kept between sentences.

    scorer (AttachmentScorer): Features and weights.
    """

    def __init__(self, AttachmentScorer scorer):
        self.scorer = scorer
        self.control = Control()
        self.beam = Beam(1)
        self.forbidden_head = self.forbidden_child = NO_HEAD
        self.gold = NULL
        self.bonus = 0
        self.logs = False

    # --- Setting up a sentence ----------------------------------------------------------------

    cdef void start(self, int n_words, int width, const int32_t* gold) noexcept nogil:
        """Make the first state of the sentence that is loaded.

        gold (int32_t*): Gold heads, for training, or NULL.
        """
        cdef State first
        # Two more: for the correct sequence that left the beam, and for replaying.
        cdef int i, n_slots = 2 * width + 2
        cdef Tree* trees
        self.n_words = self.n_trees = n_words
        self.width = width
        self.gold = gold
        self.scorer.start(width > 1 or gold != NULL)
        self.trees.resize(<size_t>n_slots * n_words)
        self.best.resize(<size_t>n_slots * n_words)
        self.free_slots.clear()
        for i in range(n_slots - 3, 0, -1):
            self.free_slots.push_back(i)
        trees = self.trees_of(0)
        self.open_trees(trees)
        for i in range(n_words - 1):
            self.scorer.score_pair(trees, n_words, i, ALL)
        self.finish_scores(0, 0, n_words - 1)
        self.meetings.clear()
        if self.logs and width == 1:
            self.log(trees, 0, n_words - 1)
        first.score = 0.0
        first.signature = 0
        first.history = -1
        first.slot = 0
        first.correct = True
        self.history.clear()
        self.states.clear()
        self.states.push_back(first)

    cdef Tree* trees_of(self, int slot) noexcept nogil:
        return self.trees.data() + <size_t>slot * self.n_words

    cdef float* best_of(self, int slot) noexcept nogil:
        return self.best.data() + <size_t>slot * self.n_words

    cdef void open_trees(self, Tree* trees) noexcept nogil:
        """Make a list of trees of a single word each."""
        cdef int i, head
        for i in range(self.n_words):
            self.scorer.features.open_tree(&trees[i], i + 1, 0)
        if self.gold == NULL:
            return
        for i in range(self.n_words):
            head = self.gold[i]
            if head > 0:
                trees[head - 1].missing += 1

    # --- One step of the beam -----------------------------------------------------------------

    cdef bint is_correct(self, const Tree* head, const Tree* child) noexcept nogil:
        """Whether an action is compatible with the gold tree: the head is right or unknown, and the
        child has all its children."""
        cdef int gold = self.gold[child.word - 1]
        return child.missing == 0 and (gold == NO_HEAD or gold == head.word)

    cdef bint is_forbidden(self, int head, int child) noexcept nogil:
        """Whether an action makes an arc that must not be there."""
        if self.forbidden_head == 0:
            # The last word left is the root's child.
            return self.n_trees == 2 and head == self.forbidden_child
        return head == self.forbidden_head and child == self.forbidden_child

    cdef void _offer(self, int s) noexcept nogil:
        """Push the extensions of a state that may be among the best."""
        cdef const Tree* trees = self.trees_of(self.states[s].slot)
        cdef const float* best = self.best_of(self.states[s].slot)
        cdef const Tree* head
        cdef const Tree* child
        cdef double score = self.states[s].score, total
        # No score is below this one: as long as there is room, nothing is passed over.
        cdef double limit = NAN
        cdef Candidate candidate
        cdef int i, direction
        candidate.parent = s
        candidate.row = -1
        candidate.correct = False
        if self.beam.items.size() == <size_t>self.width:
            limit = self.beam.items.back().score
        for i in range(self.n_trees - 1):
            if score + best[i] + self.bonus <= limit:
                continue
            for direction in range(1, -1, -1):
                total = score + action_score(&trees[i], direction)
                if total + self.bonus <= limit:
                    continue
                head = &trees[i] if direction else &trees[i + 1]
                child = &trees[i + 1] if direction else &trees[i]
                if self.gold != NULL:
                    candidate.correct = self.is_correct(head, child)
                    if not candidate.correct:
                        total += self.bonus
                    candidate.correct = candidate.correct and self.states[s].correct
                elif self.forbidden_child >= 0 and self.is_forbidden(head.word, child.word):
                    continue
                candidate.score = total
                candidate.position = i
                candidate.label = direction
                candidate.signature = self.states[s].signature + action_signature(
                    head.word, child.word
                )
                self.beam.push(candidate)
                if self.beam.items.size() == <size_t>self.width:
                    limit = self.beam.items.back().score

    cdef bint step(self) noexcept nogil:
        """Extend every state by one action.

        RETURNS (bint): False if the trees are complete.
        """
        cdef int s
        if self.n_trees < 2:
            return False
        self.beam.reset(self.width)
        for s in range(<int>self.states.size()):
            self._offer(s)
        return True

    cdef void advance(self) noexcept nogil:
        """Turn the beam's candidates into the states of the next step."""
        # Elements of vectors are not changed in place: with bounds checks that takes the GIL.
        cdef int c, parent, n_new = <int>self.beam.items.size()
        cdef State state
        self.n_children.assign(self.states.size(), 0)
        for c in range(n_new):
            parent = self.beam.items[c].parent
            self.n_children[parent] = self.n_children[parent] + 1
        for parent in range(<int>self.states.size()):
            if self.n_children[parent] == 0:
                self.free_slots.push_back(self.states[parent].slot)
        self.next_states.clear()
        for c in range(n_new):
            parent = self.beam.items[c].parent
            state = self.states[parent]
            self.n_children[parent] = self.n_children[parent] - 1
            # The last successor takes the list of trees over.
            if self.n_children[parent]:
                state.slot = self.free_slots.back()
                self.free_slots.pop_back()
                self.copy_slot(self.states[parent].slot, state.slot)
            self.apply(&state, self.beam.items[c])
            self.next_states.push_back(state)
        self.states.swap(self.next_states)
        self.n_trees = self.n_trees - 1

    cdef void copy_slot(self, int source, int target) noexcept nogil:
        memcpy(self.trees_of(target), self.trees_of(source), self.n_trees * sizeof(Tree))
        memcpy(self.best_of(target), self.best_of(source), self.n_trees * sizeof(float))

    cdef void apply(self, State* state, const Candidate& candidate) noexcept nogil:
        """Carry out a candidate's action on a state that has its own list of trees."""
        cdef Tree* trees = self.trees_of(state.slot)
        cdef float* best = self.best_of(state.slot)
        cdef int i = candidate.position
        state.history = self.record(state[0], i, candidate.label)
        state.score = candidate.score
        state.signature = candidate.signature
        state.correct = candidate.correct
        self.join(trees, self.n_trees, i, candidate.label)
        memmove(&best[i], &best[i + 1], (self.n_trees - i - 1) * sizeof(float))
        self.rescore(state.slot, i, candidate.label)
        if self.logs and self.width == 1:
            self.log(trees, i - 3, min(self.n_trees - 2, i + 3))

    cdef int32_t record(self, const State& state, int pair, int direction) noexcept nogil:
        """Add an action to the history of a state.

        RETURNS (int32_t): Its number.
        """
        cdef const Tree* trees = self.trees_of(state.slot)
        cdef Action action
        action.previous = state.history
        action.pair = pair
        action.direction = direction
        action.head = trees[pair].word if direction else trees[pair + 1].word
        action.child = trees[pair + 1].word if direction else trees[pair].word
        action.score = action_score(&trees[pair], direction)
        self.history.push_back(action)
        return <int32_t>self.history.size() - 1

    cdef void join(self, Tree* trees, int n_trees, int pair, int direction) noexcept nogil:
        """Carry out an action on a list of trees, without scoring."""
        cdef Tree* head = &trees[pair] if direction else &trees[pair + 1]
        cdef Tree* child = &trees[pair + 1] if direction else &trees[pair]
        self.scorer.features.attach(head, child)
        if self.gold != NULL and self.gold[child.word - 1] == head.word:
            head.missing -= 1
        if direction:
            pair += 1
        memmove(&trees[pair], &trees[pair + 1], (n_trees - pair - 1) * sizeof(Tree))

    cdef void rescore(self, int slot, int pair, int direction) noexcept nogil:
        """Score again what an action has changed: the tree that grew is now the first of `pair`."""
        cdef Tree* trees = self.trees_of(slot)
        cdef int n = self.n_trees - 1, new
        cdef bint beyond = self.scorer.features.looks_beyond
        if direction == 0 and beyond and pair >= 3:
            self.scorer.score_pair(trees, n, pair - 3, RIGHT_SIDE | MIXED)
        if pair >= 2:
            self.scorer.score_pair(trees, n, pair - 2, RIGHT_SIDE | MIXED)
        if pair >= 1:
            new = OWN | RIGHT_SIDE | MIXED if direction else ALL
            self.scorer.score_pair(trees, n, pair - 1, new)
        if pair + 1 < n:
            new = ALL if direction else OWN | LEFT_SIDE | MIXED
            self.scorer.score_pair(trees, n, pair, new)
        if pair + 2 < n:
            self.scorer.score_pair(trees, n, pair + 1, LEFT_SIDE | MIXED)
        if direction and beyond and pair + 3 < n:
            self.scorer.score_pair(trees, n, pair + 2, LEFT_SIDE | MIXED)
        self.finish_scores(slot, max(pair - 3, 0), min(pair + 3, n - 1))

    cdef void finish_scores(self, int slot, int first, int last) noexcept nogil:
        """Complete the scores of the pairs first..last - 1, and note the better action of each."""
        cdef const Tree* trees = self.trees_of(slot)
        cdef float* best = self.best_of(slot)
        cdef int i
        self.scorer.finish()
        for i in range(first, last):
            best[i] = fmaxf(action_score(&trees[i], 0), action_score(&trees[i], 1))

    cdef void log(self, const Tree* trees, int first, int last) noexcept nogil:
        """Log the present scores of some pairs."""
        cdef Meeting meeting
        cdef int i
        for i in range(max(first, 0), last):
            meeting.first = trees[i].word
            meeting.second = trees[i + 1].word
            meeting.scores[0] = action_score(&trees[i], 0)
            meeting.scores[1] = action_score(&trees[i], 1)
            self.meetings.push_back(meeting)

    cdef void search(self) noexcept nogil:
        while not self.beat() and self.step():
            self.advance()

    cdef bint beat(self) noexcept nogil:
        """RETURNS (bint): Whether something has stopped the search."""
        return self.control.beat(STEP_WORK * self.width)

    cdef void read_heads(self, int32_t last, int32_t* heads) noexcept nogil:
        """Read the heads that a sequence of actions leads to; words without a head get 0."""
        cdef int i
        for i in range(self.n_words):
            heads[i] = 0
        while last >= 0:
            heads[self.history[last].child - 1] = self.history[last].head
            last = self.history[last].previous

    # --- A window for tests -------------------------------------------------------------------

    def actions(self, int32_t last):
        """RETURNS (list[tuple[int, int]]): Head and child of each action that leads up to one."""
        found = []
        while last >= 0:
            found.append((self.history[last].head, self.history[last].child))
            last = self.history[last].previous
        return found[::-1]

    def steps(self, int width):
        """Search the sentence that was loaded last, step by step.

        width (int): Beam width.
        YIELDS (list[tuple]): For each state, best first, its actions, its score and the scores of
            all pairs: of attaching the first to the second, and the second to the first.
        """
        cdef int s, i
        cdef const Tree* trees
        self.start(self.scorer.features.parts.n_words, width, NULL)
        while True:
            found = []
            for s in range(<int>self.states.size()):
                trees = self.trees_of(self.states[s].slot)
                pairs = [
                    (action_score(&trees[i], 0), action_score(&trees[i], 1))
                    for i in range(self.n_trees - 1)
                ]
                found.append((self.actions(self.states[s].history), self.states[s].score, pairs))
            yield found
            if not self.step():
                return
            self.advance()
