from libc.stdint cimport int32_t, uint16_t, uint64_t
from libcpp.vector cimport vector

from ..search.beam cimport Beam, Candidate
from .scorer cimport TaggingScorer

cdef enum:
    BLOCK = 32
    NO_GOLD = -1


cdef struct Block:
    int32_t users
    int32_t best
    float scores[BLOCK]
    int32_t rows[BLOCK]
    uint16_t tags[BLOCK]


cdef struct State:
    double score
    uint64_t signature
    int32_t history
    bint correct


cdef struct Action:
    int32_t previous
    int32_t position
    int32_t label
    int32_t row


cdef class TaggingSearch:
    cdef readonly TaggingScorer scorer
    cdef int n_tags, n, n_blocks, width
    # The least value of given and gold tags: below 0 they leave a choice.
    cdef int lowest
    cdef vector[int32_t] padded
    cdef vector[float] static
    # Score rows: one per (position, context) met in this sentence.
    cdef vector[float] rows
    cdef vector[uint64_t] row_context
    cdef vector[int32_t] row_next
    cdef vector[int32_t] row_head
    cdef vector[int32_t] row_top
    # States: parallel lists of block numbers, this step's and the next one's.
    cdef vector[Block] blocks
    cdef vector[int32_t] free_blocks
    cdef vector[State] states, next_states
    cdef vector[int32_t] state_blocks, next_blocks
    cdef vector[int32_t] n_children
    cdef vector[Action] history
    cdef Beam beam
    cdef vector[int32_t] top_positions
    cdef vector[float] top_scores

    cdef int _check(self, const int32_t[::1] rows, const int32_t[::1] tags, int width) except -1
    cdef void _start(
        self, const int32_t* rows, const int32_t* fixed, int n, int width
    ) noexcept nogil
    cdef void _load(self, const int32_t* rows, int n, int width) noexcept nogil
    cdef void _open(self, const int32_t* fixed) noexcept nogil
    cdef int32_t _new_block(self) noexcept nogil
    cdef void _clear_block(self, Block* block) noexcept nogil
    cdef void _find_best(self, Block* block) noexcept nogil
    cdef int _code(self, const int32_t* blocks, int i) noexcept nogil
    cdef int32_t _row(self, int i, uint64_t context) noexcept nogil
    cdef void _forbid(self, int i, uint64_t context, float* scores) noexcept nogil
    cdef bint _agrees(self, const int32_t* gold, int i, int label) noexcept nogil
    cdef void _rank(self, const float* scores) noexcept nogil
    cdef int32_t _top(self, int32_t row, int rank) noexcept nogil
    cdef void _rescore(self, const int32_t* blocks, int i) noexcept nogil
    cdef void _offer_extensions(self, int s, const int32_t* gold) noexcept nogil
    cdef int _top_positions(self, const int32_t* blocks) noexcept nogil
    cdef int32_t _own(self, int32_t* blocks, int b) noexcept nogil
    cdef void _advance(self) noexcept nogil
    cdef void _apply(self, int32_t* blocks, const Candidate& candidate) noexcept nogil
    cdef bint _step(self, const int32_t* gold) noexcept nogil
    cdef void _search(self) noexcept nogil
