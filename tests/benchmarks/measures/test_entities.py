"""The accuracy of entities."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.corpora.sentences import Sentence
from benchmarks.measures.entities import (
    compare_entities,
    count_spans,
    entity_accuracy,
    f_score,
    find_spans,
)

GOLD = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC"]


def sentence(tags: list[str]) -> Sentence:
    return Sentence(["w"] * len(tags), [True] * len(tags), tags)


def test_find_spans():
    assert find_spans(GOLD) == {(0, 2, "PER"), (3, 4, "LOC"), (4, 5, "LOC")}
    # CRFsuite can give an I that goes on with nothing, or with another type.
    assert find_spans(["I-PER", "I-PER", "I-LOC", "O", "I-LOC"]) == {
        (0, 2, "PER"),
        (2, 3, "LOC"),
        (4, 5, "LOC"),
    }
    assert find_spans([]) == set()


def test_accuracy():
    """One of three gold entities is found with its type, one with another; one is too many."""
    predicted = [["B-PER", "I-PER", "B-PER", "B-ORG", "O"]]
    found = entity_accuracy([sentence(GOLD)], predicted)
    assert found["boundaries"]["precision"] == pytest.approx(2 / 3)
    assert found["boundaries"]["recall"] == pytest.approx(2 / 3)
    assert found["boundaries"]["share"] == pytest.approx(2 / 3)
    assert found["typed"]["precision"] == found["typed"]["share"] == pytest.approx(1 / 3)
    nothing = entity_accuracy([sentence(["O"])], [["O"]])
    assert nothing["typed"]["share"] == nothing["typed"]["precision"] == 0.0


def test_comparison():
    gold = [sentence(GOLD), sentence(["O", "B-PER"])] * 10
    worse = [["O"] * 5, ["O", "B-PER"]] * 10
    better = [item.tags for item in gold]
    counts = count_spans(gold, worse, typed=True)
    assert counts[:2].tolist() == [[0, 0, 3], [1, 1, 1]]
    assert f_score(np.array([[10, 10, 40]])).tolist() == [0.4]
    result = compare_entities(gold, worse, better, typed=True)
    assert result["delta"] == pytest.approx(0.6)
    assert result["p_value"] < 0.01
