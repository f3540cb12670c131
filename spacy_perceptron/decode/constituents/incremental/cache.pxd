from libc.stdint cimport int32_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from ....learn.hashed cimport HashedWeights
from ....learn.mira cimport Feature


cdef struct Term:
    uint32_t index
    float value


cdef struct Posting:
    int32_t constraint
    float value


# The correct tree minus a candidate: features, and by how much the correct one is ahead.
cdef struct Constraint:
    int32_t entry
    double lead
    vector[Term] terms


# The candidates of a sentence.
cdef struct Entry:
    vector[int32_t] constraints
    int32_t n_updates
    # When it was filled last.
    size_t turn
    # Whether a lead has changed since they were compared.
    bint changed


cdef class HypothesisCache:
    cdef readonly HashedWeights weights
    cdef readonly int passes
    cdef readonly int max_updates
    cdef readonly int size
    cdef vector[Entry] entries
    cdef vector[Constraint] constraints
    cdef vector[int32_t] free
    # Where each weight occurs; `rows` numbers the weights that occur, -1 for others.
    cdef vector[vector[Posting]] postings
    cdef vector[int32_t] rows
    # Entries in the order in which they were filled.
    cdef vector[int32_t] turns
    cdef size_t next_turn

    cdef void add(self, uint64_t id, float delta, double time) noexcept nogil
    cdef void clear(self, int32_t entry) noexcept nogil
    cdef void open(self, int32_t entry) noexcept nogil
    cdef void store(
        self, int32_t entry, const vector[Feature]& difference, double offset
    ) noexcept nogil
    cdef int32_t _worst(self, int32_t entry) noexcept nogil
    cdef int revise(self, double time) noexcept nogil
