"""A grammar of binary and unary rules with scores, in the orders in which a chart looks for them.

Symbols are numbers; those of words are among them. A unary rule stands for a whole chain of
one-child nodes: a span takes at most one. What symbols and chains are called is known only to the
code that made the grammar. Read-only, so decoders share it.
"""
import numpy as np

cimport cython
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from ....errors import Errors


@cython.final
cdef class Grammar:
    """Rules over symbols.

    n_symbols (int): The number of symbols.
    root (int): The symbol of a whole sentence.
    binary (array): Rows of parent, left child and right child; each rule once.
    binary_scores (array): The score of each.
    unary (array): Rows of parent and child, which may be repeated: chains with different symbols
        between the two.
    unary_scores (array): The score of each.
    """

    def __init__(self, int n_symbols, int root, binary, binary_scores, unary, unary_scores):
        self.n_symbols = n_symbols
        self.root = root
        binary, binary_scores = _checked(binary, binary_scores, 3, n_symbols)
        unary, unary_scores = _checked(unary, unary_scores, 2, n_symbols)
        if not 0 <= root < n_symbols:
            raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=root, n=n_symbols))
        self._set_binary(binary, binary_scores)
        self._set_unary(unary, unary_scores)

    def _set_binary(self, rules, scores):
        """Order binary rules."""
        order = np.lexsort((rules[:, 0], rules[:, 2], rules[:, 1]))
        rules = rules[order]
        pairs = rules[:, 1:]
        firsts = np.flatnonzero(np.diff(pairs, axis=0, prepend=-1).any(axis=1))
        self.pair_starts = _starts(pairs[firsts, 0], self.n_symbols)
        self.pair_rights = pairs[firsts, 1]
        self.rule_starts = np.append(firsts, len(rules))
        self.parents = rules[:, 0]
        self.lefts = rules[:, 1]
        self.rights = rules[:, 2]
        self.scores = scores[order]
        self.rule_ids = order
        self.parent_starts = _starts(rules[:, 0], self.n_symbols)
        self.by_parent = np.argsort(rules[:, 0], kind="stable")

    def _set_unary(self, rules, scores):
        """Order unary rules."""
        order = np.lexsort((rules[:, 0], rules[:, 1]))
        rules = rules[order]
        self.unary_starts = _starts(rules[:, 1], self.n_symbols)
        self.unary_parents = rules[:, 0]
        self.unary_children = rules[:, 1]
        self.unary_scores = scores[order]
        self.unary_ids = order
        self.unary_parent_starts = _starts(rules[:, 0], self.n_symbols)
        self.unary_by_parent = np.argsort(rules[:, 0], kind="stable")

    @property
    def rule_order(self):
        """RETURNS (ndarray): The numbers that the binary rules had when they were given, in the
        order of the grammar."""
        return np.array(self.rule_ids, dtype=np.int64)

    cdef int find_rule(self, int parent, int left, int right) noexcept nogil:
        """RETURNS (int): The place of a binary rule, -1 if there is no such rule."""
        cdef int p, r
        for p in range(self.pair_starts[left], self.pair_starts[left + 1]):
            if self.pair_rights[p] == right:
                for r in range(self.rule_starts[p], self.rule_starts[p + 1]):
                    if self.parents[r] == parent:
                        return r
        return -1

    cdef int find_unary(self, int child, int number) noexcept nogil:
        """RETURNS (int): The place of the unary rule with a number and a child, -1 if there is no
        such rule."""
        cdef int u
        for u in range(self.unary_starts[child], self.unary_starts[child + 1]):
            if self.unary_ids[u] == number:
                return u
        return -1


def _starts(symbols, int n_symbols):
    """RETURNS (ndarray): Where the entries of each symbol start if they are ordered by symbol."""
    return np.concatenate([[0], np.cumsum(np.bincount(symbols, minlength=n_symbols))])


def _checked(rules, scores, int width, int n_symbols):
    """RETURNS (tuple[ndarray, ndarray]): Rules and scores as arrays that can be relied on."""
    rules = np.ascontiguousarray(rules, dtype=np.int32).reshape(-1, width)
    scores = np.ascontiguousarray(scores, dtype=np.float32)
    if scores.shape != (len(rules),):
        raise ValueError(Errors.GRAMMAR_SCORES.format(n=len(rules), shape=scores.shape))
    if len(rules) and not (0 <= rules.min() and rules.max() < n_symbols):
        wrong = rules.min() if rules.min() < 0 else rules.max()
        raise ValueError(Errors.GRAMMAR_SYMBOL.format(symbol=wrong, n=n_symbols))
    if not np.isfinite(scores).all():
        raise ValueError(Errors.GRAMMAR_NOT_FINITE)
    return rules, scores
