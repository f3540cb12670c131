"""Candidates as arrays: the trees and tagged sequences that kernels compare.

Labels, tags, words and shapes are 64-bit ids (spaCy's string hashes); only their equality counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ...errors import Errors


@dataclass(frozen=True, eq=False)
class Trees:
    """Several trees, one after the other, each in pre-order.

    labels (uint64 array): A label per node. A node without children is a leaf: its label is a word.
    n_children (int32 array): The number of children of each node.
    offsets (int64 array): Where each tree starts, and where the last one ends. A tree may be empty.
    """

    labels: np.ndarray
    n_children: np.ndarray
    offsets: np.ndarray

    def __post_init__(self) -> None:
        _set_array(self, "labels", np.uint64)
        _set_array(self, "n_children", np.int32)
        n = _check_lengths(self, ("labels", "n_children"))
        if n and self.n_children.min() < 0:
            raise ValueError(Errors.TREE_CHILDREN.format(n=self.n_children.min()))
        # The nodes that are announced but have not come yet, before and after each node. A tree is
        # announced by nobody: it starts where none is missing.
        missing = np.zeros(n + 1, np.int64)
        np.cumsum(self.n_children.astype(np.int64) - 1, out=missing[1:])
        sizes = np.diff(self.offsets)
        filled = np.flatnonzero(sizes)
        closed = missing[self.offsets[filled + 1]] - missing[self.offsets[filled]] == -1
        tree_of = np.repeat(np.arange(len(sizes)), sizes)
        inside = missing[:-1] - missing[self.offsets[tree_of]] >= 0
        if not closed.all() or not inside.all():
            wrong = filled[~closed] if not closed.all() else tree_of[~inside]
            raise ValueError(Errors.TREE_SHAPE.format(i=wrong[0], n=sizes[wrong[0]]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def select(self, indices: Sequence[int]) -> Trees:
        """RETURNS (Trees): The trees with the given numbers, in their order."""
        nodes, offsets = _rows(self.offsets, indices)
        return Trees(self.labels[nodes], self.n_children[nodes], offsets)


@dataclass(frozen=True, eq=False)
class Sequences:
    """Several tagged sequences, one after the other.

    tags (uint64 array): A tag per word.
    words (uint64 array): The words.
    shapes (uint64 array): What makes words alike that are not the same, such as their shapes; only
        the smoothed kernel looks at it.
    offsets (int64 array): Where each sequence starts, and where the last one ends. A sequence may
        be empty.
    """

    tags: np.ndarray
    words: np.ndarray
    shapes: np.ndarray
    offsets: np.ndarray

    def __post_init__(self) -> None:
        names = ("tags", "words", "shapes")
        for name in names:
            _set_array(self, name, np.uint64)
        _check_lengths(self, names)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def select(self, indices: Sequence[int]) -> Sequences:
        """RETURNS (Sequences): The sequences with the given numbers, in their order."""
        rows, offsets = _rows(self.offsets, indices)
        return Sequences(self.tags[rows], self.words[rows], self.shapes[rows], offsets)


Structures = Trees | Sequences


def join_structures(parts: Sequence[Structures]) -> dict[str, np.ndarray]:
    """Several structures of a kind as arrays.

    parts (Sequence[Structures]): At least one.
    RETURNS (dict[str, np.ndarray]): The arrays of one object with all of them.
    """
    names = [field.name for field in fields(parts[0]) if field.name != "offsets"]
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return {**joined, "offsets": np.cumsum([0, *sizes.tolist()])}


def structures_of(arrays: dict[str, np.ndarray]) -> Structures:
    """RETURNS (Structures): What `join_structures` has written."""
    for kind in (Trees, Sequences):
        if arrays.keys() == {field.name for field in fields(kind)}:
            return kind(**arrays)
    raise ValueError(Errors.STATE_SENTENCES)


def _rows(offsets: np.ndarray, indices: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """RETURNS (tuple[int64 array, int64 array]): The rows of some structures, and their offsets."""
    parts = [np.arange(offsets[i], offsets[i + 1]) for i in indices]
    rows = np.concatenate([np.zeros(0, np.int64), *parts])
    return rows, np.cumsum([0, *map(len, parts)])


def _set_array(structures: Structures, name: str, dtype: type[np.generic]) -> None:
    """Replace a field by a contiguous array of the type; numbers that do not fit are an error."""
    given = np.asarray(getattr(structures, name))
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(
            Errors.STRUCTURES_ARRAY.format(name=name, shape=given.shape, dtype=given.dtype)
        )
    array = np.ascontiguousarray(given, dtype=dtype)
    if given.dtype != dtype and not np.array_equal(array, given):
        raise ValueError(
            Errors.STRUCTURES_RANGE.format(name=name, dtype=np.dtype(dtype), n=len(given))
        )
    object.__setattr__(structures, name, array)


def _check_lengths(structures: Structures, names: tuple[str, ...]) -> int:
    """Check the offsets, and that all fields are as long as they say.

    RETURNS (int): The number of nodes or words.
    """
    _set_array(structures, "offsets", np.int64)
    offsets = structures.offsets
    if not len(offsets) or offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError(Errors.STRUCTURES_OFFSETS)
    n = int(offsets[-1])
    for name in names:
        length = len(getattr(structures, name))
        if length != n:
            raise ValueError(Errors.STRUCTURES_LENGTH.format(name=name, length=length, n=n))
    return n
