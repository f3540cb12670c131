from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ...features.extract cimport FeatureProgram
from ...features.lexemes cimport LexemeTable
from ...learn.weights cimport WeightTable

cdef enum:
    PAD = 5
    TAG_WINDOW = 2
    # Tag code of a place outside the sentence. Constant, so that new labels do not shift it.
    OUTSIDE = 0xFFFE


cdef struct PairKey:
    uint64_t context
    int32_t row
    int32_t generation


cdef class TaggingScorer:
    cdef readonly LexemeTable lexemes
    cdef readonly WeightTable weights
    cdef readonly int n_tags
    cdef FeatureProgram lexical
    cdef FeatureProgram joint
    cdef FeatureProgram dynamic
    cdef vector[int32_t] group_offsets
    cdef vector[int32_t] group_starts
    cdef vector[int32_t] joint_offsets
    cdef vector[int32_t] joint_columns
    cdef vector[int32_t] dynamic_offsets
    cdef vector[int32_t] dynamic_columns
    cdef vector[uint64_t] values
    cdef vector[uint64_t] ids
    cdef uint64_t drop_threshold
    cdef uint64_t drop_seed
    cdef vector[uint8_t] hidden
    cdef vector[uint8_t] is_identity
    cdef object program
    cdef bint cached
    cdef int cache_generation
    cdef vector[uint8_t] cache_ready
    cdef vector[float] cache
    cdef int n_tag_only
    cdef bint local
    cdef vector[uint64_t] context_keys
    cdef vector[float] context_scores
    cdef size_t pair_mask
    cdef vector[PairKey] pair_keys
    cdef vector[float] pair_scores
    cdef vector[uint64_t] lookups

    cdef void _drop(self, int i, int first, int n) noexcept nogil
    cdef int static_ids(self, const int32_t* rows, int i) noexcept nogil
    cdef int _joint_ids(self, const int32_t* rows, int i, uint64_t* ids) noexcept nogil
    cdef int dynamic_ids(self, const int32_t* rows, int i, uint64_t context) noexcept nogil
    cdef const float* _lexical_scores(self, int row, int group) noexcept nogil
    cdef const float* _context_row(self, uint64_t context) noexcept nogil
    cdef const float* _pair_row(
        self, const int32_t* rows, int i, uint64_t context
    ) noexcept nogil
    cdef void _fill_values(self, const int32_t* rows, int i, uint64_t context) noexcept nogil
    cdef void static_scores(
        self, const int32_t* rows, const int32_t* given, int n, float* scores
    ) noexcept nogil
    cdef void _cached_scores(
        self, const int32_t* rows, const int32_t* given, int n, float* scores
    ) noexcept nogil
    cdef void add_dynamic_scores(
        self, const int32_t* rows, int i, uint64_t context, float* scores
    ) noexcept nogil


cdef inline uint64_t pack_context(int before2, int before1, int after1, int after2) noexcept nogil:
    """Four tag codes in one: 0 is untagged, tag t is t + 1, OUTSIDE is outside the sentence."""
    return (
        <uint64_t>before2
        | (<uint64_t>before1 << 16)
        | (<uint64_t>after1 << 32)
        | (<uint64_t>after2 << 48)
    )


cdef inline int context_tag(uint64_t context, int offset) noexcept nogil:
    """The code at offset -2, -1, +1 or +2."""
    cdef int shift = offset + TAG_WINDOW if offset < 0 else offset + TAG_WINDOW - 1
    return <int>((context >> (16 * shift)) & 0xFFFF)
