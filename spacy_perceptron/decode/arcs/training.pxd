from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ...learn.mira cimport Feature, MiraStep
from .difference cimport LabelFeature, TreeDifference
from .input cimport ParsingInput
from .parsing cimport DependencyParsing
from .parts cimport Parts


cdef class DependencyTraining:
    cdef readonly DependencyParsing parsing
    cdef readonly TreeDifference difference
    cdef readonly int label_mistakes
    cdef MiraStep step
    cdef vector[int32_t] gold_heads
    # Whether a word's gold head was given.
    cdef vector[char] is_known
    cdef vector[int32_t] gold_labels
    cdef vector[int32_t] labels
    cdef vector[vector[int32_t]] trees
    cdef vector[vector[Feature]] differences
    cdef vector[vector[LabelFeature]] label_differences
    cdef vector[vector[Feature]] products
    cdef vector[double] violations
    cdef vector[float] saved_scores

    cdef int _learn(
        self, ParsingInput sentence, const int32_t[::1] heads, const int32_t[::1] labels,
        double time, int k, double limit, bint augmented, bint mira, double margin,
        double pruner_rate
    ) except -2
    cdef bint score_with_gold(
        self, DependencyParsing parsing, const int32_t* heads, const int32_t* labels, float cost
    ) noexcept nogil
    cdef bint complete_gold(
        self, Parts parts, const int32_t* heads, const int32_t* labels
    ) noexcept nogil
    cdef double gold_score(self, Parts parts) noexcept nogil
    cdef int find_trees(self, int k) except -1
    cdef int compare(self, int i, double gold_score, double margin) noexcept nogil
    cdef int apply(self, int i, double step, double time) except -1
