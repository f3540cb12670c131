import io
import math

import numpy as np
import pytest
from scipy import sparse

from spacy_perceptron.corpus.clusters import encoding
from spacy_perceptron.corpus.clusters.cooccurrence import (
    count_contexts,
    positive_information,
    rank_words,
)
from spacy_perceptron.corpus.clusters.encoding import EncodedText, encode

SENTENCES = [["b", "a", "b", "c"], ["a", "b"], ["1", "b"], ["22", "3"]]


def encoded(sentences: list[list[str]] = SENTENCES) -> EncodedText:
    return encode(sentences, io.BytesIO(), window=2)


def test_words_are_counted_with_folded_digits():
    text = encoded()
    # Id 0 is the boundary; the others stand in the order of the text.
    assert text.words == ["", "b", "a", "c", "0", "00"]
    assert text.counts.tolist() == [0, 4, 2, 1, 2, 1]
    [block] = text.blocks(0)
    assert block.tolist() == [1, 2, 1, 3, 0, 0, 2, 1, 0, 0, 4, 1, 0, 0, 5, 4, 0, 0]


def test_frequent_words_come_first():
    ranked = rank_words(encoded(), 2)
    assert ranked.words == ["b", "a", "0"]
    assert ranked.counts.tolist() == [4, 2, 2]
    assert len(rank_words(encoded(), 0).words) == 5


def test_counts_of_neighbours():
    text = encoded()
    ranked = rank_words(text, 2)
    counts = count_contexts(text, ranked, offsets=(-1, 1), n_contexts=2)
    # Rows: b a 0. Columns: boundary, b and a, before the word and behind it. `0` is no context.
    assert counts.toarray().tolist() == [
        [1, 0, 2, 2, 0, 1],
        [1, 1, 0, 0, 2, 0],
        [1, 0, 0, 1, 1, 0],
    ]


def test_windows_do_not_reach_into_other_sentences():
    text = encoded([["a", "b"], ["a"]])
    counts = count_contexts(text, rank_words(text, 1), offsets=(-2, 2), n_contexts=2)
    # Two words to the left or right of a word there is nothing but a boundary.
    assert counts.toarray().tolist() == [[2, 0, 0, 2, 0, 0], [1, 0, 0, 1, 0, 0]]


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch):
    words = [[f"w{letter}" for letter in "abcdefg"[i % 5 : i % 7 + 1]] for i in range(200)]
    text = encoded(words)
    expected = count_contexts(text, rank_words(text, 1), offsets=(-2, -1, 1, 2), n_contexts=4)
    monkeypatch.setattr(encoding, "BLOCK_SIZE", 7)
    text = encoded(words)
    assert len([*text.blocks(2)]) > 50
    found = count_contexts(text, rank_words(text, 1), offsets=(-2, -1, 1, 2), n_contexts=4)
    assert (found != expected).nnz == 0
    assert found.sum() > 1000


def test_positive_information():
    counts = sparse.csr_matrix(np.array([[8, 1], [0, 3]]))
    found = positive_information(counts).toarray()
    # p(c) of the columns' counts, 8 and 4, to the power of 0.75.
    shares = [8**0.75 / (8**0.75 + 4**0.75), 4**0.75 / (8**0.75 + 4**0.75)]
    # Discounts: of the cell, and of the smaller one of the row's and the column's count.
    assert found[0, 0] == pytest.approx(math.log(8 / 9 / shares[0]) * 8 / 9 * 8 / 9, rel=1e-5)
    assert found[1, 1] == pytest.approx(math.log(3 / 3 / shares[1]) * 3 / 4 * 3 / 4, rel=1e-5)
    # 1 / 9 is less than expected, and what was never seen stays 0.
    assert found[0, 1] == found[1, 0] == 0
