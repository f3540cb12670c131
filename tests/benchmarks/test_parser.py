"""The parsing benchmark: systems and columns."""

from __future__ import annotations

from benchmarks.measures.parses import parse_accuracy
from benchmarks.parser import COLUMNS, make_systems
from benchmarks.systems.own.mira import (
    mira_system,
    unpruned_mira,
)
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system

from .samples import FAULTY, GOLD


def test_systems_have_one_home_per_training() -> None:
    systems = make_systems(["ours", "spacy"], spacy_parser_system())
    assert len({system.key for system in systems}) == len(systems)
    assert [s.home for s in systems] == ["ours-order1", "ours-order1", "ours-order2", "spacy"]
    assert [s.has_parts for s in systems] == [True, True, True, False]
    assert mira_system(2).label == "mira_parser, order 2"
    assert unpruned_mira(1).loaded_with == {"pruning": 0.0, "max_heads": 0, "narrowing": 0.0}


def test_columns_read_a_result_with_gaps() -> None:
    missing = {"calibration": None, "pruning": None, "parser_speed": None}
    result = {
        "label": "one",
        "accuracy": parse_accuracy(GOLD, FAULTY),
        "speed": {"wall": 1.0, "cpu": 1.0, "ratio_cpu": None},
        "training": {"wall": 1.0, "cpu": 1.0, "best": None, "to_target": None},
        "size": 1,
        "load": None,
        "memory": None,
        **missing,
    }
    cells = {column.title: column.cell(result) for column in COLUMNS}
    assert (cells["UAS"], cells["LAS"], cells["labelled trees"]) == ("80.00", "60.00", "50.00")
    assert cells["ECE"] == cells["pruner's recall"] == cells["parser alone, words/CPU s"] == "–"
