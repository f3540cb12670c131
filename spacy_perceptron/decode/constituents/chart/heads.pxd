cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ....features.role_hashes cimport RoleHashes
from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature


cdef struct Known:
    uint64_t key
    float score


@cython.final
cdef class HeadScorer:
    cdef HashedWeights weights
    cdef RoleHashes hashes
    # For each binary rule by its place in the grammar: whether its right child is the head, and what
    # it stands for in features.
    cdef vector[uint8_t] is_right
    cdef vector[uint64_t] outcomes
    # The templates: a conjunct of the head, one of the other word, and whether the distance counts.
    cdef int head_role
    cdef vector[int32_t] heads
    cdef vector[int32_t] others
    cdef vector[uint64_t] seeds
    cdef vector[uint8_t] uses_distance
    cdef vector[uint64_t] ids
    # Scores of pairs in the sentence at hand: rules that stand for the same share them.
    cdef vector[int32_t] outcome_numbers
    cdef vector[Known] known
    cdef uint64_t n_sentences

    cdef void start(self) noexcept nogil
    cdef void _find(self, int rule, int head, int other) noexcept nogil
    cdef float score(self, int rule, int head, int other) noexcept nogil
    cdef void collect(
        self, int rule, int head, int other, float value, vector[Feature]& features
    ) noexcept nogil
