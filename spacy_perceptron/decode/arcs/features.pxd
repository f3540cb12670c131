from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from ...features.role_hashes cimport RoleHashes

cdef enum:
    N_ARC_ATTRIBUTES = 5
    PUNCT = 1
    VERB = 2
    NO_GUIDE = -1
    N_DISTANCES = 9
    # Added to a distance; the sum is below 16 and never 0.
    DISTANCE_CODE = 7

# Numbers of the token roles in `RoleHashes`, in the order of `TOKEN_ROLES` in `program`.
cdef enum:
    P = 0
    C = 1
    S = 2
    G = 3
    B = 4
    L = 5
    R = 6
    X = 7


# Set in all ids of labels, because small ids have a special meaning in weight tables. Not one of
# the low bits: these tell distances apart.
cdef extern from *:
    """
    #define SP_TABLE_KEY (1ull << 63)
    """
    const uint64_t TABLE_KEY "SP_TABLE_KEY"


cdef struct TemplateRow:
    int32_t p
    int32_t c
    int32_t s
    int32_t g
    int32_t b
    int32_t l
    int32_t r
    int32_t x
    int32_t arc


cdef class PartFeatures:
    cdef readonly RoleHashes hashes
    cdef readonly object program
    cdef int n_words
    cdef vector[TemplateRow] arc
    cdef vector[TemplateRow] between
    cdef vector[TemplateRow] sibling
    cdef vector[TemplateRow] grand
    cdef vector[TemplateRow] grand_sibling
    cdef vector[TemplateRow] label
    cdef vector[TemplateRow] pruner
    cdef vector[TemplateRow] tree_label
    cdef vector[uint64_t] conjunct_seeds
    cdef vector[vector[int32_t]] conjunct_attributes
    # What an arc as a whole adds to a feature, by conjunct, for all values of its attributes.
    cdef int n_conjuncts
    cdef int[2] n_arc_ends
    cdef vector[int32_t] n_arc_twins
    # Where the templates start that look at the head, at the child and at both, and where they end.
    cdef vector[int32_t] group_starts
    cdef int[2] n_label_ends
    cdef vector[uint64_t] arc_table
    cdef vector[uint64_t] part_table
    cdef vector[int32_t] n_punct_before
    cdef vector[int32_t] n_verbs_before
    cdef vector[int32_t] guides
    # Numbers of distinct hashes among the tokens between, and the arc for which each was seen last.
    cdef vector[int32_t] between_kinds
    cdef vector[int32_t] last_met
    cdef int32_t n_meetings

    cdef void load(
        self, const int32_t* rows, const uint64_t* tokens, const uint8_t* marks,
        const int32_t* guides, int n_words
    ) noexcept nogil
    cdef void _number_between(self) noexcept nogil
    cdef void _hash_conjuncts(
        self, const int32_t* values, vector[uint64_t]& table
    ) noexcept nogil
    cdef const uint64_t* arc_hashes(self, int head, int child) noexcept nogil
    cdef const uint64_t* _part_hashes(self, int direction, int head, int child) noexcept nogil
    cdef int max_ids(self) noexcept nogil
    cdef int arc_ids(
        self, int head, int child, uint64_t* ids, int32_t* templates
    ) noexcept nogil
    cdef int between_ids(
        self, int head, int child, int n, uint64_t* ids, int32_t* templates
    ) noexcept nogil
    cdef int arc_pair_ids(self, int head, int child, uint64_t* ids) noexcept nogil
    cdef int arc_end_ids(self, int head, int child, bint of_child, uint64_t* ids) noexcept nogil
    cdef int group_ids(self, int group, int head, int child, uint64_t* ids) noexcept nogil
    cdef uint64_t distance_code(self, int head, int child) noexcept nogil
    cdef int distance_value(self, int head, int child) noexcept nogil
    cdef int label_ids(self, int head, int child, int first, int last, uint64_t* ids) noexcept nogil
    cdef int pruner_ids(self, int head, int child, uint64_t* ids) noexcept nogil
    cdef int sibling_ids(
        self, int head, int inner, int outer, int side, uint64_t* ids
    ) noexcept nogil
    cdef int grand_ids(self, int grand, int head, int child, uint64_t* ids) noexcept nogil
    cdef int grand_sibling_ids(
        self, int grand, int head, int inner, int outer, uint64_t* ids
    ) noexcept nogil
    cdef int first_place(self) noexcept nogil
    cdef int last_place(self) noexcept nogil
