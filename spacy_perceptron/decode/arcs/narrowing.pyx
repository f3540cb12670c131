"""A second pass that leaves out arcs before parts of higher order are scored.

There are many more siblings and grandparents than arcs: they grow with the square of the heads a
word has. So the arcs that the first pass leaves are scored in full, and the probability of each of
them in a first-order model is computed (Eisner 1996, inside-outside). An arc stays if it has at
least `threshold` times the probability of the word's best head, or if it is part of the best
first-order tree, so that there is always a tree. This is a coarse-to-fine step as in Rush and
Petrov (2012), with the arc weights of the one model in place of separate models.

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
        """Make parts of higher order from the arcs that stay, all with score 0.

        parts (Parts): Parts with scores of arcs; other scores do not matter.
        scorer (PartScorer): What scored them.
        order (int): The order of the parts to make.
        RETURNS (bint): Whether there is a tree; if not, nothing is changed.
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
        """Put the ids of the arcs that stay in `kept`, in rising order."""
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
