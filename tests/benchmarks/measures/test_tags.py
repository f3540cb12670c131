"""The accuracy of tags."""

from __future__ import annotations

import pytest

from benchmarks.measures.tags import Count, tag_accuracy, training_forms

from ..samples import TRAIN, sentence


def test_accuracy_splits_known_and_unknown_words() -> None:
    gold = [sentence("the/DT bird/NN barks/VBZ"), sentence("The/DT cat/NN ./.")]
    predicted = [["DT", "NN", "NNS"], ["NNP", "NN", "."]]
    accuracy = tag_accuracy(gold, predicted, training_forms(TRAIN))
    # Unknown: "bird" (right) and, by its case, "The" (wrong). Of the other four, one is wrong.
    assert accuracy.unknown == Count(correct=1, total=2)
    assert accuracy.known == Count(correct=3, total=4)
    assert accuracy.all == Count(correct=4, total=6)
    assert accuracy.all.share == pytest.approx(2 / 3)


def test_accuracy_of_nothing_is_undefined() -> None:
    assert tag_accuracy([], [], frozenset()).unknown.share is None


def test_accuracy_needs_a_tag_for_every_word() -> None:
    with pytest.raises(ValueError, match="shorter"):
        tag_accuracy([sentence("the/DT dog/NN")], [["DT"]], frozenset())
