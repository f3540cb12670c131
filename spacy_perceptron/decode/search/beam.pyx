"""A beam of the best candidates, best first, and the search that it drives.

Two sequences of actions that reach the same state have the same signature (the sum of their
actions' signatures, so that order does not matter); only the better one stays. Among equal scores,
the one pushed first stays ahead, so decoding is deterministic. A push costs O(width).

A search extends its states by one action a step: all extensions compete, and those left in the beam
are the next step's states. What states and actions are is up to each task.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t

from ...errors import Errors
from ...features.hashing cimport mix
from .control cimport Control

cdef enum:
    # What extending one state takes at least, in units of `Control`.
    STEP_WORK = 10


cdef uint64_t action_signature(int position, int label) noexcept nogil:
    """The value of an action; a state's signature is the sum over its actions."""
    return mix((<uint64_t>position << 32) + <uint64_t>(label + 1))


cdef class Beam:
    """The `width` best candidates seen since the last reset.

    width (int): How many to keep.
    """

    def __init__(self, int width):
        if width < 1:
            raise ValueError(Errors.BEAM_WIDTH.format(value=width))
        self.reset(width)

    cdef void reset(self, int width) noexcept nogil:
        self.width = width
        self.items.clear()

    cdef bint refuses(self, double score) noexcept nogil:
        """Whether the beam is full of candidates at least as good."""
        cdef size_t n = self.items.size()
        return n == <size_t>self.width and score <= self.items[n - 1].score

    cdef bint push(self, const Candidate& candidate) noexcept nogil:
        """Offer a candidate.

        RETURNS (bint): Whether it is in the beam now.
        """
        cdef int n = <int>self.items.size(), i
        if self.refuses(candidate.score):
            return False
        for i in range(n):
            if self.items[i].signature == candidate.signature:
                if self.items[i].score >= candidate.score:
                    return False
                self.items.erase(self.items.begin() + i)
                n -= 1
                break
        if n == self.width:
            self.items.pop_back()
            n -= 1
        self.items.push_back(candidate)
        i = n
        while i > 0 and self.items[i - 1].score < candidate.score:
            self.items[i] = self.items[i - 1]
            i -= 1
        self.items[i] = candidate
        return True

    def add(self, double score, uint64_t signature):
        """Offer a score with a signature, for tests and for use from Python.

        RETURNS (bool): Whether it is in the beam now.
        """
        cdef Candidate candidate
        candidate.score = score
        candidate.signature = signature
        candidate.parent = candidate.position = candidate.label = candidate.row = -1
        candidate.correct = False
        return self.push(candidate)

    def __len__(self):
        return self.items.size()

    def __iter__(self):
        for i in range(self.items.size()):
            yield self.items[i].score, self.items[i].signature


cdef class BeamSearch:
    """What the searches of all tasks share: the states that fill the beam, and the correct ones
    among them, for training.

    A task provides `step`, `advance`, `record`, `try_correct` and `detach`, and adds to `apply`
    what an action does to the payload.
    """

    def __init__(self):
        self.control = Control()
        self.beam = Beam(1)

    cdef void open(self, int width) noexcept nogil:
        """Start with one state without actions."""
        cdef State first
        self.width = width
        self.follows = False
        first.score = 0.0
        first.signature = 0
        first.payload = 0
        first.history = -1
        first.correct = True
        self.states.clear()
        self.states.push_back(first)
        self.followed = first

    cdef bint step(self) noexcept nogil:
        """Fill the beam with extensions of the states.

        RETURNS (bint): False when nothing is left to do.
        """
        return False

    cdef void advance(self) noexcept nogil:
        """Turn the beam's candidates into the states of the next step."""
        pass

    cdef void search(self) noexcept nogil:
        """Search to the end; the answers are the states, best first."""
        while not self.beat() and self.step():
            self.advance()

    cdef bint beat(self) noexcept nogil:
        """RETURNS (bint): Whether something has stopped the search."""
        return self.control.beat(STEP_WORK * self.width)

    cdef void apply(self, State* state, const Candidate& action) noexcept nogil:
        """Carry out an action on a state whose payload is its own."""
        state.history = self.record(state[0], action)
        state.score = action.score
        state.signature = action.signature
        state.correct = action.correct

    cdef int32_t record(self, const State& state, const Candidate& action) noexcept nogil:
        """Add an action to a state's history.

        RETURNS (int32_t): Its number, which stands for the whole sequence up to it.
        """
        return -1

    # --- Correct sequences, for training -------------------------------------------------------

    cdef bint any_correct(self) noexcept nogil:
        """Whether any of the beam's candidates is correct."""
        cdef size_t c
        for c in range(self.beam.items.size()):
            if self.beam.items[c].correct:
                return True
        return False

    cdef bint find_correct(self, Candidate* best) noexcept nogil:
        """Find the best correct extension of the states, or of the sequence that left the beam.

        RETURNS (bint): Whether there is one.
        """
        cdef int s
        best.parent = NO_PARENT
        best.score = -INFINITY
        best.signature = 0
        best.row = -1
        best.correct = True
        if self.follows:
            self.try_correct(self.followed, FOLLOWED, best)
        else:
            for s in range(<int>self.states.size()):
                if self.states[s].correct:
                    self.try_correct(self.states[s], s, best)
        return best.parent != NO_PARENT

    cdef void try_correct(
        self, const State& state, int parent, Candidate* best
    ) noexcept nogil:
        """Take the best correct extension of a state if it is better than the best so far."""
        pass

    cdef void follow(self, const Candidate& action) noexcept nogil:
        """Extend the correct sequence beside the beam. The first time, it leaves from a state.

        action: What `find_correct` has found.
        """
        if not self.follows:
            self.followed = self.states[action.parent]
            self.detach(&self.followed)
            self.follows = True
        self.apply(&self.followed, action)

    cdef void detach(self, State* state) noexcept nogil:
        """Give the state to follow a payload of its own."""
        pass
