"""The accuracy of phrases, on examples worked by hand."""

from __future__ import annotations

import pytest

from benchmarks.corpora.sentences import PhraseAnalysis, Sentence
from benchmarks.measures.constituents import compare_phrases, count_brackets, phrase_accuracy

# "He gave up ." and "!"
GOLD = [
    Sentence(
        words=["He", "gave", "up", "."],
        spaces=[True, True, False, True],
        tags=["PRP", "VBD", "RP", "."],
        constituents=[("ROOT", 0, 4), ("S", 0, 4), ("NP", 0, 1), ("VP", 1, 3), ("PRT", 2, 3)],
    ),
    Sentence(words=["!"], spaces=[True], tags=["."], constituents=[("ROOT", 0, 1)]),
]
PERFECT = [PhraseAnalysis(s.tags, s.constituents) for s in GOLD]
# One label is wrong; an adverb is the same as a particle; a bracket too many.
FAULTY = [
    PhraseAnalysis(
        ["PRP", "VBD", "RB", "."],
        [
            ("ROOT", 0, 4),
            ("S", 0, 3),
            ("NP", 0, 1),
            ("NP", 1, 3),
            ("ADVP", 2, 3),
            ("NP", 2, 3),
            ("X", 3, 4),
        ],
        is_partial=True,
    ),
    PhraseAnalysis(["."], [("ROOT", 0, 1), ("X", 0, 1)]),
]


def test_brackets_are_counted_as_evalb_does():
    assert count_brackets(GOLD, PERFECT).tolist() == [[4, 4, 4], [0, 0, 0]]
    # Punctuation does not count, so that S ends where it should and X is over nothing.
    assert count_brackets(GOLD, FAULTY).tolist() == [[3, 5, 4], [0, 0, 0]]


def test_accuracy():
    result = phrase_accuracy(GOLD, FAULTY)
    assert result["all"]["precision"] == 3 / 5
    assert result["all"]["recall"] == 3 / 4
    assert result["all"]["share"] == pytest.approx(2 * 3 / 9)
    assert result["short"] == result["all"]
    # A sentence of nothing but punctuation does not count.
    assert (result["exact"]["correct"], result["exact"]["total"]) == (0, 1)
    assert (result["complete"]["correct"], result["complete"]["total"]) == (1, 2)
    assert (result["tags"]["correct"], result["tags"]["total"]) == (4, 5)
    assert phrase_accuracy(GOLD, PERFECT)["exact"]["share"] == 1.0


def test_long_sentences_are_not_short():
    long = Sentence(["a"] * 16, [True] * 16, ["DT"] * 16, constituents=[("NP", 0, 16)])
    result = phrase_accuracy([*GOLD, long], [*FAULTY, PhraseAnalysis(long.tags, [("NP", 0, 16)])])
    assert result["short"]["total"] == 4
    assert result["all"]["total"] == 5


def test_comparison():
    result = compare_phrases(GOLD, FAULTY, PERFECT)
    assert result["delta"] == pytest.approx(1 - 2 / 3)
    assert 0 < result["p_value"] <= 1
