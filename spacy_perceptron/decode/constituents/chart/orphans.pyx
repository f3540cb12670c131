"""Symbols that no wider span can take in: they are part of no whole tree, and not worth scoring.

The parent of a phrase starts or ends where the phrase does. So a symbol is needed over a span only if
a wider span that begins at the same word allows a symbol that can have it as its left child, or one
that ends at the same word allows a symbol that can have it as its right child, if need be through a
unary rule. No tree is lost. Where symbols remember their parents, most of what a pruner allows by
labels goes.

Sets of parents are kept as 64 bits, so symbols of different classes can share a bit: then some
symbols stay that could go. O(n^2 symbols).
"""
cimport cython
from libc.stdint cimport uint64_t

from ....errors import Errors
from .grammar cimport Grammar
from .spans cimport Spans

cdef enum:
    N_BITS = 64


@cython.final
cdef class Orphans:
    """Removes symbols.

    grammar (Grammar): The rules.
    classes (Sequence[int]): For each symbol, a number from 0 on; parents are told apart by these.
    """

    def __init__(self, Grammar grammar not None, classes):
        cdef int r, u, child, parent
        if len(classes) != grammar.n_symbols or any(number < 0 for number in classes):
            raise ValueError(Errors.CHART_CLASSES.format(n=grammar.n_symbols, shape=len(classes)))
        self.n_symbols = grammar.n_symbols
        self.bits = [1 << int(number) % N_BITS for number in classes]
        self.left_of.assign(self.n_symbols, 0)
        self.right_of.assign(self.n_symbols, 0)
        for r in range(<int>grammar.parents.size()):
            self.left_of[grammar.lefts[r]] |= self.bits[grammar.parents[r]]
            self.right_of[grammar.rights[r]] |= self.bits[grammar.parents[r]]
        # What a unary rule makes is in the same span. One such rule at most is applied there.
        cdef list above = [(self.left_of[s], self.right_of[s]) for s in range(self.n_symbols)]
        for u in range(<int>grammar.unary_parents.size()):
            child, parent = grammar.unary_children[u], grammar.unary_parents[u]
            left, right = above[parent]
            self.left_of[child] |= <uint64_t>left
            self.right_of[child] |= <uint64_t>right

    cdef void remove(self, Spans spans) noexcept nogil:
        """Do not allow symbols where no parent can be.

        spans (Spans): The spans of a sentence; its classes are the symbols. Nothing changes over the
            whole sentence, and over single words.
        """
        cdef int n = spans.n_words, m = self.n_symbols, width, i, cell, s
        cdef uint64_t starting, ending, found
        self.starting.assign(n + 1, 0)
        self.ending.assign(n + 1, 0)
        for width in range(n, 1, -1):
            for i in range(n - width + 1):
                cell = spans.cell(i, i + width)
                if cell < 0:
                    continue
                starting, ending, found = self.starting[i], self.ending[i + width], 0
                for s in range(m):
                    if not spans.allowed[<size_t>cell * m + s]:
                        continue
                    if width == n or self.left_of[s] & starting or self.right_of[s] & ending:
                        found |= self.bits[s]
                    else:
                        spans.allowed[<size_t>cell * m + s] = False
                self.starting[i] = starting | found
                self.ending[i + width] = ending | found

    def apply(self, Spans spans not None):
        """Do not allow symbols where no parent can be.

        spans (Spans): The spans of a sentence; its classes are the symbols.
        """
        if spans.n_classes != self.n_symbols:
            raise ValueError(Errors.CHART_CLASSES.format(n=self.n_symbols, shape=spans.n_classes))
        self.remove(spans)
