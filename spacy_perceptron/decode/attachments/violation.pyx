"""Where the search of an easy-first parser goes wrong (Ma, Zhu, Xiao, Yang 2013, Algorithm 2).

Many sequences of actions lead to the gold tree, so the plain early update can be invalid. Here, the
correct sequence is the best correct one-action extension of the beam at the step after which no
correct sequence stays in the beam; it never scores above the beam's best. An action is correct if
its head is the child's gold head and the child has all its gold children. Words without a gold head
may be attached anywhere once they have all their gold children.

Deviation from the paper: the step can also be the one with the largest violation (Huang, Fayong,
Guo 2012). The search then goes on to the end, and next to it the best extension of the correct
sequence. That violation is never smaller than the one at which the correct sequences left the beam.

Cost: that of the search, and O(n) a step for finding the correct extensions.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from .search cimport NO_HEAD, AttachmentSearch, State
from .state cimport Tree, action_score


cdef class AttachmentViolation:
    """Finds the two sequences of an update in the sentence that is loaded.

    search (AttachmentSearch): The search.
    """

    def __init__(self, AttachmentSearch search):
        self.search = search
        self.forget()

    cdef void forget(self) noexcept nogil:
        self.correct = self.predicted = -1
        self.correct_score = self.predicted_score = 0
        self.fell_off = False

    # --- Gold trees ---------------------------------------------------------------------------

    cdef bint complete_gold(self, const int32_t* heads, int n) noexcept nogil:
        """Fill the gaps of a partial gold tree by the best correct actions.

        RETURNS (bint): Whether there is a tree with these heads.
        """
        cdef int i
        cdef bint whole = True
        self.gold_heads.assign(heads, heads + n)
        for i in range(n):
            whole = whole and heads[i] != NO_HEAD
        if whole:
            return self.is_projective(heads, n)
        self.fell_off = False
        self.search.start(n, 1, heads)
        while self.search.n_trees > 1:
            if self.search.beat() or not self.find_extension():
                return False
            self.search.beam.reset(1)
            self.search.beam.push(self.extension)
            self.search.advance()
        self.search.read_heads(self.search.states[0].history, self.gold_heads.data())
        for i in range(n):
            # The last word left may have a gold head.
            if heads[i] != NO_HEAD and heads[i] != self.gold_heads[i]:
                return False
        return True

    cdef bint is_projective(self, const int32_t* heads, int n) noexcept nogil:
        """Whether actions can lead to these heads: a projective tree with one child of the root.
        Trees are put together from left to right, as soon as they are complete."""
        cdef int i, first, second
        self.missing.assign(n + 1, 0)
        for i in range(n):
            self.missing[heads[i]] = self.missing[heads[i]] + 1
        self.stack.clear()
        for i in range(n):
            self.stack.push_back(i + 1)
            while self.stack.size() > 1:
                first = self.stack[self.stack.size() - 2]
                second = self.stack.back()
                if heads[first - 1] == second and self.missing[first] == 0:
                    self.stack[self.stack.size() - 2] = second
                    self.missing[second] = self.missing[second] - 1
                elif heads[second - 1] == first and self.missing[second] == 0:
                    self.missing[first] = self.missing[first] - 1
                else:
                    break
                self.stack.pop_back()
        return self.stack.size() == 1 and heads[self.stack[0] - 1] == 0

    # --- Violations ---------------------------------------------------------------------------

    cdef bint _try_extensions(self, const State& state, int parent) noexcept nogil:
        """Take the best correct extension of a state if it beats the best one so far.

        RETURNS (bint): Whether the state has a correct extension.
        """
        cdef const Tree* trees = self.search.trees_of(state.slot)
        cdef const Tree* head
        cdef const Tree* child
        cdef int i, direction
        cdef double score
        cdef bint found = False
        for i in range(self.search.n_trees - 1):
            for direction in range(1, -1, -1):
                head = &trees[i] if direction else &trees[i + 1]
                child = &trees[i + 1] if direction else &trees[i]
                if not self.search.is_correct(head, child):
                    continue
                found = True
                score = state.score + action_score(&trees[i], direction)
                if score > self.extension.score or self.extension.parent == -2:
                    self.extension.parent = parent
                    self.extension.score = score
                    self.extension.position = i
                    self.extension.label = direction
        return found

    cdef bint find_extension(self) noexcept nogil:
        """Find the best correct one-action extension, y-hat of Algorithm 2. Its parent is -1 if it
        extends the correct sequence that left the beam.

        RETURNS (bint): Whether there is one.
        """
        cdef int s
        cdef bint found = False
        self.extension.parent = -2
        self.extension.score = -INFINITY
        self.extension.signature = 0
        self.extension.row = -1
        self.extension.correct = True
        if self.fell_off:
            return self._try_extensions(self.gold_state, -1)
        for s in range(<int>self.search.states.size()):
            if self.search.states[s].correct:
                found = self._try_extensions(self.search.states[s], s) or found
        return found

    cdef void follow_extension(self) noexcept nogil:
        """Make the best correct extension the state that is followed next to the beam."""
        cdef int slot = 2 * self.search.width
        if not self.fell_off:
            self.gold_state = self.search.states[self.extension.parent]
            self.search.copy_slot(self.gold_state.slot, slot)
            self.gold_state.slot = slot
            self.fell_off = True
        self.search.apply(&self.gold_state, self.extension)

    cdef int find(self, bint early) noexcept nogil:
        """Search the sentence for the two sequences to compare. They are kept if the best sequence
        is wrong.

        early (bint): Whether to stop where the correct sequences leave the beam.
        RETURNS (int): 0, or -1 if there is no correct way to go on.
        """
        cdef bint is_lost, is_new
        cdef int32_t correct
        cdef size_t c
        self.forget()
        while self.search.step():
            if self.search.beat():
                self.forget()
                return -1
            if not self.find_extension():
                return -1
            is_lost = True
            for c in range(self.search.beam.items.size()):
                is_lost = is_lost and not self.search.beam.items[c].correct
            is_new = is_lost and not self.fell_off
            if is_lost and not (early and is_new):
                self.follow_extension()
                correct = self.gold_state.history
            else:
                correct = self.search.record(
                    self.search.states[self.extension.parent],
                    self.extension.position, self.extension.label
                )
            self.search.advance()
            self.consider(correct, not early or is_new or self.search.n_trees == 1)
            if early and is_new:
                return 0
        # If the best sequence is correct in the end, there is nothing to learn.
        if not self.fell_off and self.search.states[0].correct:
            self.predicted = -1
        return 0

    cdef void consider(self, int32_t correct, bint counts) noexcept nogil:
        """Keep the present step if it counts and its violation is the largest so far."""
        cdef double predicted_score = self.search.states[0].score
        cdef double violation = predicted_score - self.extension.score
        if not counts or self.search.states[0].correct:
            return
        if (
            self.predicted >= 0
            and violation <= self.predicted_score - self.correct_score
        ):
            return
        self.correct = correct
        self.predicted = self.search.states[0].history
        self.correct_score = self.extension.score
        self.predicted_score = predicted_score
