"""How many errors a reranker removes."""

from __future__ import annotations

import pytest

from benchmarks.corpora.sentences import ROOT_HEAD, Analysis, Sentence
from benchmarks.measures.reranking import (
    compare_parses,
    compare_spans,
)
from benchmarks.rerank import ACCURACY_COLUMNS


def sentence(heads: list[int], labels: list[str]) -> Sentence:
    n = len(heads)
    return Sentence(["w"] * n, [True] * n, ["T"] * n, heads, labels, [False] * n, [""] * n)


def test_comparison_of_parses():
    """Of four heads the base has two right, the reranker three; of labels both miss one."""
    gold = sentence([ROOT_HEAD, 0, 1, 1], ["ROOT", "a", "b", "c"])
    base = Analysis(["T"] * 4, [ROOT_HEAD, 0, 0, 0], ["ROOT", "x", "b", "c"])
    reranked = Analysis(["T"] * 4, [ROOT_HEAD, 0, 1, 0], ["ROOT", "x", "b", "c"])
    las, uas = compare_parses([gold], [base], [reranked])
    assert (las["measure"], las["base"], las["reranked"]) == ("LAS", 0.25, 0.5)
    assert las["reduction"] == pytest.approx(1 / 3)
    assert (uas["base"], uas["reranked"], uas["reduction"]) == (0.5, 0.75, 0.5)
    assert uas["test"]["only_b"] == 1
    cells = [column.cell({**uas, "oracle": None}) for column in ACCURACY_COLUMNS]
    assert cells == ["50.00", "75.00", "–", "+50.0", "1"]


def test_comparison_of_spans():
    """The reranker finds one of two missing entities: F1 of 2/3 and of 6/7 for 1 and 3 of 4."""
    tags = ["B-PER", "B-LOC", "B-LOC", "B-LOC"]
    gold = [Sentence(["w"] * 4, [True] * 4, tags)] * 2
    base = [["B-PER", "B-LOC", "O", "O"]] * 2
    reranked = [["B-PER", "B-LOC", "B-PER", "O"]] * 2
    boundaries, typed = compare_spans(gold, base, reranked)
    assert boundaries["base"] == pytest.approx(2 / 3)
    assert boundaries["reranked"] == pytest.approx(6 / 7)
    assert boundaries["reduction"] == pytest.approx((6 / 7 - 2 / 3) / (1 / 3))
    # The type of what it adds is wrong: 2 right, 3 predicted, 4 gold.
    assert typed["reranked"] == pytest.approx(4 / 7)
    assert typed["reduction"] < 0
