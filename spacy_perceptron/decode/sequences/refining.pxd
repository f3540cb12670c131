from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ..search.control cimport Control
from .scorer cimport TaggingScorer


cdef class Refining:
    cdef readonly TaggingScorer scorer
    cdef readonly Control control
    cdef readonly int n_tags
    cdef readonly int n_labels
    cdef vector[int32_t] tag_of
    # The labels of tag t, its candidates, are those from label_starts[t] to label_starts[t + 1].
    cdef vector[int32_t] label_starts, labels
    cdef vector[int32_t] part_starts, parts
    # The sentence: lexeme rows with padding, and what is known of each word, as codes.
    cdef vector[int32_t] padded, codes
    cdef vector[float] part_scores, scores
    # Weights that are being looked up, and how many for each word.
    cdef vector[uint64_t] lookups
    cdef vector[int32_t] n_found

    cdef void _load(self, const int32_t* rows, const int32_t* tags, int n) noexcept nogil
    cdef uint64_t _context(self, int i) noexcept nogil
    cdef int _n_candidates(self, int tag) noexcept nogil
    cdef void _ask(self, int i) noexcept nogil
    cdef void _find(self, int i) noexcept nogil
    cdef void _score(self, int i, int tag) noexcept nogil
    cdef void _score_alone(self, int i, int tag) noexcept nogil
    cdef bint _has_choice(self, int tag, int given) noexcept nogil
    cdef int _best(self, int tag, int without) noexcept nogil
    cdef int _choose(self, int i, int tag, int given, bint asked) noexcept nogil
    cdef float _share(self, int label, const int32_t* group, double temperature) noexcept nogil
    cdef int _check(
        self, const int32_t[::1] rows, const int32_t[::1] tags, const int32_t[::1] fixed
    ) except -1
    cdef int _check_gold(
        self, const int32_t[::1] rows, const int32_t[::1] gold, float margin
    ) except -1
    cdef void _load_gold(self, const int32_t[::1] rows, const int32_t[::1] gold) noexcept nogil
    cdef int _rival(self, int i, int right, float margin) noexcept nogil
    cdef int _update(self, int i, int right, int wrong, double time) except -1
    cdef int _add_parts(
        self, uint64_t key, int label, int other, float delta, double time
    ) except -1
    cdef bint _has(self, int label, int part) noexcept nogil
