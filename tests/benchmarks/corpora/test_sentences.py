"""Sentences of a given length."""

from __future__ import annotations

import pytest

from benchmarks.corpora.sentences import count_words, resegment

from ..samples import TRAIN


@pytest.mark.parametrize(("length", "total", "pieces"), [(3, 8, 2), (5, 20, 4), (10, 4, 1)])
def test_resegment_makes_exact_lengths(length: int, total: int, pieces: int) -> None:
    cut = resegment(TRAIN, length, total)
    assert [len(piece.words) for piece in cut] == [length] * pieces
    assert count_words(cut) == length * pieces
    stream = [word for piece in cut for word in piece.words]
    words = [word for part in TRAIN for word in part.words]
    assert stream == [words[i % len(words)] for i in range(len(stream))]
    assert all(len(piece.tags) == len(piece.spaces) == length for piece in cut)
