from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from .lexemes cimport LexemeTable

cdef enum:
    # How far templates may look beyond a token.
    MARGIN = 3


cdef class RoleHashes:
    cdef readonly LexemeTable lexemes
    cdef readonly int n_token_columns
    cdef readonly int n_roles
    cdef int n_columns
    # Atoms of the conjuncts of all roles, and where the conjuncts of each role begin.
    cdef vector[int32_t] offsets
    cdef vector[int32_t] columns
    cdef vector[int32_t] atom_starts
    cdef vector[uint64_t] seeds
    cdef vector[int32_t] role_starts
    cdef vector[uint64_t] values
    cdef vector[vector[uint64_t]] hashes

    cdef void compute(
        self, const int32_t* rows, const uint64_t* tokens, int n_words
    ) noexcept nogil
    cdef uint64_t _hash(self, int conjunct, int position, int n_words) noexcept nogil

    cdef inline int width(self, int role) noexcept nogil:
        return self.role_starts[role + 1] - self.role_starts[role] + 1

    cdef inline const uint64_t* at(self, int role, int position) noexcept nogil:
        """The hashes of a role's conjuncts at a position: 0, then one per conjunct."""
        return self.hashes[role].data() + <size_t>position * self.width(role)

    cdef const uint64_t* token_values(self, int position) noexcept nogil
