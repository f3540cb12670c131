"""Scores of all parts of a sentence, for the decoders.

Labels can be decoded together with the tree: the score of an arc then contains that of its best
label, which depends only on the arc. Without label templates, trees are found without labels. In
training, a cost can be added for every wrong head or label, so that decoders find the tree that
most needs to be pushed down.

Cost: O(templates) a part. Templates that look at one end of an arc only are scored once per token
and distance, not once per arc. Most of the time is spent waiting for weights from memory. So the
weights of a part are requested as soon as its features are known, and added up some parts later
(`learn/weight_sums`); and the weights of a template with a distance lie next to those of the same
template with a direction.
"""
from libc.math cimport INFINITY, NAN
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...features.dropout cimport FeatureDropout
from ...learn.hashed cimport HashedWeights, sp_sum_twins
from ...learn.weight_sums cimport WeightSums
from ...learn.weights cimport WeightTable
from .features cimport N_DISTANCES, PartFeatures
from .parts cimport LEFT, RIGHT, ROOT, Parts


cdef class PartScorer(FeatureDropout):
    """Scores the parts of one sentence at a time.

    features (PartFeatures): Gives the features of parts.
    weights (HashedWeights): Weights of arcs and further parts.
    label_weights (WeightTable): A class per label.
    """

    def __init__(
        self, PartFeatures features, HashedWeights weights, WeightTable label_weights
    ):
        self.features = features
        self.weights = weights
        self.label_weights = label_weights
        self.sums = WeightSums(weights)
        self.end_scores.resize(2)
        self.end_labels.resize(2)
        self.has_end_labels.resize(2)

    cdef void score(
        self, Parts parts, const int32_t* gold_heads, const int32_t* gold_labels, float cost
    ) noexcept nogil:
        """Score all parts.

        gold_heads, gold_labels (int32_t*): Gold heads and labels, -1 for unknown; or NULL. Of a
            word with a gold head, other heads get the cost added, and so do other labels than a
            known one.
        cost (float): The cost.
        """
        self.score_arcs(parts, gold_heads, gold_labels, cost)
        self.score_further(parts)

    cdef void score_arcs(
        self, Parts parts, const int32_t* gold_heads, const int32_t* gold_labels, float cost
    ) noexcept nogil:
        """Score arcs, as in `score`."""
        cdef int n = parts.n_arcs(), a, head, child, gold
        cdef float extra
        self.ids.resize(self.features.max_ids() + 1)
        self.best_label.resize(n)
        self.label_score.resize(n)
        self.gold_label_score.resize(n)
        for a in range(2):
            self.end_scores[a].assign(2 * N_DISTANCES * (parts.n_words + 1), NAN)
            self.has_end_labels[a].assign(2 * (parts.n_words + 1), 0)
            self.end_labels[a].resize(
                <size_t>2 * (parts.n_words + 1) * self.label_weights.n_classes
            )
        self.sums.start(self.features.max_ids() + 1)
        for a in range(n):
            head = parts.heads[a]
            child = parts.children[a]
            extra = 0
            gold = -1
            if gold_heads != NULL and gold_heads[child - 1] >= 0:
                if gold_heads[child - 1] == head:
                    gold = gold_labels[child - 1]
                else:
                    extra = cost
            self._score_labels(head, child, gold, cost, a)
            parts.arc[a] = (
                self._end_score(head, child, False)
                + self._end_score(head, child, True)
                + self.label_score[a] + extra
            )
            self._score_pair(head, child, &parts.arc[a])
        self.sums.finish()

    cdef void score_further(self, Parts parts) noexcept nogil:
        """Score all parts but arcs."""
        if not parts.first.size():
            return
        self.sums.start(self.features.max_ids() + 1)
        self._score_siblings(parts)
        self._score_grands(parts)
        self._score_grand_siblings(parts)
        self.sums.finish()

    cdef void keep_arcs(self, const vector[int32_t]& kept) noexcept nogil:
        """Keep the labels of some arcs, and leave out the others.

        kept (vector[int32_t]&): Ids of arcs, in rising order.
        """
        cdef size_t k, n = kept.size()
        for k in range(n):
            self.best_label[k] = self.best_label[kept[k]]
            self.label_score[k] = self.label_score[kept[k]]
            self.gold_label_score[k] = self.gold_label_score[kept[k]]

    cdef float _end_score(self, int head, int child, bint of_child) noexcept nogil:
        """What one end of an arc adds to its score, once per token, direction and distance."""
        cdef int token = child if of_child else head
        cdef size_t k = <size_t>token * 2 * N_DISTANCES + self.features.distance_value(head, child)
        cdef float score = self.end_scores[of_child][k]
        if score != score:
            score = self._sum_end(head, child, of_child)
            self.end_scores[of_child][k] = score
        return score

    cdef float _sum_end(self, int head, int child, bint of_child) noexcept nogil:
        cdef int n
        if self.dropout_limit:
            n = self.features.arc_end_ids(head, child, of_child, self.ids.data())
            return self.weights.sum(self.ids.data(), self.keep(self.ids.data(), n))
        n = self.features.group_ids(of_child, head, child, self.ids.data())
        return sp_sum_twins(
            self.weights.weights, self.weights.codes, self.weights.unit, self.weights.mask,
            self.ids.data(), self.features.n_arc_twins[of_child], n,
            self.features.distance_code(head, child)
        )

    cdef void _score_pair(self, int head, int child, float* score) noexcept nogil:
        """Queue the features that look at both ends of an arc."""
        cdef uint64_t* ids = self.sums.room()
        cdef int n
        if self.dropout_limit:
            self._add(self.features.arc_pair_ids(head, child, ids), ids, score)
            return
        n = self.features.group_ids(2, head, child, ids)
        if self.features.between.size():
            n = self.features.between_ids(head, child, n, ids, NULL)
        self.sums.add(
            n, self.features.n_arc_twins[2], self.features.distance_code(head, child), score
        )

    cdef void _add(self, int n, uint64_t* ids, float* score) noexcept nogil:
        """Queue the weights of n features, except for those left out by dropout."""
        self.sums.add(self.keep(ids, n), 0, 0, score)

    cdef const float* _end_labels(self, int head, int child, bint of_child) noexcept nogil:
        """What one end of an arc adds to the scores of labels, once per token and direction."""
        cdef int token = child if of_child else head, n_labels = self.label_weights.n_classes, n
        cdef int first = self.features.n_label_ends[0] if of_child else 0
        cdef size_t k = <size_t>token * 2 + (child > head)
        cdef float* scores = &self.end_labels[of_child][k * n_labels]
        if not self.has_end_labels[of_child][k]:
            self.has_end_labels[of_child][k] = 1
            for n in range(n_labels):
                scores[n] = 0
            n = self.features.n_label_ends[of_child]
            n = self.features.label_ids(head, child, first, first + n, self.ids.data())
            self.label_weights.add_scores(self.ids.data(), self.keep(self.ids.data(), n), scores)
        return scores

    cdef void _score_labels(
        self, int head, int child, int gold, float cost, int arc
    ) noexcept nogil:
        cdef int n_labels = self.label_weights.n_classes, label, best = 0, n
        cdef int first = self.features.n_label_ends[0] + self.features.n_label_ends[1]
        cdef const float* of_head
        cdef const float* of_child
        cdef float score, best_score = -INFINITY
        if self.features.label.size() == 0:
            self.best_label[arc] = 0
            self.label_score[arc] = self.gold_label_score[arc] = 0
            return
        of_head = self._end_labels(head, child, False)
        of_child = self._end_labels(head, child, True)
        self.label_scores.resize(n_labels)
        for label in range(n_labels):
            self.label_scores[label] = of_head[label] + of_child[label]
        n = <int>self.features.label.size()
        n = self.features.label_ids(head, child, first, n, self.ids.data())
        n = self.keep(self.ids.data(), n)
        self.label_weights.add_scores(self.ids.data(), n, self.label_scores.data())
        for label in range(n_labels):
            score = self.label_scores[label]
            if gold >= 0 and label != gold:
                score += cost
            if score > best_score:
                best = label
                best_score = score
        self.best_label[arc] = best
        self.label_score[arc] = best_score
        self.gold_label_score[arc] = self.label_scores[gold] if gold >= 0 else best_score

    cdef void _score_siblings(self, Parts parts) noexcept nogil:
        cdef int before = self.features.first_place(), after = self.features.last_place()
        cdef int head, side, inner, outer, child, i, j, start, end
        if self.features.sibling.size() == 0:
            return
        for head in range(1, parts.n_words + 1):
            for side in range(2):
                start = parts.outgoing[2 * head + side]
                end = parts.outgoing[2 * head + side + 1]
                self._sibling(head, before, after, side, &parts.childless[2 * head + side])
                for i in range(start, end):
                    outer = parts.outgoing_arcs[i]
                    child = parts.children[outer]
                    self._sibling(head, before, child, side, &parts.first[outer])
                    self._sibling(head, child, after, side, &parts.last[outer])
                    for j in range(start, i):
                        inner = parts.outgoing_arcs[j]
                        self._sibling(
                            head, parts.children[inner], child, side,
                            &parts.sibling[parts.sibling_id(inner, outer)]
                        )

    cdef void _sibling(
        self, int head, int inner, int outer, int side, float* score
    ) noexcept nogil:
        cdef uint64_t* ids = self.sums.room()
        self._add(self.features.sibling_ids(head, inner, outer, side, ids), ids, score)

    cdef void _score_grands(self, Parts parts) noexcept nogil:
        cdef int lower, upper, head, grand, child
        cdef uint64_t* ids
        if self.features.grand.size() == 0:
            return
        for lower in range(parts.n_arcs()):
            head = parts.heads[lower]
            child = parts.children[lower]
            if head == ROOT:
                continue
            for upper in range(parts.incoming[head], parts.incoming[head + 1]):
                grand = parts.heads[upper]
                if _inside(grand, head, child):
                    continue
                ids = self.sums.room()
                self._add(
                    self.features.grand_ids(grand, head, child, ids), ids,
                    &parts.grand[parts.grand_id(upper, lower)]
                )

    cdef void _score_grand_siblings(self, Parts parts) noexcept nogil:
        cdef int outer, inner, upper, head, i, start, n, part
        cdef uint64_t* ids
        if parts.grand_sibling.size() == 0 or self.features.grand_sibling.size() == 0:
            return
        for outer in range(parts.n_arcs()):
            head = parts.heads[outer]
            if head == ROOT:
                continue
            start = parts.outgoing[2 * head + parts.side(outer)]
            for i in range(start, start + parts.rank[outer]):
                inner = parts.outgoing_arcs[i]
                for upper in range(parts.incoming[head], parts.incoming[head + 1]):
                    if _inside(parts.heads[upper], head, parts.children[outer]):
                        continue
                    ids = self.sums.room()
                    n = self.features.grand_sibling_ids(
                        parts.heads[upper], head, parts.children[inner], parts.children[outer], ids
                    )
                    part = parts.grand_sibling_id(upper, inner, outer)
                    self._add(n, ids, &parts.grand_sibling[part])

    # --- A window for explanations and tests -------------------------------------------------

    def part_weights(self, str kind, int head, int child, *, int inner=-1, int grand=-1,
                     int side=0):
        """Read the weights of a part's features, in the sentence loaded last.

        kind (str): `arc`, `sibling`, `grand` or `grand_sibling`.
        head, child (int): The arc, or the outer one of two.
        inner (int): The inner sibling.
        grand (int): The head's head.
        side (int): The side of their head that siblings are on: 0 for left, 1 for right.
        RETURNS (list[tuple[int, float]]): For each feature, the number of its template among those
            of the kind (those with the role `b` come last) and its weight.
        """
        cdef vector[int32_t] templates
        cdef int n, k
        self.ids.resize(self.features.max_ids() + 1)
        templates.resize(self.features.max_ids() + 1)
        for k in range(<int>templates.size()):
            templates[k] = k
        cdef uint64_t* ids = self.ids.data()
        if kind == "arc":
            n = self.features.arc_ids(head, child, ids, templates.data())
        elif kind == "sibling":
            n = self.features.sibling_ids(head, inner, child, side, ids)
        elif kind == "grand":
            n = self.features.grand_ids(grand, head, child, ids)
        else:
            n = self.features.grand_sibling_ids(grand, head, inner, child, ids)
        return [
            (templates[k], self.weights.sum(&ids[k], 1)) for k in range(n)
        ]

    def arc_label_weights(self, int head, int child, int label):
        """Read the weights of a labelled arc's features, in the sentence loaded last.

        head, child (int): The arc.
        label (int): Its label.
        RETURNS (list[tuple[int, float]]): For each feature, the number of its template and its
            weight.
        """
        cdef int n, k
        self.ids.resize(self.features.max_ids() + 1)
        n = <int>self.features.label.size()
        n = self.features.label_ids(head, child, 0, n, self.ids.data())
        return [(k, self.label_weights.row(self.ids[k]).get(label, 0.0)) for k in range(n)]

    def no_child_before(self):
        """RETURNS (int): The position that stands for the sibling before a head's nearest child."""
        return self.features.first_place()

    def no_child_after(self):
        """RETURNS (int): The position that stands for the sibling after a head's last child."""
        return self.features.last_place()


cdef inline bint _inside(int grand, int head, int child) noexcept nogil:
    """Whether a head's head would lie under the arc to the child, which no projective tree has."""
    return head < grand <= child or child <= grand < head
