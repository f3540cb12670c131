from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from .cells cimport Cell


# Chains that end in one tag, as a tree: the chain up to a node, if there is one, is number `chain`.
cdef struct ChainNode:
    int32_t symbol
    int32_t first
    int32_t next
    int32_t chain


cdef class Grammar:
    cdef readonly int n_phrases
    cdef readonly int n_symbols
    cdef readonly bint wraps
    cdef int n_blocks
    # Bit z of row (x, y): z can follow y under x. The last bit is the end, the last row y the start.
    cdef vector[uint64_t] triples
    # The same for nodes that may still be wrapped: z, or something that can begin with z, can follow.
    # Without wrappings, a copy.
    cdef vector[uint64_t] openings
    # Symbols from top to bottom, without the tag.
    cdef vector[vector[int32_t]] chains
    cdef vector[ChainNode] nodes
    cdef vector[int32_t] roots
    cdef vector[uint8_t] bare
    # Wrappings of each symbol.
    cdef vector[vector[int32_t]] wrappings
    # Head rules, as in `trees/incremental_heads`.
    cdef vector[int16_t] priorities
    cdef vector[int16_t] rivals
    cdef vector[uint8_t] kinds
    cdef object arrays

    cdef inline bint allows(self, int parent, int before, int symbol) noexcept nogil:
        """Whether a symbol can follow another one, or none, under a parent. END: n_symbols."""
        return (self.triples[self._block(parent, before, symbol)] >> (symbol & 63)) & 1

    cdef inline bint can_open(self, int parent, int before, int symbol) noexcept nogil:
        """Whether a phrase can be opened after a symbol, or none, under a parent."""
        return (self.openings[self._block(parent, before, symbol)] >> (symbol & 63)) & 1

    cdef inline size_t _block(self, int parent, int before, int symbol) noexcept nogil:
        cdef size_t row = parent * (self.n_symbols + 1)
        row += self.n_symbols if before < 0 else before
        return row * self.n_blocks + (symbol >> 6)

    cdef void add_kid(
        self, Cell* cell, int symbol, int32_t head, int start, int16_t priority
    ) noexcept nogil
    cdef void add_cell(self, Cell* cell, const Cell& kid) noexcept nogil
    cdef bint _takes_over(
        self, const Cell& cell, int symbol, int16_t kid_priority, int16_t* priority
    ) noexcept nogil
