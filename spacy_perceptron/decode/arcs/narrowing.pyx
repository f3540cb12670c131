"""A second pass that leaves out arcs before parts of higher order are scored.

There are many more siblings and grandparents than arcs, about the square of the heads a word has. So
the arcs that the first pass has left are scored in full, and the probability of each of them among
the trees of arcs alone is found (Eisner 1996, inside-outside). Arcs stay that have at least
`threshold` times the probability of the word's best head, and the arcs of the best of these trees, so
that there is a tree in any case. A coarse-to-fine step as in Rush and Petrov (2012), with the
arc weights of the one model in place of models of their own.

Cost: that of first-order parsing; the scores of arcs are used again.
"""
from libc.math cimport INFINITY

from ...errors import Errors
from .scorer cimport PartScorer
from .parts cimport Parts
from .projective.decoder cimport ProjectiveDecoder


cdef class ArcNarrowing:
    """Chooses among scored arcs.

    threshold (float): The least probability, as a share of the best head's.
    """

    def __init__(self, double threshold):
        if not 0 <= threshold <= 1:
            raise ValueError(Errors.NARROWING_THRESHOLD.format(value=threshold))
        self.threshold = threshold
        self.decoder = ProjectiveDecoder(1)

    cdef bint narrow(self, Parts parts, PartScorer scorer, int order) noexcept nogil:
        """Make parts of higher order of the arcs that stay, all with score 0.

        parts: Parts whose arcs have their scores; other scores do not matter.
        scorer: Has scored them.
        order: The order to make.
        RETURNS whether there is a tree; if not, nothing is changed.
        """
        self.tree.resize(parts.n_words)
        if self.decoder.decode_into(parts, self.tree.data()) == -INFINITY:
            return False
        self.probabilities.resize(parts.n_arcs())
        self.decoder.marginals_into(parts, 1.0, self.probabilities.data())
        self._choose(parts)
        scorer.keep_arcs(self.kept)
        parts.keep_arcs(self.kept, order)
        return True

    cdef void _choose(self, Parts parts) noexcept nogil:
        """The arcs that stay, rising, in `kept`."""
        cdef int child, a
        cdef double best
        self.kept.clear()
        for child in range(1, parts.n_words + 1):
            best = 0
            for a in range(parts.incoming[child], parts.incoming[child + 1]):
                best = max(best, self.probabilities[a])
            for a in range(parts.incoming[child], parts.incoming[child + 1]):
                if (
                    self.probabilities[a] >= self.threshold * best
                    or parts.heads[a] == self.tree[child - 1]
                ):
                    self.kept.push_back(a)
