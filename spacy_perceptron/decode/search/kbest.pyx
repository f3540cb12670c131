"""The k best derivations of a forest by lazy combination (Huang & Chiang 2005, "Better k-best
parsing", algorithm 3).

A derivation is an edge with a rank for each of its nodes: ranks (i, j) stand for the i-th and j-th
best derivations of the two. A node's next best derivation is one of the successors of those it has,
(i + 1, j) and (i, j + 1), or the best one of another edge. Deviations: (i + 1, j) is taken as a
successor only if j = 0, so that every derivation has one predecessor and comes up once without a
look-up; a node asked for nothing but its best derivation is never opened, as Viterbi knows that
one; the recursion is a stack, so that long sentences are no problem.

Exact. Of equal scores the earlier edge is ahead, then the lower ranks, among the derivations known
by then. O(E + k d log k) for E edges and derivations of d edges.
"""
cimport cython
from libc.stdint cimport int32_t
from libc.string cimport memcpy
from libcpp.algorithm cimport pop_heap, push_heap

from .forest cimport EMPTY, Edge, Forest


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
    """Finds derivations. Scratch memory is kept between sentences."""

    cdef int find(self, Forest forest, int k) noexcept nogil:
        """Find the k best derivations of the goal.

        forest (Forest): The forest, after `best`.
        RETURNS (int): How many there are, at most k.
        """
        cdef int goal = forest.goal(), n = 1
        self.n_opened = 0
        self.opened.assign(forest.n_nodes(), -1)
        if goal < 0 or k < 1:
            return 0
        while n < k:
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

    cdef void trees(
        self,
        Forest forest,
        int n_trees,
        const int32_t* arc_heads,
        const int32_t* arc_children,
        int n_words,
        int32_t* heads,
    ) noexcept nogil:
        """Write the trees found.

        n_trees (int): How many, as `find` returned it.
        arc_heads, arc_children (int32_t*): The arcs, by id.
        n_words (int): The length of the sentence.
        heads (int32_t*): Gets the head of every word, tree after tree; word 1 comes first.
        """
        cdef int rank
        cdef int32_t* to = heads
        self.in_best.assign(forest.n_nodes(), False)
        for rank in range(n_trees):
            # What a tree has in common with the best one is copied.
            if rank > 0:
                memcpy(to, heads, n_words * sizeof(int32_t))
            self._write(forest, rank, arc_heads, arc_children, to)
            to += n_words

    cdef void _write(
        self,
        Forest forest,
        int rank,
        const int32_t* arc_heads,
        const int32_t* arc_children,
        int32_t* heads,
    ) noexcept nogil:
        """Write the heads in which a tree differs from the best one, or all of the best one's."""
        cdef Choice at
        cdef Derivation derivation
        cdef Edge edge
        self.stack.clear()
        self.stack.push_back(Choice(forest.goal(), rank))
        while not self.stack.empty():
            at = self.stack.back()
            self.stack.pop_back()
            if at.rank > 0:
                derivation = self.found[self.opened[at.node]][at.rank]
            elif self.in_best[at.node]:
                continue
            else:
                derivation = Derivation(0, forest.choices[at.node], 0, 0)
                if rank == 0:
                    self.in_best[at.node] = True
            edge = forest.edges[derivation.edge]
            if edge.arc >= 0:
                heads[arc_children[edge.arc] - 1] = arc_heads[edge.arc]
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
        """The place of a node. A new one gets its best derivation, and those of its other edges to
        wait."""
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
