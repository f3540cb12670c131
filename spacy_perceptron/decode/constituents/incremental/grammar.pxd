from libc.stdint cimport int32_t, uint8_t, uint64_t
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
    # Symbols from top to bottom, without the tag.
    cdef vector[vector[int32_t]] chains
    cdef vector[ChainNode] nodes
    cdef vector[int32_t] roots
    cdef vector[uint8_t] bare
    # Wrappings of each symbol.
    cdef vector[vector[int32_t]] wrappings
    # Head rules: the child with the higher priority, and of two equal ones the later, if so.
    cdef vector[int32_t] priorities
    cdef vector[uint8_t] prefers_last
    cdef object arrays

    cdef inline bint allows(self, int parent, int before, int symbol) noexcept nogil:
        """Whether a symbol can follow another one, or none, under a parent. END: n_symbols."""
        if before < 0:
            before = self.n_symbols
        return (
            self.triples[
                <size_t>(parent * (self.n_symbols + 1) + before) * self.n_blocks + (symbol >> 6)
            ] >> (symbol & 63)
        ) & 1

    cdef void add_kid(
        self, Cell* cell, int symbol, int32_t head, int start
    ) noexcept nogil
