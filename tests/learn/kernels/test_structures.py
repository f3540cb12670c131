"""Structures as arrays: what is refused, and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spacy_perceptron.learn.kernels.structures import Sequences, Trees


def test_trees():
    trees = Trees([1, 2, 3, 4, 5], [2, 0, 0, 1, 0], [0, 3, 3, 5])  # type: ignore[arg-type]
    assert len(trees) == 3
    assert (trees.labels.dtype, trees.n_children.dtype) == (np.uint64, np.int32)
    chosen = trees.select([2, 1, 2])
    assert chosen.labels.tolist() == [4, 5, 4, 5]
    assert chosen.offsets.tolist() == [0, 2, 2, 4]
    assert len(trees.select([])) == 0


def test_large_ids():
    """Hashes use all 64 bits."""
    large = np.array([2**64 - 1], np.uint64)
    assert Sequences(large, large, large, np.array([0, 1])).tags[0] == 2**64 - 1


def test_select_sequences():
    rows = np.arange(4, dtype=np.uint64)
    chosen = Sequences(rows, rows + 4, rows + 8, np.array([0, 1, 4])).select([1])
    assert (chosen.tags.tolist(), chosen.words.tolist()) == ([1, 2, 3], [5, 6, 7])
    assert (chosen.shapes.tolist(), len(chosen)) == ([9, 10, 11], 1)


@pytest.mark.parametrize(
    ("labels", "n_children", "offsets", "message"),
    [
        ([1, 2], [1, 0], [], "`offsets` must start with 0"),
        ([1, 2], [1, 0], [1, 2], "`offsets` must start with 0"),
        ([1, 2], [1, 0], [0, 2, 1, 2], "never fall"),
        ([1, 2], [1, 0], [0, 3], "end at 3, but `labels` has 2"),
        ([1, 2], [1], [0, 2], "end at 2, but `n_children` has 1"),
        ([1, 2], [-1, 0], [0, 2], "-1 children"),
        ([1, 2], [1, 1], [0, 2], "Tree 0 with 2 nodes"),
        ([1, 2], [0, 0], [0, 2], "Tree 0 with 2 nodes"),
        ([1, 2, 3], [0, 2, 0], [0, 1, 3], "Tree 1 with 2 nodes"),
        ([1, 2, 3], [0, 2, 0], [0, 3], "Tree 0 with 3 nodes"),
        ([[1, 2]], [1, 0], [0, 2], "`labels` must be a list or array of whole numbers"),
        ([1.0, 2.0], [1, 0], [0, 2], "float64"),
        ([-1, 2], [1, 0], [0, 2], "do not fit uint64"),
        ([1, 2], [2**31, 0], [0, 2], "do not fit int32"),
    ],
)
def test_wrong_trees(labels: Any, n_children: Any, offsets: Any, message: str):
    with pytest.raises(ValueError, match=message):
        Trees(labels, n_children, offsets)


def test_wrong_sequences():
    rows = np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match="end at 2, but `shapes` has 1"):
        Sequences(rows, rows, rows[:1], np.array([0, 2]))
