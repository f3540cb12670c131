"""Where a beam search goes wrong, for perceptron updates that fix violations (Huang, Fayong, Guo
2012).

An update is valid if the correct sequence does not score above the predicted one, and training with
valid updates alone converges although the search is inexact. The early update (Collins & Roark
2004) compares the two where the correct sequence leaves the beam; `greatest` goes on to the end and
compares them where the predicted one is furthest ahead, which is never less.

Many sequences may be correct: several orders of actions, or gaps in the gold annotation. As in Ma,
Zhu, Xiao, Yang (2013, Algorithm 2) the correct sequence of a step is therefore the best correct
one-action extension of the states, and it has left the beam once no correct state is in it. From
there on, `greatest` follows it beside the beam, by its best correct extensions.

Cost: that of the search and, in each step, of finding the correct extensions.
"""
from libc.stdint cimport int32_t

from .beam cimport BeamSearch, Candidate


cdef class Violation:
    """Finds the two sequences of an update.

    search (BeamSearch): The search.
    """

    def __init__(self, BeamSearch search):
        self.search = search
        self.forget()

    cdef void forget(self) noexcept nogil:
        self.correct = self.predicted = -1
        self.correct_score = self.predicted_score = 0

    cdef bint find(self, bint greatest) noexcept nogil:
        """Search for the two sequences to compare, from the first state on. If there are none,
        because the best answer is correct, `predicted` is below 0.

        greatest: Look for the greatest violation instead of the first.
        RETURNS (bint): False if the search stopped halfway because no correct sequence could be
            continued, or because something has stopped it.
        """
        cdef Candidate best
        cdef int32_t correct = -1
        cdef bint lost = False
        best.score = 0
        self.forget()
        while self.search.step():
            if self.search.beat():
                self.forget()
                return False
            if not self.search.find_correct(&best):
                return False
            lost = lost or not self.search.any_correct()
            if lost and greatest:
                self.search.follow(best)
                correct = self.search.followed.history
            else:
                correct = self.search.record(self.search.states[best.parent], best)
            self.search.advance()
            if lost or greatest:
                self._consider(correct, best.score)
            if lost and not greatest:
                return True
        if not greatest:
            self._consider(correct, best.score)
        # Mistakes do not count if the correct sequence wins in the end.
        if self.search.states[0].correct:
            self.forget()
        return True

    cdef void _consider(self, int32_t correct, double score) noexcept nogil:
        """Keep the present step if the best state is wrong, and further ahead than before."""
        cdef double predicted_score = self.search.states[0].score
        if self.search.states[0].correct:
            return
        if (
            self.predicted >= 0
            and predicted_score - score <= self.predicted_score - self.correct_score
        ):
            return
        self.correct = correct
        self.predicted = self.search.states[0].history
        self.correct_score = score
        self.predicted_score = predicted_score
