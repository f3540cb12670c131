"""The k best trees over allowed arcs, projective or not, with one child of the root.

Camerini, Fratta and Maffioli (1980); see Zmigrod, Vieira and Cotterell (2021) for dependency trees.
A set of trees is defined by arcs that must or must not be used. The next best tree of a set
exchanges the best arc into one component for another. The set is split on the arc that this tree
lacks, and the best of all parts comes next.

Deviations: at first, trees are divided by the root's child, since the best score for each child is
known once all words are one cycle. And where trees have equal scores, solving the rest of a set may
give another tree than the one already found in it; then the set is split between the two, so that
no tree is lost or comes twice.

For m arcs: O(k (n^2 + m d)) with cycles nested d deep, plus O(n^2) for every tie met.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from ...search.control cimport Control
from .arborescence cimport Arborescence
from ..parts cimport RIGHT, ROOT, Parts

cdef enum:
    NONE = -1


cdef class RankedTrees(Arborescence):
    """The best trees of one sentence at a time. Equal ones come in a fixed order.

    control (Control): Can stop the search; it then finds fewer.
    """

    def __init__(self, Control control):
        self.control = control

    cdef int find_best(self, Parts parts, int k) noexcept nogil:
        """Find the best trees.

        k (int): How many.
        RETURNS (int): The number found, less than k if there are fewer.
        """
        cdef Region region
        cdef double score
        self.restrictions.clear()
        self.regions.clear()
        self.trees.clear()
        self.scores.clear()
        self.load(parts)
        score = self.solve(parts)
        if score != -INFINITY:
            self._keep(parts)
            if k > 1:
                self._divide_by_root(parts, score)
        # Solving a region takes a few passes over the arcs.
        while <int>self.scores.size() < k and not self.regions.empty() and not self.control.beat(
            parts.n_arcs() + <int>self.regions.size() // 100
        ):
            region = self._pop_region()
            score = self._solve_region(parts, region.restriction)
            # Only scores that are not finite make an empty set look as if it had a tree.
            if score == -INFINITY:
                continue
            self._keep(parts)
            if <int>self.scores.size() < k:
                self._split(parts, region.restriction, <int>self.scores.size() - 1, score)
                if region.rest != NONE:
                    self._split_rest(parts, region.rest, region.found)
        self._rank()
        return <int>self.scores.size()

    cdef void _divide_by_root(self, Parts parts, double score) noexcept nogil:
        """Make a region for each child of the root, and split that of the best tree, which was just
        found."""
        cdef int root_word = self.root_word(parts), i, a, restriction, own = NONE
        cdef double bound
        for i in range(parts.outgoing[2 * ROOT + RIGHT], parts.outgoing[2 * ROOT + RIGHT + 1]):
            a = parts.outgoing_arcs[i]
            restriction = self._restrict(a, False, NONE)
            bound = self._score_with_root_arc(parts, score, a)
            if parts.children[a] == root_word:
                own = restriction
            elif bound != -INFINITY:
                self.regions.push_back(Region(bound, restriction, NONE, NONE))
        self._split_rest(parts, own, 0)

    cdef double _score_with_root_arc(self, Parts parts, double score, int arc) noexcept nogil:
        """The best lowered score with another child of the root, minus infinity without a tree.

        score (double): That of the best tree, just found without restrictions.
        arc (int): An arc from the root.
        """
        cdef int c = parts.children[arc]
        cdef double key = self.weights[arc]
        while self.parent[c] != NONE:
            key -= self.best_keys[c]
            c = self.parent[c]
        # What the root enters has no other heads, or the root would not enter it.
        if parts.heads[self.best_arcs[c]] != ROOT:
            return -INFINITY
        return score - self.best_keys[c] + key

    cdef void _keep(self, Parts parts) noexcept nogil:
        """Add the tree just found to the results."""
        cdef int c
        cdef double score = 0
        for c in range(1, parts.n_words + 1):
            self.trees.push_back(self.tree[c])
            score += parts.arc[self.tree[c]]
        self.scores.push_back(score)

    cdef void _rank(self) noexcept nogil:
        """Order the trees by score; they were found in this order, except for rounding."""
        cdef int i, at
        self.order.clear()
        for i in range(<int>self.scores.size()):
            self.order.push_back(i)
            at = i
            while at > 0 and self.scores[self.order[at - 1]] < self.scores[i]:
                self.order[at] = self.order[at - 1]
                at -= 1
            self.order[at] = i

    # --- Regions -------------------------------------------------------------------------

    cdef int _restrict(self, int arc, bint is_banned, int earlier) noexcept nogil:
        self.restrictions.push_back(Restriction(arc, is_banned, earlier))
        return <int>self.restrictions.size() - 1

    cdef Region _pop_region(self) noexcept nogil:
        """Take the region with the best tree; among equal ones, the oldest."""
        cdef int i, best = 0
        cdef Region region
        for i in range(1, <int>self.regions.size()):
            if self.regions[i].bound > self.regions[best].bound:
                best = i
        region = self.regions[best]
        self.regions.erase(self.regions.begin() + best)
        return region

    cdef double _solve_region(self, Parts parts, int restriction) noexcept nogil:
        """Find the best tree of a set.

        restriction (int): The last of those that define the set.
        RETURNS (double): Its lowered score.
        """
        cdef Restriction item
        self.allow_all()
        while restriction != NONE:
            item = self.restrictions[restriction]
            if item.is_banned:
                self.ban(item.arc)
            else:
                self.fix(parts, item.arc)
            restriction = item.earlier
        return self.solve(parts)

    cdef void _split(self, Parts parts, int restriction, int found, double score) noexcept nogil:
        """Split a set, just solved, on the arc that its next best tree lacks.

        found (int): The number of its best tree.
        score (double): The lowered score of that tree.
        """
        cdef double loss
        cdef int drop = self._cheapest_drop(parts, &loss), without, rest
        if drop != NONE:
            without = self._restrict(drop, True, restriction)
            rest = self._restrict(drop, False, restriction)
            self.regions.push_back(Region(score - loss, without, rest, found))

    cdef void _split_rest(self, Parts parts, int restriction, int found) noexcept nogil:
        """Split a set whose best tree was found before. Other trees with the same score that come
        up instead get sets of their own.

        found (int): The number of its best tree.
        """
        cdef int n = parts.n_words, c = 0, arc, without
        cdef double score = self._solve_region(parts, restriction)
        while c < n and score != -INFINITY:
            arc = self.trees[<size_t>found * n + c]
            c += 1
            if self.tree[c] != arc:
                without = self._restrict(arc, True, restriction)
                self.regions.push_back(Region(score, without, NONE, NONE))
                restriction = self._restrict(arc, False, restriction)
                score = self._solve_region(parts, restriction)
                c = 0
        if score != -INFINITY:
            self._split(parts, restriction, found, score)

    # --- The next best tree --------------------------------------------------------------

    cdef int _cheapest_drop(self, Parts parts, double* loss) noexcept nogil:
        """After `solve`: the arc that the next best tree lacks.

        loss (double*): Gets how much worse that tree is.
        RETURNS (int): The arc, or NONE if there is no other tree.
        """
        cdef int a, c, around, drop = NONE, entry
        cdef double key, least = INFINITY
        self._number_words(parts)
        for a in range(parts.n_arcs()):
            if not self.allowed[a]:
                continue
            key = self.weights[a]
            c = parts.children[a]
            around = parts.heads[a]
            # Through the components that the arc enters, from inside out.
            while c != NONE:
                while around != NONE and around < c:
                    around = self.parent[around]
                if around == c:
                    break
                if self.kept[c] and a != self.best_arcs[c] and self.best_keys[c] - key < least:
                    # Not from below, or there would be a cycle.
                    entry = parts.children[self.best_arcs[c]]
                    if not (
                        self.enter[entry] <= self.enter[parts.heads[a]] < self.leave[entry]
                    ):
                        least = self.best_keys[c] - key
                        drop = self.best_arcs[c]
                key -= self.best_keys[c]
                c = self.parent[c]
        loss[0] = least
        return drop

    cdef void _number_words(self, Parts parts) noexcept nogil:
        """Number the words of the tree in pre-order: w and the words below it have the numbers
        enter[w] .. leave[w] - 1."""
        cdef int n_words = parts.n_words, word, head, count = 0
        self.first_child.assign(n_words + 1, NONE)
        self.next_child.assign(n_words + 1, NONE)
        self.enter.assign(n_words + 1, 0)
        self.leave.assign(n_words + 1, 0)
        for word in range(1, n_words + 1):
            head = parts.heads[self.tree[word]]
            self.next_child[word] = self.first_child[head]
            self.first_child[head] = word
        word = ROOT
        while word != NONE:
            self.enter[word] = count
            count += 1
            if self.first_child[word] != NONE:
                word = self.first_child[word]
                continue
            self.leave[word] = count
            while word != ROOT and self.next_child[word] == NONE:
                word = parts.heads[self.tree[word]]
                self.leave[word] = count
            word = NONE if word == ROOT else self.next_child[word]
