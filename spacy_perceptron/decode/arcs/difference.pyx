"""The features of one tree minus those of another: the direction of an update.

Only parts that one of the trees lacks are looked at. Each kind of part can be found from a child
(or from a head and a side), so the comparison takes O(n), and features are computed only for parts
that differ.
"""
from libc.stdint cimport int32_t, uint64_t
from libcpp.algorithm cimport sort

from ...learn.mira cimport Feature, merge
from ...features.hashing cimport mix
from .scorer cimport PartScorer
from .parts cimport ROOT


cdef bint _before(const LabelFeature& one, const LabelFeature& other) noexcept nogil:
    return one.id < other.id or (one.id == other.id and one.label < other.label)


cdef class TreeDifference:
    """Computes the difference between two labelled trees of the sentence that is loaded.

    scorer (PartScorer): Computes the features of parts; its dropout applies here too.
    order (int): As in `Parts`.
    """

    def __init__(self, PartScorer scorer, int order):
        self.scorer = scorer
        self.order = order

    cdef void compute(
        self, const int32_t* gold_heads, const int32_t* gold_labels,
        const int32_t* heads, const int32_t* labels, int n_words
    ) noexcept nogil:
        """Put the features of the gold tree minus those of the other one, merged, in `features` and
        `label_features`; both together, with hashed labels, in `all_features`."""
        self.features.clear()
        self.label_features.clear()
        self._compare_arcs(gold_heads, gold_labels, heads, labels, n_words)
        if self.order > 1:
            self._compare_further(gold_heads, heads, n_words)
        self._merge()

    cdef void _compare_arcs(
        self, const int32_t* gold_heads, const int32_t* gold_labels,
        const int32_t* heads, const int32_t* labels, int n_words
    ) noexcept nogil:
        cdef int child, i
        cdef uint64_t* ids = self.scorer.ids.data()
        for i in range(n_words):
            child = i + 1
            if gold_heads[i] != heads[i]:
                self._add(self.scorer.features.arc_ids(gold_heads[i], child, ids, NULL), 1)
                self._add(self.scorer.features.arc_ids(heads[i], child, ids, NULL), -1)
            if gold_heads[i] != heads[i] or gold_labels[i] != labels[i]:
                self._add_labelled(gold_heads[i], child, gold_labels[i], 1)
                self._add_labelled(heads[i], child, labels[i], -1)

    cdef void _compare_further(
        self, const int32_t* gold_heads, const int32_t* heads, int n_words
    ) noexcept nogil:
        cdef int child, h, g, inner, gold_h, gold_g, gold_inner, k
        cdef int after = self.scorer.features.last_place()
        self._link(&self.gold_links, gold_heads, n_words)
        self._link(&self.other_links, heads, n_words)
        for child in range(1, n_words + 1):
            gold_h = gold_heads[child - 1]
            h = heads[child - 1]
            gold_inner = self.gold_links.inner[child]
            inner = self.other_links.inner[child]
            gold_g = gold_heads[gold_h - 1] if gold_h != ROOT else -1
            g = heads[h - 1] if h != ROOT else -1
            if gold_h != h or gold_inner != inner or gold_g != g:
                self._add_child(gold_heads, &self.gold_links, child, h, inner, g, 1)
                self._add_child(heads, &self.other_links, child, gold_h, gold_inner, gold_g, -1)
        for k in range(2, 2 * n_words + 2):
            if self.gold_links.outermost[k] != self.other_links.outermost[k]:
                self._add_sibling(k >> 1, self.gold_links.outermost[k], after, k & 1, 1)
                self._add_sibling(k >> 1, self.other_links.outermost[k], after, k & 1, -1)

    cdef void _add_child(
        self, const int32_t* heads, const TreeLinks* links, int child, int other_head,
        int other_inner, int other_grand, float value
    ) noexcept nogil:
        """Add a child's parts beyond arcs, unless the other tree has them too."""
        cdef int head = heads[child - 1], inner = links.inner[child], grand
        cdef uint64_t* ids = self.scorer.ids.data()
        if head == ROOT:
            return
        grand = heads[head - 1]
        if head != other_head or inner != other_inner:
            self._add_sibling(head, inner, child, child > head, value)
        if head != other_head or grand != other_grand:
            self._add(self.scorer.features.grand_ids(grand, head, child, ids), value)
        if self.order > 2 and inner <= self.scorer.features.n_words:
            self._add(
                self.scorer.features.grand_sibling_ids(grand, head, inner, child, ids), value
            )

    cdef void _link(self, TreeLinks* links, const int32_t* heads, int n_words) noexcept nogil:
        cdef int child, k, before = self.scorer.features.first_place()
        links.inner.assign(n_words + 1, before)
        links.outermost.assign(2 * n_words + 2, before)
        for child in range(1, n_words + 1):
            k = 2 * heads[child - 1] + 1
            if heads[child - 1] < child:
                links.inner[child] = links.outermost[k]
                links.outermost[k] = child
        for child in range(n_words, 0, -1):
            k = 2 * heads[child - 1]
            if heads[child - 1] > child:
                links.inner[child] = links.outermost[k]
                links.outermost[k] = child

    cdef void _add_sibling(
        self, int head, int inner, int outer, int side, float value
    ) noexcept nogil:
        cdef uint64_t* ids = self.scorer.ids.data()
        self._add(self.scorer.features.sibling_ids(head, inner, outer, side, ids), value)

    cdef void _add(self, int n, float value) noexcept nogil:
        """Add the first n features in the scorer's buffer."""
        cdef Feature feature
        cdef int k
        feature.value = value
        n = self.scorer.keep(self.scorer.ids.data(), n)
        for k in range(n):
            feature.id = self.scorer.ids[k]
            self.features.push_back(feature)

    cdef void _add_labelled(self, int head, int child, int label, float value) noexcept nogil:
        cdef LabelFeature feature
        cdef int k, n
        n = <int>self.scorer.features.label.size()
        n = self.scorer.features.label_ids(head, child, 0, n, self.scorer.ids.data())
        n = self.scorer.keep(self.scorer.ids.data(), n)
        feature.label = label
        feature.value = value
        for k in range(n):
            feature.id = self.scorer.ids[k]
            self.label_features.push_back(feature)

    cdef void _merge(self) noexcept nogil:
        cdef size_t k, n = 0
        cdef Feature feature
        merge(self.features)
        sort(self.label_features.begin(), self.label_features.end(), &_before)
        for k in range(self.label_features.size()):
            if (
                n and self.label_features[n - 1].id == self.label_features[k].id
                and self.label_features[n - 1].label == self.label_features[k].label
            ):
                self.label_features[n - 1].value = (
                    self.label_features[n - 1].value + self.label_features[k].value
                )
                if self.label_features[n - 1].value == 0:
                    n -= 1
            else:
                self.label_features[n] = self.label_features[k]
                n += 1
        self.label_features.resize(n)
        self.all_features = self.features
        for k in range(n):
            feature.id = self.label_features[k].id ^ mix(<uint64_t>self.label_features[k].label + 1)
            feature.value = self.label_features[k].value
            self.all_features.push_back(feature)
        merge(self.all_features)
