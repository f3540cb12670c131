"""How clear the actions of an easy-first derivation were, for confidences.

The rival of an attachment is the best action that was possible at any point of the derivation and
would have given the child another head, or made it the head of its own head. With a beam of 1, the
search keeps all scores it comes across. A derivation of a wider beam is replayed; most of its
scores are remembered.

Cost: O(n) scores, of which six change with each action.
"""
from libc.math cimport INFINITY, fmaxf
from libc.stdint cimport int32_t

from .search cimport Action, AttachmentSearch, Meeting
from .state cimport ALL, Tree


cdef class AttachmentMargins:
    """Looks at derivations of the last search.

    search (AttachmentSearch): The search.
    """

    def __init__(self, AttachmentSearch search):
        self.search = search

    cdef void _replay(self, int32_t last) noexcept nogil:
        """Log the scores of a derivation again."""
        cdef int slot = 2 * self.search.width + 1, n = self.search.n_words, k, i
        cdef int n_trees = self.search.n_trees
        cdef Tree* trees = self.search.trees_of(slot)
        cdef Action action
        self.path.clear()
        while last >= 0:
            self.path.push_back(last)
            last = self.search.history[last].previous
        self.search.open_trees(trees)
        self.search.meetings.clear()
        for i in range(n - 1):
            self.search.scorer.score_pair(trees, n, i, ALL)
        self.search.scorer.finish()
        self.search.log(trees, 0, n - 1)
        for k in range(n - 1):
            action = self.search.history[self.path[n - 2 - k]]
            self.search.n_trees = n - k
            self.search.join(trees, n - k, action.pair, action.direction)
            self.search.rescore(slot, action.pair, action.direction)
            self.search.log(trees, action.pair - 3, min(n - k - 2, action.pair + 3))
        self.search.n_trees = n_trees

    cdef void find(self, int32_t last, const int32_t* heads, float* margins) noexcept nogil:
        """Find by how much each action of a derivation scored above its rival.

        last (int32_t): The derivation's last action.
        heads (int32_t*): The heads it leads to.
        margins (float*): Gets a number per word; the root's child gets that of the last action.
        """
        cdef int i, first, second, end = last
        cdef Meeting meeting
        cdef size_t k
        if self.search.width > 1 or not self.search.logs:
            self._replay(last)
        self.rivals.assign(self.search.n_words + 1, -INFINITY)
        for k in range(self.search.meetings.size()):
            meeting = self.search.meetings[k]
            first = meeting.first
            second = meeting.second
            # Score 0 is that of the first as a child, score 1 that of the second.
            i = heads[first - 1] == second
            self.rivals[first] = fmaxf(self.rivals[first], meeting.scores[i])
            i = heads[second - 1] != first
            self.rivals[second] = fmaxf(self.rivals[second], meeting.scores[i])
        while last >= 0:
            i = self.search.history[last].child
            margins[i - 1] = self.search.history[last].score - self.rivals[i]
            last = self.search.history[last].previous
        for i in range(self.search.n_words):
            if heads[i] == 0:
                margins[i] = margins[self.search.history[end].child - 1] if end >= 0 else 0
