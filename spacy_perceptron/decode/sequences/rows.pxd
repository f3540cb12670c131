from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

cimport cython

from .scorer cimport TaggingScorer

cdef enum:
    # A given or gold tag that leaves all tags to choose from.
    ANY = -1


cdef class Constraint:
    # How many tags it is for, 0 for any number.
    cdef readonly int n_tags
    # The least value of given and gold tags: below 0 they leave a choice.
    cdef readonly int lowest

    cdef int check(self, const int32_t[::1] tags) except -1
    cdef void load(self, const int32_t* given, int n) noexcept nogil
    cdef void forbid(self, int i, uint64_t context, float* scores) noexcept nogil
    cdef bint agrees(self, const int32_t* gold, int i, int tag) noexcept nogil


cdef class ScoreRows:
    cdef readonly TaggingScorer scorer
    cdef readonly Constraint constraint
    cdef int n_tags, n, n_ranked
    # The sentence: lexeme rows with padding, and for each word its given tag or a value below 0.
    cdef vector[int32_t] padded, given
    cdef vector[float] static
    # For each row its scores, its context, the next row of its position and its best tags.
    cdef vector[float] scores
    cdef vector[uint64_t] contexts
    cdef vector[int32_t] next_rows, ranking
    cdef vector[int32_t] first_rows

    cdef void load(
        self, const int32_t* rows, const int32_t* fixed, int n, int n_ranked
    ) noexcept nogil
    cdef void handicap(self, const int32_t* gold, float margin) noexcept nogil
    cdef int32_t find(self, int i, uint64_t context) noexcept nogil
    cdef void _rank(self, const float* scores) noexcept nogil
    cdef int best_correct(self, const int32_t* gold, int i, int32_t row) noexcept nogil

    @cython.final
    cdef inline const float* row_scores(self, int32_t row) noexcept nogil:
        """The scores of all tags in a row."""
        return self.scores.data() + <size_t>row * self.n_tags

    @cython.final
    cdef inline const int32_t* row_tags(self, int32_t row) noexcept nogil:
        """The best tags of a row, best first."""
        return self.ranking.data() + <size_t>row * self.n_ranked
