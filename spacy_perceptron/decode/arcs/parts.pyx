"""The parts of a sentence's dependency trees: allowed arcs, and what they form together.

Words are numbered from 1, the root is 0. A tree's score is the sum over its parts:

- `arc`: every arc of the tree. First-order models have nothing else.
- `sibling` (inner, outer): two neighbouring children of one head on one side.
- `first`, `last` (arc): the child nearest to its head on one side, and the one farthest from it;
  `childless` (word, side): a word without children on that side.
- `grand` (upper, lower): an arc g -> h above an arc h -> m.
- `grand_sibling` (upper, inner, outer): an arc above two neighbouring children.

The root has one child, and forms no part but that arc and `grand` parts with the arcs below it.

Only allowed arcs form parts. If the number of heads a word may have is bounded, the number of parts
is linear in the length of the sentence. Memory is reused from sentence to sentence.
"""
import numpy as np

from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...errors import Errors


cdef class Parts:
    """Allowed arcs and the scores of all parts.

    n_words (int): Length of the sentence.
    heads, children (array): The allowed arcs, in any order, without repetition.
    order (int): 1 for arcs alone, 2 for siblings and grandparents, 3 for both at once.
    """

    def __init__(self, int n_words=0, heads=(), children=(), *, int order=2):
        arcs = sorted(zip(children, heads, strict=True))
        if len(set(arcs)) != len(arcs) or any(
            not (1 <= child <= n_words and 0 <= head <= n_words and head != child)
            for child, head in arcs
        ):
            raise ValueError(Errors.PARTS_ARCS.format(n=n_words))
        self.reset(n_words)
        for child, head in arcs:
            self.add_arc(head, child)
        self.finish(order)

    cdef void reset(self, int n_words) noexcept nogil:
        """Start a sentence without arcs."""
        self.n_words = n_words
        self.heads.clear()
        self.children.clear()

    cdef void add_arc(self, int head, int child) noexcept nogil:
        """Allow an arc. Arcs must come sorted by child, then head."""
        self.heads.push_back(head)
        self.children.push_back(child)

    cdef void finish(self, int order) noexcept nogil:
        """Number the parts that the added arcs form, all with score 0."""
        cdef int n = self.n_arcs(), n_words = self.n_words, a, h, side, k, at, n_heads
        cdef int n_siblings = 0, n_grands = 0, n_grand_siblings = 0
        self.incoming.assign(n_words + 2, 0)
        self.outgoing.assign(2 * n_words + 3, 0)
        for a in range(n):
            self.incoming[self.children[a] + 1] = self.incoming[self.children[a] + 1] + 1
            k = 2 * self.heads[a] + self.side(a) + 1
            self.outgoing[k] = self.outgoing[k] + 1
        for k in range(1, n_words + 2):
            self.incoming[k] = self.incoming[k] + self.incoming[k - 1]
        for k in range(1, 2 * n_words + 3):
            self.outgoing[k] = self.outgoing[k] + self.outgoing[k - 1]
        self.outgoing_arcs.resize(n)
        self.rank.assign(n, 0)
        self.n_placed.assign(2 * n_words + 2, 0)
        # Children rise with arc ids: right lists fill up from the front, left lists from the back.
        for a in range(n):
            k = 2 * self.heads[a] + self.side(a)
            at = self.n_placed[k]
            self.n_placed[k] = at + 1
            if self.side(a) == LEFT:
                at = self.outgoing[k + 1] - self.outgoing[k] - 1 - at
            self.outgoing_arcs[self.outgoing[k] + at] = a
            self.rank[a] = at
        self.arc.assign(n, 0)
        self.sibling_start.assign(n + 1, 0)
        self.grand_start.assign(n + 1, 0)
        self.grand_sibling_start.assign(n + 1, 0)
        if order > 1:
            for a in range(n):
                h = self.heads[a]
                n_heads = self.incoming[h + 1] - self.incoming[h]
                self.sibling_start[a] = n_siblings
                self.grand_start[a] = n_grands
                self.grand_sibling_start[a] = n_grand_siblings
                if h != ROOT:
                    n_siblings += self.rank[a]
                    n_grands += n_heads
                    if order > 2:
                        n_grand_siblings += n_heads * self.rank[a]
            self.sibling_start[n] = n_siblings
            self.grand_start[n] = n_grands
            self.grand_sibling_start[n] = n_grand_siblings
        self.first.assign(n if order > 1 else 0, 0)
        self.last.assign(n if order > 1 else 0, 0)
        self.childless.assign(2 * n_words + 2 if order > 1 else 0, 0)
        self.sibling.assign(n_siblings, 0)
        self.grand.assign(n_grands, 0)
        self.grand_sibling.assign(n_grand_siblings, 0)

    cdef void keep_arcs(self, const vector[int32_t]& kept, int order) noexcept nogil:
        """Keep some arcs, with their scores, and leave out the others. Other parts get score 0.

        kept (vector[int32_t]&): Ids of arcs, in rising order.
        """
        cdef size_t k, n = kept.size()
        self.kept_scores.resize(n)
        for k in range(n):
            self.kept_scores[k] = self.arc[kept[k]]
            self.heads[k] = self.heads[kept[k]]
            self.children[k] = self.children[kept[k]]
        self.heads.resize(n)
        self.children.resize(n)
        self.finish(order)
        self.arc.swap(self.kept_scores)

    cdef int n_arcs(self) noexcept nogil:
        return <int>self.heads.size()

    cdef int side(self, int arc) noexcept nogil:
        return RIGHT if self.children[arc] > self.heads[arc] else LEFT

    cdef int find(self, int head, int child) noexcept nogil:
        """The id of an arc, or -1 if it is not allowed."""
        cdef int low = self.incoming[child], high = self.incoming[child + 1], middle
        cdef int end = high
        while low < high:
            middle = (low + high) >> 1
            if self.heads[middle] < head:
                low = middle + 1
            else:
                high = middle
        return low if low < end and self.heads[low] == head else -1

    cdef int sibling_id(self, int inner, int outer) noexcept nogil:
        return self.sibling_start[outer] + self.rank[inner]

    cdef int grand_id(self, int upper, int lower) noexcept nogil:
        return self.grand_start[lower] + upper - self.incoming[self.heads[lower]]

    cdef int grand_sibling_id(self, int upper, int inner, int outer) noexcept nogil:
        cdef int h = self.heads[outer]
        cdef int n_heads = self.incoming[h + 1] - self.incoming[h]
        upper -= self.incoming[h]
        return self.grand_sibling_start[outer] + self.rank[inner] * n_heads + upper

    # --- A window for tests ----------------------------------------------------------------

    _SCORES = ("arc", "first", "last", "childless", "sibling", "grand", "grand_sibling")

    def arcs(self):
        """RETURNS (list[tuple[int, int]]): Head and child of every allowed arc, by id."""
        return list(zip(self.heads, self.children, strict=True))

    def get_scores(self):
        """RETURNS (dict): Name of a kind of part -> its scores, by id."""
        return {
            "arc": np.array(self.arc, dtype=np.float32),
            "first": np.array(self.first, dtype=np.float32),
            "last": np.array(self.last, dtype=np.float32),
            "childless": np.array(self.childless, dtype=np.float32),
            "sibling": np.array(self.sibling, dtype=np.float32),
            "grand": np.array(self.grand, dtype=np.float32),
            "grand_sibling": np.array(self.grand_sibling, dtype=np.float32),
        }

    def set_scores(self, **scores):
        """Set the scores of some kinds of parts.

        scores (dict): Name of a kind of part -> one score per id.
        """
        known = self.get_scores()
        for name, values in scores.items():
            if name not in known or len(values) != len(known[name]):
                raise ValueError(Errors.PARTS_SCORES.format(name=name, n=len(values)))
        self.arc = scores.get("arc", self.arc)
        self.first = scores.get("first", self.first)
        self.last = scores.get("last", self.last)
        self.childless = scores.get("childless", self.childless)
        self.sibling = scores.get("sibling", self.sibling)
        self.grand = scores.get("grand", self.grand)
        self.grand_sibling = scores.get("grand_sibling", self.grand_sibling)

    def ids(self):
        """RETURNS (dict): Kind of part -> its arcs as (head, child) -> id."""
        arcs = self.arcs()
        sides = [self.side(a) for a in range(len(arcs))]
        found = {
            "arc": {arc: a for a, arc in enumerate(arcs)},
            "sibling": {},
            "grand": {},
            "grand_sibling": {},
        }
        for b, outer in enumerate(arcs):
            if outer[0] == ROOT or not self.first.size():
                continue
            uppers = [u for u, arc in enumerate(arcs) if arc[1] == outer[0]]
            for u in uppers:
                found["grand"][arcs[u], outer] = self.grand_id(u, b)
            for a, inner in enumerate(arcs):
                if inner[0] == outer[0] and sides[a] == sides[b] and self.rank[a] < self.rank[b]:
                    found["sibling"][inner, outer] = self.sibling_id(a, b)
                    for u in uppers if self.grand_sibling.size() else ():
                        found["grand_sibling"][arcs[u], inner, outer] = self.grand_sibling_id(
                            u, a, b
                        )
        return found
