"""The benchmark of morphology: systems, accuracy, report."""

from __future__ import annotations

from benchmarks.comparisons.comparison import Scale
from benchmarks.measures.morphology import morphology_accuracy
from benchmarks.morphology import COLUMNS, make_report, make_systems
from benchmarks.pages.morphology import make_part

GOLD = [[("NOUN", "Case=Nom"), ("VERB", "")], [("ADP", "Case=Gen")]]
FOUND = [[("NOUN", "Case=Gen"), ("VERB", "")], [("NOUN", "Case=Gen")]]


def test_accuracy() -> None:
    """Tags: the first two words; features: the last two; both: the second."""
    found = morphology_accuracy(GOLD, FOUND)
    assert {name: count["correct"] for name, count in found.items()} == {
        "pos": 2,
        "morph": 2,
        "both": 1,
    }
    assert found["both"]["share"] == 1 / 3


def test_systems() -> None:
    ours, theirs = make_systems(Scale(spacy_steps=5), max_minutes=1.0)
    assert (ours.key, theirs.key) == ("ours", "spacy")
    assert theirs.overrides == {"training.max_steps": 5}  # type: ignore[attr-defined]
    assert ours.lang == theirs.lang == "cs"  # type: ignore[attr-defined]


def test_report() -> None:
    result = {
        "key": "ours",
        "label": "one",
        "accuracy": morphology_accuracy(GOLD, FOUND),
        "speed": {"wall": 1.0, "cpu": 1.0, "ratio_cpu": 2.0, "ratio_wall": 2.0},
        "training": {
            **{"wall": 1.0, "cpu": 1.0, "best": None, "to_target": None},
            **{"reused": False, "stopped_early": False},
        },
        "size": 1,
        "load": None,
        "memory": None,
    }
    data = {
        "benchmark": "morphology",
        "corpus": {"name": "a treebank", "words": {"train": 3, "dev": 3, "test": 3}},
        "scale": {"other_words": 5, "repetitions": 1, "spacy_steps": None},
        "systems": [result],
    }
    report = make_report(data)
    assert [column.cell(result) for column in COLUMNS[:3]] == ["66.67", "66.67", "33.33"]
    assert "a treebank" in report.notes[0]
    assert "**one**" in make_part(data).sections[0].results[0]["label"]
