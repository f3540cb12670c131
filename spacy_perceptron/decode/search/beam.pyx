"""A beam of the best candidates, best first, with one candidate per resulting state.

Two sequences of actions that reach the same state have the same signature (the sum of their
actions' signatures, so that order does not matter); only the better one stays. Among equal scores,
the one pushed first stays ahead, so decoding is deterministic. A push costs O(width).
"""
from libc.stdint cimport uint64_t

from ...errors import Errors
from ...features.hashing cimport mix


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
