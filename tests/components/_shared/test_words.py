import numpy as np
import pytest
from spacy.tokens import Doc

from spacy_perceptron.components._shared.words import Words, read_words

from ..docs import VOCAB, make_doc


def strings(words: Words) -> list[str]:
    return [VOCAB.strings[int(orth)] for orth in words.orths]


@pytest.mark.parametrize(
    ("docs", "expected", "starts", "is_word"),
    [
        ([], "", [0], ""),
        ([""], "", [0], ""),
        (["", ""], "", [0], ""),
        (["a b c"], "a b c", [0, 3], "111"),
        (["|a b |c"], "a b c", [0, 2, 3], "111"),
        (["|a b |c", "d |e f"], "a b c d e f", [0, 2, 3, 4, 6], "111111"),
        # Docs without boundaries are one sentence each, whatever docs stand around them.
        (["a", "b c", "d"], "a b c d", [0, 1, 3, 4], "1111"),
        (["", "a b", "", "", "c", ""], "a b c", [0, 2, 3], "111"),
        # Whitespace: at the ends, first in a sentence, alone in a sentence or a doc.
        (["_ a b _"], "a b", [0, 2], "0110"),
        (["|a _ b |_ c"], "a b c", [0, 2, 3], "10101"),
        (["|a |_ |b"], "a b", [0, 1, 2], "101"),
        (["|a b |_ _"], "a b", [0, 2], "1100"),
        (["_", "a", "_ _", "b _"], "a b", [0, 1, 2], "010010"),
        (["_ _"], "", [0], "00"),
    ],
)
def test_read_words(docs: list[str], expected: str, starts: list[int], is_word: str):
    words = read_words([make_doc(text) for text in docs])
    assert strings(words) == expected.split()
    assert words.starts.tolist() == starts
    assert words.is_word.tolist() == [flag == "1" for flag in is_word]
    assert (words.orths.dtype, words.starts.dtype) == (np.uint64, np.int32)
    assert words.orths.flags["C_CONTIGUOUS"]


def test_sentences_of_a_parse():
    """Boundaries that come from heads count as well."""
    doc = Doc(VOCAB, words=["a", "b", "c"], heads=[0, 0, 2], deps=["ROOT", "dep", "ROOT"])
    assert read_words([doc]).starts.tolist() == [0, 2, 3]


def test_partial_boundaries():
    """Tokens that are known not to start a sentence, or of which nothing is known, do not."""
    doc = Doc(VOCAB, words=["a", "b", "c", "d"], sent_starts=[None, False, True, None])
    assert read_words([doc]).starts.tolist() == [0, 2, 4]


def test_spread():
    words = read_words([make_doc("_ a b _ c")])
    values = words.spread(np.array([1.5, 2.5, 3.5]), 0.0)
    assert values.tolist() == [0.0, 1.5, 2.5, 0.0, 3.5]
    tags = words.spread(np.array([4, 5, 6], np.int32), -1)
    assert (tags.tolist(), tags.dtype) == ([-1, 4, 5, -1, 6], np.int32)
    plain = read_words([make_doc("a b")])
    assert plain.spread(np.array([1, 2]), -1).tolist() == [1, 2]
    nothing = read_words([make_doc("_ _")])
    assert nothing.spread(np.zeros(0, np.int32), -1).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [0, 0]),
        ("_", [0, 1]),
        ("a b c", [0, 3]),
        ("|a b |c", [0, 2, 3]),
        # Whitespace behind a sentence, before one, and as a sentence of its own.
        ("|a _ |b", [0, 2, 3]),
        ("|a |_ b", [0, 1, 3]),
        ("|_ a |b", [0, 2, 3]),
        ("|a |_ |b", [0, 2, 3]),
        ("|_ |a |b |_", [0, 2, 4]),
    ],
)
def test_sentence_bounds(text: str, expected: list[int]):
    assert read_words([make_doc(text)]).sentence_bounds() == expected
