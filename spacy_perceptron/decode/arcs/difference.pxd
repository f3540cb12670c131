from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ...learn.mira cimport Feature
from .scorer cimport PartScorer


cdef struct LabelFeature:
    uint64_t id
    int32_t label
    float value


# What is needed to find the parts of a tree: by child, the nearest sibling towards the head; by
# head and side, the outermost child.
cdef struct TreeLinks:
    vector[int32_t] inner
    vector[int32_t] outermost


cdef class TreeDifference:
    cdef readonly PartScorer scorer
    cdef readonly int order
    cdef TreeLinks gold_links
    cdef TreeLinks other_links
    cdef vector[Feature] features
    cdef vector[LabelFeature] label_features
    # Both, for products of differences.
    cdef vector[Feature] all_features

    cdef void compute(
        self, const int32_t* gold_heads, const int32_t* gold_labels,
        const int32_t* heads, const int32_t* labels, int n_words
    ) noexcept nogil
    cdef void _link(self, TreeLinks* links, const int32_t* heads, int n_words) noexcept nogil
    cdef void _add(self, int n, float value) noexcept nogil
    cdef void _add_labelled(self, int head, int child, int label, float value) noexcept nogil
    cdef void _compare_arcs(
        self, const int32_t* gold_heads, const int32_t* gold_labels,
        const int32_t* heads, const int32_t* labels, int n_words
    ) noexcept nogil
    cdef void _compare_further(
        self, const int32_t* gold_heads, const int32_t* heads, int n_words
    ) noexcept nogil
    cdef void _add_child(
        self, const int32_t* heads, const TreeLinks* links, int child, int other_head,
        int other_inner, int other_grand, float value
    ) noexcept nogil
    cdef void _add_sibling(
        self, int head, int inner, int outer, int side, float value
    ) noexcept nogil
    cdef void _merge(self) noexcept nogil
