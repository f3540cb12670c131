"""The grammar of an incremental parser, read off a treebank: which symbols can follow each other
under a parent (the triples of Collins & Roark 2004), and which chains of nodes lead to a word.

Symbols are numbered: phrases first, the root being 0, then tags. A chain is a sequence of phrases
that starts below an attachment site and ends above a tag; it may be empty.
"""
import numpy as np

from libc.stdint cimport int16_t, int32_t, uint64_t
from libcpp.vector cimport vector

from ....errors import Errors
from .cells cimport N_KIDS, NO_HEAD, NONE, Cell

# As in `trees/incremental_heads`.
cdef enum:
    COORDINATOR = 1
    BASE_PHRASE = 2
    ADJOINED = 4
    SETTLED = 32767
    # The search keeps a chain's number, or that there is none, in 16 bits.
    MAX_CHAINS = (1 << 16) - 1


cdef class Grammar:
    """What can be built.

    n_phrases (int): Number of phrase symbols.
    n_tags (int): Number of tags.
    triples (int32 array): Rows of parent, symbol before (-1 for none) and symbol (-1 for the end).
    chains (list[list[int]]): Phrases of each chain, from top to bottom.
    endings (int32 array): Rows of chain and tag: which chains can end in which tags.
    wraps (bool): Whether a node can get a new parent later.
    heads (HeadTable): Head rules for the symbols.
    """

    def __init__(
        self, int n_phrases, int n_tags, triples, chains, endings, *, bint wraps, heads
    ):
        cdef int n = n_phrases + n_tags
        if n_phrases < 1 or n_tags < 1 or n > 32000 or len(chains) > MAX_CHAINS:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.n_phrases = n_phrases
        self.n_symbols = n
        self.wraps = wraps
        self.n_blocks = n // 64 + 1
        triples = _checked(triples, 3, [(0, n_phrases), (-1, n), (-1, n)])
        endings = _checked(endings, 2, [(0, len(chains)), (n_phrases, n)])
        priorities = np.asarray(heads.priorities, dtype=np.int16)
        rivals, kinds = np.asarray(heads.rivals, np.int16), np.asarray(heads.kinds, np.uint8)
        if priorities.shape != (n, n) or rivals.shape != (n,) or kinds.shape != (n,):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.priorities = priorities.ravel()
        self.rivals = rivals
        self.kinds = kinds
        self._set_triples(triples)
        for chain in chains:
            for symbol in chain:
                if not 0 < symbol < n_phrases:
                    raise ValueError(Errors.GRAMMAR_DAMAGED)
            self.chains.push_back(chain)
        self._set_chains(endings)
        self.arrays = (triples, [list(chain) for chain in chains], endings, heads)

    def _set_triples(self, triples):
        cdef int parent, before, symbol
        cdef size_t block
        cdef dict wrappings = {}
        self.triples.assign(
            <size_t>self.n_phrases * (self.n_symbols + 1) * self.n_blocks, 0
        )
        for parent, before, symbol in triples.tolist():
            if symbol < 0:
                symbol = self.n_symbols
            elif before < 0 and 0 < parent and symbol < self.n_phrases:
                wrappings.setdefault(symbol, []).append(parent)
            block = self._block(parent, before, symbol)
            self.triples[block] = self.triples[block] | (<uint64_t>1 << (symbol & 63))
        self.openings = self.triples
        if self.wraps:
            self._set_openings(triples, wrappings)
        for symbol in range(self.n_phrases):
            self.wrappings.push_back(sorted(wrappings.get(symbol, ())))

    def _set_openings(self, triples, wrappings):
        """Allow what can begin with something allowed, or with something that begins with that."""
        cdef int parent, before, symbol
        cdef size_t block
        corners = {symbol: {symbol} for symbol in range(self.n_phrases)}
        for first in range(self.n_phrases):
            reached = [first]
            while reached:
                for above in wrappings.get(reached.pop(), ()):
                    if first not in corners[above]:
                        corners[above].add(first)
                        reached.append(above)
        for parent, before, above in triples.tolist():
            for symbol in corners.get(above, ()):
                block = self._block(parent, before, symbol)
                self.openings[block] = self.openings[block] | (<uint64_t>1 << (symbol & 63))

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
        self, Cell* cell, int symbol, int32_t head, int start, int16_t priority
    ) noexcept nogil:
        """Add a child to a node that nobody shares yet. priority: Of the child's own head."""
        cdef int k
        if self._takes_over(cell[0], symbol, priority, &cell.priority):
            cell.head = head
        for k in range(N_KIDS - 1, 0, -1):
            cell.kids[k] = cell.kids[k - 1]
        cell.kids[0] = <int16_t>symbol
        cell.kid_heads[1] = cell.kid_heads[0]
        cell.kid_heads[0] = head
        cell.kid_start = start
        cell.n_kids = cell.n_kids + 1 if cell.n_kids < 32767 else cell.n_kids

    cdef void add_cell(self, Cell* cell, const Cell& kid) noexcept nogil:
        """Add a closed node as a child."""
        self.add_kid(cell, kid.symbol, kid.head, kid.start, kid.priority)

    cdef bint _takes_over(
        self, const Cell& cell, int symbol, int16_t kid_priority, int16_t* priority
    ) noexcept nogil:
        """`HeadTable.add_child`: whether a new child is the head now, and what to remember."""
        cdef int old = cell.priority, claim, rival = old
        cdef bint coordinates = self.kinds[symbol] & COORDINATOR
        cdef bint base = self.kinds[cell.symbol] & BASE_PHRASE
        claim = self.priorities[<size_t>cell.symbol * self.n_symbols + symbol]
        if self.kinds[symbol] & ADJOINED:
            claim, rival = kid_priority, self.rivals[cell.symbol]
        if old <= 1 and coordinates and self.kinds[cell.symbol] & ADJOINED:
            priority[0] = SETTLED
            return old == NO_HEAD
        if old == NO_HEAD:
            priority[0] = 1 if coordinates and base else <int16_t>claim
            return True
        if old > 1 and coordinates and not base:
            priority[0] = SETTLED
            return False
        if old > 1 and base and self.kinds[cell.kids[0]] & COORDINATOR:
            return False
        if claim == SETTLED or old == SETTLED or claim + (claim & 1) <= rival:
            return False
        priority[0] = <int16_t>claim
        return True

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
        n_tags = self.n_symbols - self.n_phrases
        return _rebuild, (self.n_phrases, n_tags, *self.arrays, self.wraps)


def _rebuild(n_phrases, n_tags, triples, chains, endings, heads, wraps):
    return Grammar(n_phrases, n_tags, triples, chains, endings, wraps=wraps, heads=heads)


def _checked(rows, n_columns, limits):
    """Rows of integers, each column in its range."""
    rows = np.ascontiguousarray(rows, dtype=np.int32).reshape(-1, n_columns)
    for column, (low, high) in enumerate(limits):
        values = rows[:, column]
        if len(values) and not (low <= values.min() and values.max() < high):
            raise ValueError(Errors.GRAMMAR_DAMAGED)
    return rows
