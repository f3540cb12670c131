"""The k best derivations of a forest by lazy combination (Huang & Chiang 2005, "Better k-best
parsing", algorithm 3).

A derivation is an edge with a rank for each of its nodes: ranks (i, j) stand for the i-th and j-th
best derivations of the two. A node's next best derivation is a successor of one it already has,
(i + 1, j) or (i, j + 1), or the best one of another edge. Deviations: (i + 1, j) counts as a
successor only if j = 0, so every derivation has one predecessor and comes up once, without a
look-up; a node of which only the best derivation is needed is never opened, since Viterbi has found
that one; the recursion is an explicit stack, so long sentences do not overflow the call stack.

Exact. Equal scores are ordered by edge, earlier ones first, then by ranks, lower ones first, among
the derivations known by then. O(E + k d log k) for E edges and derivations of d edges.
"""
cimport cython
from libc.stdint cimport int32_t
from libcpp.algorithm cimport pop_heap, push_heap
from libcpp.vector cimport vector

from .control cimport Control
from .forest cimport EMPTY, Edge, Forest

cdef enum:
    # What one more derivation takes, in units of `Control`.
    STEP_WORK = 5


cdef bint is_worse(const Derivation& a, const Derivation& b) noexcept nogil:
    """Whether b comes before a."""
    if a.score != b.score:
        return a.score < b.score
    if a.edge != b.edge:
        return a.edge > b.edge
    if a.left != b.left:
        return a.left > b.left
    return a.right > b.right


@cython.final
cdef class KBest:
    """Finds derivations. Scratch memory is kept between sentences.

    control (Optional[Control]): Can stop the search; it then finds fewer.
    """

    def __init__(self, Control control=None):
        self.control = Control() if control is None else control

    cdef int find(self, Forest forest, int k) noexcept nogil:
        """Find the k best derivations of the goal.

        forest (Forest): The forest, after `best`.
        RETURNS (int): The number found, less than k if there are fewer.
        """
        cdef int goal = forest.goal(), n = 1
        self.n_opened = 0
        self.in_best.assign(forest.n_nodes(), False)
        self.opened.assign(forest.n_nodes(), -1)
        if goal < 0 or k < 1:
            return 0
        while n < k and not self.control.beat(STEP_WORK):
            self._advance(forest, goal)
            if not self._has(goal, n):
                break
            n += 1
        return n

    cdef double score(self, Forest forest, int node, int rank) noexcept nogil:
        """The score of a derivation that has been found."""
        if rank == 0:
            return forest.values[node + 1]
        return self.found[self.opened[node]][rank].score

    cdef void items(
        self, Forest forest, int rank, bint whole, vector[int32_t]& items
    ) noexcept nogil:
        """Collect the items of a derivation of the goal.

        rank (int): Which derivation, 0 for the best; `find` must have found it.
        whole (bint): Whether to collect all items, or only those of the parts that the derivation
            does not share with the best one. The items of the best one must have been collected
            before that.
        items (vector[int32_t]&): Gets the items. What a node adds comes before what the nodes below
            it add.
        """
        cdef Choice at
        cdef Derivation derivation
        cdef Edge edge
        items.clear()
        self.stack.clear()
        self.stack.push_back(Choice(forest.goal(), rank))
        while not self.stack.empty():
            at = self.stack.back()
            self.stack.pop_back()
            if at.rank > 0:
                derivation = self.found[self.opened[at.node]][at.rank]
            elif not whole and self.in_best[at.node]:
                continue
            else:
                derivation = Derivation(0, forest.choices[at.node], 0, 0)
                if rank == 0:
                    self.in_best[at.node] = True
            edge = forest.edges[derivation.edge]
            if edge.item >= 0:
                items.push_back(edge.item)
            if edge.left >= 0:
                self.stack.push_back(Choice(edge.left, derivation.left))
            if edge.right >= 0:
                self.stack.push_back(Choice(edge.right, derivation.right))

    cdef bint _has(self, int node, int rank) noexcept nogil:
        """Whether a derivation has been found."""
        if node == EMPTY or rank == 0:
            return rank == 0
        return self.opened[node] >= 0 and <int>self.found[self.opened[node]].size() > rank

    cdef void _advance(self, Forest forest, int node) noexcept nogil:
        """Find one more derivation of a node, if there is one, and whatever that takes."""
        cdef Demand demand
        cdef Derivation last
        cdef Edge edge
        cdef int place
        self.demands.clear()
        self.demands.push_back(Demand(node, 0))
        while not self.demands.empty():
            demand = self.demands.back()
            place = self._open(forest, demand.node)
            if self.exhausted[place]:
                self.demands.pop_back()
                continue
            last = self.found[place].back()
            edge = forest.edges[last.edge]
            if demand.n_tried == 0:
                self.demands.back().n_tried = 1
                if last.right == 0 and self._ask(edge.left, last.left + 1):
                    continue
            if demand.n_tried <= 1:
                self.demands.back().n_tried = 2
                if last.right == 0 and self._has(edge.left, last.left + 1):
                    self._offer(forest, place, last.edge, last.left + 1, 0)
                if self._ask(edge.right, last.right + 1):
                    continue
            if self._has(edge.right, last.right + 1):
                self._offer(forest, place, last.edge, last.left, last.right + 1)
            self._take(place)
            self.demands.pop_back()

    cdef bint _ask(self, int node, int rank) noexcept nogil:
        """Demand the next derivation of a node unless it is there.

        RETURNS (bint): Whether it is demanded.
        """
        if node == EMPTY or self._has(node, rank):
            return False
        self.demands.push_back(Demand(node, 0))
        return True

    cdef int _open(self, Forest forest, int node) noexcept nogil:
        """The place of a node. A node opened now has found its best derivation; those of its other
        edges wait."""
        cdef int place = self.opened[node], e
        if place >= 0:
            return place
        place = self.opened[node] = self.n_opened
        self.n_opened = self.n_opened + 1
        if self.found.size() < <size_t>self.n_opened:
            self.found.resize(2 * self.n_opened)
            self.waiting.resize(2 * self.n_opened)
            self.exhausted.resize(2 * self.n_opened)
        self.exhausted[place] = False
        self.found[place].clear()
        self.waiting[place].clear()
        for e in range(forest.starts[node], forest.starts[node + 1]):
            if e == forest.choices[node]:
                self.found[place].push_back(Derivation(forest.values[node + 1], e, 0, 0))
            else:
                self._offer(forest, place, e, 0, 0)
        return place

    cdef void _offer(
        self, Forest forest, int place, int edge, int left, int right
    ) noexcept nogil:
        """Put a derivation in the heap of an open node."""
        cdef Edge made = forest.edges[edge]
        cdef double score = made.score + self.score(forest, made.left, left)
        score += self.score(forest, made.right, right)
        self.waiting[place].push_back(Derivation(score, edge, left, right))
        push_heap(self.waiting[place].begin(), self.waiting[place].end(), &is_worse)

    cdef void _take(self, int place) noexcept nogil:
        """Move the best waiting derivation of an open node to those found."""
        if self.waiting[place].empty():
            self.exhausted[place] = True
            return
        pop_heap(self.waiting[place].begin(), self.waiting[place].end(), &is_worse)
        self.found[place].push_back(self.waiting[place].back())
        self.waiting[place].pop_back()

    def derivations(self, Forest forest not None, int k):
        """Find derivations, for tests and for use from Python.

        forest (Forest): The forest.
        k (int): How many to find.
        RETURNS (list[tuple[float, list[int]]]): The scores of the goal's k best derivations and
            their items, best first.
        """
        cdef vector[int32_t] items
        cdef int rank
        self.control.enter()
        try:
            forest.best()
            found = []
            for rank in range(self.find(forest, k)):
                self.items(forest, rank, True, items)
                found.append((self.score(forest, forest.goal(), rank), list(items)))
            return found
        finally:
            self.control.leave()
