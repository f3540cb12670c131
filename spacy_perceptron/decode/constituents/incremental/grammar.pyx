"""The grammar of an incremental parser, read off a treebank: which symbols can follow each other
under a parent (the triples of Collins & Roark 2004), and which chains of nodes lead to a word.

Symbols are numbered: phrases first, the root being 0, then tags. A chain is a sequence of phrases
that starts below an attachment site and ends above a tag; it may be empty.
"""
import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from .cells cimport N_KIDS, NONE, Cell


cdef class Grammar:
    """What can be built.

    n_phrases (int): Number of phrase symbols.
    n_tags (int): Number of tags.
    triples (int32 array): Rows of parent, symbol before (-1 for none) and symbol (-1 for the end).
    chains (list[list[int]]): Phrases of each chain, from top to bottom.
    endings (int32 array): Rows of chain and tag: which chains can end in which tags.
    wraps (bool): Whether a node can get a new parent later.
    priorities (int32 array): For each phrase and symbol, how much the symbol wants to be its head.
    prefers_last (bool array): For each phrase, whether the last of several equal children is its
        head.
    """

    def __init__(
        self, int n_phrases, int n_tags, triples, chains, endings, *, bint wraps, priorities,
        prefers_last
    ):
        cdef int n = n_phrases + n_tags
        if n_phrases < 1 or n_tags < 1 or n > 32000:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.n_phrases = n_phrases
        self.n_symbols = n
        self.wraps = wraps
        self.n_blocks = n // 64 + 1
        triples = _checked(triples, 3, [(0, n_phrases), (-1, n), (-1, n)])
        endings = _checked(endings, 2, [(0, len(chains)), (n_phrases, n)])
        priorities = np.ascontiguousarray(priorities, dtype=np.int32)
        prefers_last = np.ascontiguousarray(prefers_last, dtype=np.uint8)
        if priorities.shape != (n_phrases, n) or prefers_last.shape != (n_phrases,):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.priorities = priorities.ravel()
        self.prefers_last = prefers_last
        self._set_triples(triples)
        for chain in chains:
            for symbol in chain:
                if not 0 < symbol < n_phrases:
                    raise ValueError(Errors.GRAMMAR_DAMAGED)
            self.chains.push_back(chain)
        self._set_chains(endings)
        self.arrays = (triples, [list(chain) for chain in chains], endings, priorities, prefers_last)

    def _set_triples(self, triples):
        cdef int parent, before, symbol
        cdef size_t row
        cdef dict wrappings = {}
        self.triples.assign(
            <size_t>self.n_phrases * (self.n_symbols + 1) * self.n_blocks, 0
        )
        for parent, before, symbol in triples.tolist():
            row = <size_t>(parent * (self.n_symbols + 1) + (before if before >= 0 else self.n_symbols))
            if symbol < 0:
                symbol = self.n_symbols
            elif before < 0 and parent > 0:
                wrappings.setdefault(symbol, []).append(parent)
            row = row * self.n_blocks + (symbol >> 6)
            self.triples[row] = self.triples[row] | (<uint64_t>1 << (symbol & 63))
        for symbol in range(self.n_phrases):
            self.wrappings.push_back(sorted(wrappings.get(symbol, ())))

    def _set_chains(self, endings):
        cdef int chain, tag, n_tags = self.n_symbols - self.n_phrases
        cdef int32_t node, found
        cdef ChainNode new
        cdef int symbol
        self.roots.assign(n_tags, NONE)
        self.bare.assign(n_tags, 0)
        for chain, tag in endings.tolist():
            tag -= self.n_phrases
            if self.chains[chain].empty():
                self.bare[tag] = 1
                continue
            node = NONE
            for symbol in self.chains[chain]:
                found = self.roots[tag] if node == NONE else self.nodes[node].first
                while found != NONE and self.nodes[found].symbol != symbol:
                    found = self.nodes[found].next
                if found == NONE:
                    found = <int32_t>self.nodes.size()
                    new.symbol = symbol
                    new.first = new.chain = NONE
                    if node == NONE:
                        new.next = self.roots[tag]
                        self.roots[tag] = found
                    else:
                        new.next = self.nodes[node].first
                        self.nodes[node].first = found
                    self.nodes.push_back(new)
                node = found
            self.nodes[node].chain = chain

    cdef void add_kid(
        self, Cell* cell, int symbol, int32_t head, int start
    ) noexcept nogil:
        """Add a child to a node that nobody shares yet."""
        cdef int k, new, old
        for k in range(N_KIDS - 1, 0, -1):
            cell.kids[k] = cell.kids[k - 1]
        cell.kids[0] = symbol
        cell.kid_heads[1] = cell.kid_heads[0]
        cell.kid_heads[0] = head
        cell.kid_start = start
        cell.n_kids = cell.n_kids + 1 if cell.n_kids < 32767 else cell.n_kids
        if cell.head_kid != NONE:
            new = self.priorities[<size_t>cell.symbol * self.n_symbols + symbol]
            old = self.priorities[<size_t>cell.symbol * self.n_symbols + cell.head_kid]
            if new < old or (new == old and not self.prefers_last[cell.symbol]):
                return
        cell.head_kid = symbol
        cell.head = head

    def allowed(self, int parent, int before, int symbol):
        """Whether a symbol can follow another one under a parent.

        parent (int): The parent, a phrase.
        before (int): The symbol before; -1 for none.
        symbol (int): The symbol; -1 for the end.
        RETURNS (bool): Whether it can.
        """
        n = self.n_symbols
        if not (0 <= parent < self.n_phrases and -1 <= before < n and -1 <= symbol < n):
            raise IndexError((parent, before, symbol))
        return bool(self.allows(parent, before, symbol if symbol >= 0 else n))

    def __reduce__(self):
        triples, chains, endings, priorities, prefers_last = self.arrays
        return _rebuild, (
            self.n_phrases, self.n_symbols - self.n_phrases, triples, chains, endings,
            self.wraps, priorities, prefers_last,
        )


def _rebuild(n_phrases, n_tags, triples, chains, endings, wraps, priorities, prefers_last):
    return Grammar(
        n_phrases, n_tags, triples, chains, endings, wraps=wraps, priorities=priorities,
        prefers_last=prefers_last,
    )


def _checked(rows, n_columns, limits):
    """Rows of integers, each column in its range."""
    rows = np.ascontiguousarray(rows, dtype=np.int32).reshape(-1, n_columns)
    for column, (low, high) in enumerate(limits):
        values = rows[:, column]
        if len(values) and not (low <= values.min() and values.max() < high):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
    return rows
