cimport cython
from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....features.lexemes cimport LexemeTable
from ....features.role_hashes cimport RoleHashes
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature
from ..incremental.input cimport IncrementalInput

cdef enum:
    # What a span can be: a phrase, a word with a tag, what a unary rule makes of it; and the symbol
    # of a phrase and a unary rule as the grammar tells them apart.
    PHRASE = 0
    WORD = 1
    UNARY = 2
    SYMBOL = 3
    SYMBOL_UNARY = 4


@cython.final
cdef class SpanScorer:
    cdef readonly LexemeTable lexemes
    cdef readonly HashedWeights weights
    cdef readonly int n_tokens
    cdef RoleHashes hashes
    cdef int tag_column
    cdef int kind_column
    # The templates, those of symbols last: seeds, conjuncts of the first and the last word,
    # attributes of the span.
    cdef int n_plain
    cdef vector[uint64_t] seeds
    cdef vector[int32_t] firsts
    cdef vector[int32_t] lasts
    cdef vector[int32_t] wholes
    # The same of templates that are shared by all phrases, and their marks.
    cdef vector[uint64_t] shared_seeds
    cdef vector[int32_t] shared_firsts
    cdef vector[int32_t] shared_lasts
    cdef vector[int32_t] shared_wholes
    cdef vector[int32_t] shared_marks
    # Of the sentence.
    cdef int n_words
    cdef vector[int32_t] rows
    cdef vector[uint64_t] tokens
    cdef vector[uint64_t] tags
    cdef vector[uint64_t] kinds
    # What others predict of each span, as bits.
    cdef vector[int32_t] brackets
    # Of the span at hand: where the rows of its features begin.
    cdef vector[uint64_t] ids
    cdef int n_plain_ids
    # Ids of its shared features, and which templates they are of.
    cdef vector[uint64_t] shared_ids
    cdef vector[int32_t] shared_templates
    cdef uint64_t combined[8]
    cdef vector[int32_t] sums
    # What is left out at random: features whose hash with the seed is below the threshold.
    cdef uint64_t drop_threshold
    cdef uint64_t drop_seed

    cdef uint64_t _value(self, int i, int column) noexcept nogil

    cdef void load(self, IncrementalInput words) noexcept nogil
    cdef void _drop(self) noexcept nogil
    cdef const uint64_t* _ids_of(self, int kind, int* n) noexcept nogil
    cdef void see(self, int start, int end) noexcept nogil
    cdef void _see_shared(self, int start, int end) noexcept nogil
    cdef float score_shared(self) noexcept nogil
    cdef void collect_shared(self, float value, vector[Feature]& features) noexcept nogil
    cdef void score(self, int kind, int n_outcomes, float* scores) noexcept nogil
    cdef void score_some(
        self, int kind, const int32_t* outcomes, int n_outcomes, float* scores
    ) noexcept nogil
    cdef void collect(
        self, int kind, int outcome, float value, vector[Feature]& features
    ) noexcept nogil
