"""The features of one sequence of actions minus those of another: the direction of an update.

Both sequences are replayed from the start. The actions that they share at the beginning have the
same features, and are skipped. Cost: O(n) list operations, and the features of the remaining
actions.
"""
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...learn.mira cimport Feature, merge
from .features cimport N_GROUPS
from .search cimport NO_HEAD, Action, AttachmentSearch
from .state cimport Tree, Window


cdef class AttachmentDifference:
    """Compares two sequences of the last search.

    search (AttachmentSearch): The search; its scorer's dropout applies here too.
    """

    def __init__(self, AttachmentSearch search):
        self.search = search

    cdef void trace(self, int32_t last, vector[int32_t]& path) noexcept nogil:
        """Collect the actions that lead up to one, first to last."""
        cdef size_t i, n
        cdef int32_t action
        path.clear()
        while last >= 0:
            path.push_back(last)
            last = self.search.history[last].previous
        n = path.size()
        for i in range(n // 2):
            action = path[i]
            path[i] = path[n - 1 - i]
            path[n - 1 - i] = action

    cdef void compute(self, int32_t correct, int32_t predicted) noexcept nogil:
        """Put the features of the correct sequence minus those of the predicted one, merged, in
        `features`. Both sequences are given by their last actions."""
        cdef int first = 0
        self.features.clear()
        self.trace(correct, self.path)
        self.trace(predicted, self.other_path)
        while (
            first < <int>self.path.size() and self.path[first] == self.other_path[first]
        ):
            first += 1
        self._collect_path(self.path, first, 1)
        self._collect_path(self.other_path, first, -1)
        merge(self.features)

    cdef void _collect_path(
        self, const vector[int32_t]& path, int first, float value
    ) noexcept nogil:
        """Replay a sequence and add the features of its actions from some point on."""
        cdef Tree* trees = self.search.trees_of(2 * self.search.width + 1)
        cdef int k, n = self.search.n_words
        cdef Action action
        self.search.open_trees(trees)
        for k in range(<int>path.size()):
            action = self.search.history[path[k]]
            if k >= first:
                self._collect_action(n - k, action.pair, action.direction, value)
            self.search.join(trees, n - k, action.pair, action.direction)

    cdef void _collect_action(
        self, int n_trees, int pair, int direction, float value
    ) noexcept nogil:
        cdef const Tree* trees = self.search.trees_of(2 * self.search.width + 1)
        cdef Window window
        cdef Feature feature
        cdef int g, n, k
        feature.value = value
        self.search.scorer.features.see(&window, trees, n_trees, pair)
        self.search.scorer.features.place(&window, direction)
        for g in range(-1, N_GROUPS):
            if g < 0:
                n = self.search.scorer.features.arc_ids(
                    &window, direction, self.search.scorer.ids.data()
                )
            else:
                n = self.search.scorer.features.group_ids(g, self.search.scorer.ids.data())
            n = self.search.scorer.keep(self.search.scorer.ids.data(), n)
            for k in range(n):
                feature.id = self.search.scorer.ids[k]
                self.features.push_back(feature)

    cdef double norm(self) noexcept nogil:
        """The sum of squares."""
        cdef double norm = 0
        cdef size_t k
        for k in range(self.features.size()):
            norm += self.features[k].value * self.features[k].value
        return norm

    cdef int count_mistakes(self) noexcept nogil:
        """The number of wrong actions in the predicted sequence, at least 1."""
        cdef Action action
        cdef size_t k
        cdef int n = 0, gold
        for k in range(self.other_path.size()):
            action = self.search.history[self.other_path[k]]
            gold = self.search.gold[action.child - 1]
            n += gold != NO_HEAD and gold != action.head
        return max(n, 1)
