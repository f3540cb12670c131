"""A first pass that leaves each word a few heads: a cheap linear model of head selection.

Each word chooses among all heads by itself, with a softmax over a handful of features per arc (a
log-linear head selector, trained by stochastic gradient steps next to the parser). An arc stays if
its probability is at least `threshold` times that of the word's best head; a word keeps no more
than `max_heads` of them. Decoding needs no exponentials for that. Everything after this pass,
k-best lists and marginals included, is exact over the arcs that stay.

Cost: O(n²) for n words, with a constant far below that of scoring an arc in full.
"""
from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int16_t, int32_t, uint64_t
from libcpp.algorithm cimport partial_sort, sort
from libcpp.vector cimport vector

from ...errors import Errors
from ...learn.hashed cimport HashedWeights
from .features cimport C, P, PartFeatures, TemplateRow
from .parts cimport ROOT, Parts

cdef extern from *:
    """
    template <class Total, class Weight, class Row>
    static inline Total sp_sum_rows(
        const Weight* weights, uint64_t mask, const Row* rows, int n,
        const uint64_t* p, const uint64_t* c, const uint64_t* arc
    ) {
        Total a = 0, b = 0;
        int t = 0;
        for (; t + 2 <= n; t += 2) {
            a += weights[(p[rows[t].p] ^ c[t] ^ arc[rows[t].arc]) & mask];
            b += weights[(p[rows[t + 1].p] ^ c[t + 1] ^ arc[rows[t + 1].arc]) & mask];
        }
        if (t < n) a += weights[(p[rows[t].p] ^ c[t] ^ arc[rows[t].arc]) & mask];
        return a + b;
    }

    /* The weights of an arc's n templates: p and arc by conjunct, c by template. */
    template <class Row>
    static inline float sp_score_arc(
        const float* weights, const int16_t* codes, float unit, uint64_t mask, const Row* rows,
        int n, const uint64_t* p, const uint64_t* c, const uint64_t* arc
    ) {
        return codes ? unit * sp_sum_rows<int32_t>(codes, mask, rows, n, p, c, arc)
                     : sp_sum_rows<float>(weights, mask, rows, n, p, c, arc);
    }
    """
    float sp_score_arc[Row](
        const float* weights, const int16_t* codes, float unit, uint64_t mask, const Row* rows,
        int n, const uint64_t* p, const uint64_t* c, const uint64_t* arc
    ) noexcept nogil

cdef enum:
    MAX_CELLS = 2000000
    FEWEST_HEADS = 2

# Gradients smaller than this are not worth a step.
cdef double NEGLIGIBLE = 0.005


cdef bint _better(const ScoredHead& one, const ScoredHead& other) noexcept nogil:
    return one.score > other.score or (one.score == other.score and one.head < other.head)


cdef class ArcPruner:
    """Chooses the arcs that are scored in full.

    weights (HashedWeights): Its own weights.
    threshold (float): The least probability, as a share of the best head's; 0 for no limit.
    max_heads (int): The most heads of a word; 0 for no limit. In very long sentences, parts of
        higher order get fewer: fewer than 20 from 317 words on, 2 from 817 words on.
    """

    def __init__(self, HashedWeights weights, double threshold, int max_heads):
        if not 0 <= threshold <= 1:
            raise ValueError(Errors.PRUNING_THRESHOLD.format(value=threshold))
        if max_heads < 0:
            raise ValueError(Errors.PRUNING_HEADS.format(value=max_heads))
        self.weights = weights
        self.threshold = threshold
        self.max_heads = max_heads
        self.margin = <float>(log(threshold) if threshold > 0 else -INFINITY)

    cdef void prune(
        self, PartFeatures features, Parts parts, const int32_t* required, int order
    ) noexcept nogil:
        """Fill the parts of a sentence with the arcs that stay.

        required (int32_t*): A head per word that always stays, -1 for none; or NULL.
        """
        cdef int n = features.n_words, child, k
        self._limit_heads(n, order)
        if self.threshold == 0 and (self.n_heads == 0 or self.n_heads >= n):
            self.allow_all(features, parts, order)
            return
        parts.reset(n)
        for child in range(1, n + 1):
            self._score_heads(features, child)
            self._choose_heads(n, child, -1 if required == NULL else required[child - 1])
            for k in range(<int>self.kept.size()):
                parts.add_arc(self.kept[k], child)
        parts.finish(order)

    cdef void _limit_heads(self, int n_words, int order) noexcept nogil:
        """Set how many heads a word may have in a sentence of this length."""
        cdef int most
        self.n_heads = self.max_heads
        if order > 1:
            # Charts of higher order grow with heads * words²; this bounds their memory.
            most = max(<int>FEWEST_HEADS, <int>(MAX_CELLS // (<double>n_words * n_words)))
            if self.n_heads == 0 or self.n_heads > most:
                self.n_heads = most

    cdef void allow_all(self, PartFeatures features, Parts parts, int order) noexcept nogil:
        """Allow every arc."""
        cdef int n = features.n_words, child, head
        parts.reset(n)
        for child in range(1, n + 1):
            for head in range(n + 1):
                if head != child:
                    parts.add_arc(head, child)
        parts.finish(order)

    cdef void allow_chains(
        self, PartFeatures features, Parts parts, const int32_t* required, int order
    ) noexcept nogil:
        """Allow the arcs that stay, those between neighbours and those from the root: then there is
        always a projective tree.

        required (int32_t*): As in `prune`.
        """
        cdef int n = features.n_words, child, k
        self._limit_heads(n, order)
        parts.reset(n)
        for child in range(1, n + 1):
            self._score_heads(features, child)
            self._choose_heads(n, child, ROOT)
            for k in range(child - 1, child + 2, 2):
                if 1 <= k <= n and not _contains(self.kept, k):
                    self.kept.push_back(k)
            if required != NULL and required[child - 1] >= 0:
                if not _contains(self.kept, required[child - 1]):
                    self.kept.push_back(required[child - 1])
            sort(self.kept.begin(), self.kept.end())
            for k in range(<int>self.kept.size()):
                parts.add_arc(self.kept[k], child)
        parts.finish(order)

    cdef void _score_heads(self, PartFeatures features, int child) noexcept nogil:
        cdef int n = features.n_words, n_rows = <int>features.pruner.size(), head, t
        cdef const TemplateRow* rows = features.pruner.data()
        cdef const uint64_t* of_child = features.hashes.at(C, child)
        self.ids.resize(features.max_ids() + 1)
        self.scores.resize(n + 1)
        # What the child adds to a feature is the same for all heads.
        for t in range(n_rows):
            self.ids[t] = of_child[rows[t].c]
        for head in range(n + 1):
            self.scores[head] = -INFINITY if head == child else sp_score_arc(
                self.weights.weights, self.weights.codes, self.weights.unit, self.weights.mask,
                rows, n_rows, features.hashes.at(P, head), self.ids.data(),
                features.arc_hashes(head, child)
            )

    cdef void _choose_heads(self, int n_words, int child, int required) noexcept nogil:
        """Put the heads that stay in `kept`, in rising order."""
        cdef float best = -INFINITY, least
        cdef ScoredHead item
        cdef int head, k
        for head in range(n_words + 1):
            best = max(best, self.scores[head])
        least = best + self.margin
        self.ranked.clear()
        for head in range(n_words + 1):
            if head != child and self.scores[head] >= least:
                item.score = self.scores[head]
                item.head = head
                self.ranked.push_back(item)
        if self.n_heads and self.ranked.size() > <size_t>self.n_heads:
            partial_sort(
                self.ranked.begin(), self.ranked.begin() + self.n_heads, self.ranked.end(), &_better
            )
            self.ranked.resize(self.n_heads)
        self.kept.clear()
        for k in range(<int>self.ranked.size()):
            self.kept.push_back(self.ranked[k].head)
        if required >= 0 and not _contains(self.kept, required):
            self.kept.push_back(required)
        sort(self.kept.begin(), self.kept.end())

    cdef double learn(
        self, PartFeatures features, const int32_t* gold, double rate, double time
    ) noexcept nogil:
        """Take a gradient step for every word with a gold head.

        gold (int32_t*): Gold head per word, -1 for unknown.
        RETURNS (double): The summed loss.
        """
        cdef int n = features.n_words, child, head, n_ids, k
        cdef double best, total, gradient, loss = 0
        for child in range(1, n + 1):
            if gold[child - 1] < 0:
                continue
            self._score_heads(features, child)
            best = -INFINITY
            for head in range(n + 1):
                best = max(best, self.scores[head])
            total = 0
            for head in range(n + 1):
                total += exp(self.scores[head] - best)
            loss -= self.scores[gold[child - 1]] - best - log(total)
            for head in range(n + 1):
                gradient = (head == gold[child - 1]) - exp(self.scores[head] - best) / total
                if head == child or -NEGLIGIBLE < gradient < NEGLIGIBLE:
                    continue
                n_ids = features.pruner_ids(head, child, self.ids.data())
                for k in range(n_ids):
                    self.weights.add(self.ids[k], <float>(rate * gradient), time)
        return loss


cdef bint _contains(const vector[int32_t]& items, int item) noexcept nogil:
    cdef size_t k
    for k in range(items.size()):
        if items[k] == item:
            return True
    return False
