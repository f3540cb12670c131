"""Memory over millions of words: the text that is streamed."""

from __future__ import annotations

import itertools

import pytest
import spacy

from benchmarks.memory import MILLION, make_word, measure_memory, stream_texts


def test_made_up_words_differ() -> None:
    assert len({make_word(number) for number in range(20_000)}) == 20_000
    assert make_word(0).isalpha()


@pytest.mark.parametrize("n_made_up", [0, 500])
def test_streamed_texts(n_made_up: int) -> None:
    """Every fifth word is made up; without a limit none comes twice."""
    texts = list(stream_texts(100_000, n_made_up))
    words = [word for text in texts for sentence in text for word in sentence]
    assert 100_000 <= len(words) < 101_000
    plain = {word for text in stream_texts(100_000, 1) for words in text for word in words}
    made_up = [word for word in words if word not in plain]
    assert len(made_up) == pytest.approx(20_000, rel=0.05)
    assert len(set(made_up)) == pytest.approx(n_made_up or len(made_up), rel=0.02)


@pytest.mark.parametrize("zones", [False, True])
def test_memory_is_measured_every_million_words(
    zones: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.memory.MILLION", MILLION // 50)
    nlp = spacy.blank("xx")
    rows = list(measure_memory(nlp, 60_000, zones=zones))
    assert len(rows) == 3
    assert all(a["n_words"] < b["n_words"] for a, b in itertools.pairwise(rows))
    assert all(row["resident"] > 10 and row["speed"] > 0 for row in rows)
    assert len(nlp.vocab.strings) < 5_000 or not zones
