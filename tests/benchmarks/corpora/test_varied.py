"""Repeated text whose words vary."""

from __future__ import annotations

from itertools import chain

from benchmarks.corpora.varied import RARE, vary

# 400 rare types, and one that is not.
SENTENCES = [["the", f"word{'abcdefghij'[i % 10]}{chr(97 + i // 10 % 26)}{chr(97 + i // 260)}"]
             for i in range(400)]  # fmt: skip
N_WORDS = 800


def types(n_words: int) -> set[str]:
    return {*chain.from_iterable(vary(SENTENCES, n_words))}


def test_the_first_copy_is_the_text() -> None:
    assert [*vary(SENTENCES, N_WORDS)] == SENTENCES


def test_text_ends_when_there_are_enough_words() -> None:
    assert sum(map(len, vary(SENTENCES, 1001))) == 1002
    assert [*vary([], 5)] == []
    assert [*vary([[]], 5)] == []


def test_types_grow_with_the_square_root() -> None:
    """Nine times the text has three times the types, give or take the chance of the hashes."""
    assert len(types(N_WORDS)) == 401
    assert 1100 < len(types(9 * N_WORDS)) < 1300


def test_only_rare_words_vary() -> None:
    assert len(SENTENCES) > RARE
    assert not {word for word in types(4 * N_WORDS) if word.startswith("the") and word != "the"}


def test_a_type_has_one_form_in_a_copy() -> None:
    sentences = [["rare", "word"], ["rare", "other"]]
    for copy in range(1, 30):
        forms = [*vary(sentences, 4 * (copy + 1))][-2:]
        assert forms[0][0] == forms[1][0]


def test_the_same_text_every_time() -> None:
    assert [*vary(SENTENCES, 5 * N_WORDS)] == [*vary(SENTENCES, 5 * N_WORDS)]
