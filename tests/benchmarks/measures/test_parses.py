"""The accuracy of trees, and McNemar's test on their arcs."""

from __future__ import annotations

import pytest

from benchmarks.corpora.sentences import Analysis
from benchmarks.measures.parses import compare_arcs, parse_accuracy, right_arcs
from benchmarks.report.notes import comparison_note

from ..samples import FAULTY, GOLD, PERFECT


def test_scores_with_and_without_punctuation() -> None:
    counts = parse_accuracy(GOLD, FAULTY)
    found = {name: (count["correct"], count["total"]) for name, count in counts.items()}
    assert found == {
        "uas": (4, 5),
        "las": (3, 5),
        "uas_no_punct": (3, 3),
        "las_no_punct": (2, 3),
        "exact_heads": (1, 2),
        "exact": (1, 2),
        "tags": (4, 5),
    }
    assert counts["uas"]["share"] == pytest.approx(0.8)
    assert all(count["share"] == 1 for count in parse_accuracy(GOLD, PERFECT).values())


def test_scores_need_an_arc_for_every_word() -> None:
    short = Analysis(["NNS"], [1], ["nsubj"])
    with pytest.raises(ValueError, match="shorter"):
        right_arcs(GOLD[:1], [short], labelled=False)


def test_mcnemar_counts_arcs_that_one_alone_has_right() -> None:
    heads = compare_arcs(GOLD, PERFECT, FAULTY, labelled=False)
    arcs = compare_arcs(GOLD, FAULTY, PERFECT, labelled=True)
    assert (heads["only_a"], heads["only_b"], heads["p_value"]) == (1, 0, 1.0)
    # Two fair coins show the same given side with probability 1/4; two-sided: 1/2.
    assert (arcs["only_a"], arcs["only_b"]) == (0, 2)
    assert arcs["p_value"] == pytest.approx(0.5)
    note = comparison_note({"a": "one", "b": "two", **arcs})
    assert "labelled arcs: 0 are right only in one, 2 only in two, p = 0.5." in note
