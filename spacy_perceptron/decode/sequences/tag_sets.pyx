"""Gold that leaves a choice between some tags, as that of a word about which not all is known.

A value below -1 names a set of tags, each of which is right. All sequences are allowed.
"""
from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

cimport cython

from ...errors import Errors
from .rows cimport ANY, Constraint


@cython.final
cdef class TagSets(Constraint):
    """Sets of tags, which gold can name.

    n_tags (int): How many tags there are.
    """

    cdef vector[uint8_t] is_member

    def __init__(self, int n_tags):
        self.n_tags = n_tags
        self.lowest = ANY

    def add(self, tags):
        """Add a set. No decoder may be at work on gold meanwhile.

        tags (Iterable[int]): The tags.
        RETURNS (int): What stands for it in gold.
        """
        flags = [0] * self.n_tags
        for tag in tags:
            if not 0 <= tag < self.n_tags:
                raise ValueError(Errors.DECODE_TAG.format(tag=tag, n=self.n_tags))
            flags[tag] = 1
        for flag in flags:
            self.is_member.push_back(flag)
        self.lowest -= 1
        return self.lowest

    cdef bint agrees(self, const int32_t* gold, int i, int tag) noexcept nogil:
        if gold[i] >= ANY:
            return gold[i] == ANY or gold[i] == tag
        return self.is_member[<size_t>(ANY - 1 - gold[i]) * self.n_tags + tag]

    def sets(self):
        """RETURNS (list[list[int]]): The tags of each set, in the order they were added."""
        n_sets = self.is_member.size() // self.n_tags if self.n_tags else 0
        return [
            [t for t in range(self.n_tags) if self.is_member[k * self.n_tags + t]]
            for k in range(n_sets)
        ]

    def __reduce__(self):
        return _rebuild, (self.n_tags, self.sets())


def _rebuild(n_tags, sets):
    found = TagSets(n_tags)
    for tags in sets:
        found.add(tags)
    return found
