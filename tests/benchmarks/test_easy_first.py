"""The easy-first benchmark: systems, options, figures, plots."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from benchmarks.easy_first import (
    BEAMS,
    COLUMNS,
    GROUPS,
    add_arguments,
    draw,
    figure_notes,
    length_keys,
    make_pairs,
    make_report,
    make_systems,
    parse_beams,
)
from benchmarks.experiments.easy_first import EXPERIMENTS
from benchmarks.measures.beams import add_sentence_speeds, figures
from benchmarks.measures.parses import parse_accuracy
from benchmarks.parser import make_systems as make_parser_systems
from benchmarks.systems.base import System
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system

from .samples import FAULTY, GOLD, PERFECT


@pytest.fixture
def systems() -> list[System]:
    return make_systems(GROUPS, BEAMS, spacy_parser_system())


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_systems_are_trained_by_beam_and_shared_with_the_parsing_benchmark(
    systems: list[System],
) -> None:
    own = ["easy-first-fast", *(f"easy-first-beam{beam}" for beam in (1, 2, 4, 8, 16, 32))]
    others = ["ours-order1", "ours-order2", "spacy"]
    assert [s.key for s in systems] == [s.home for s in systems] == [*own, *others]
    peer = spacy_parser_system()
    there = {s.key: s for s in make_parser_systems(["ours", "spacy"], peer)}
    here = {s.key: s for s in systems}
    for key in others:
        assert (here[key].home, here[key].label) == (there[key].home, there[key].label)
    assert [s.group for s in systems] == ["easy_first"] * 7 + ["mira"] * 2 + ["spacy"]
    assert [s.key for s in make_systems(["mira"], BEAMS, peer)] == others[:2]


def test_beams_are_chosen_by_option() -> None:
    assert parse([]).beams == list(BEAMS)
    assert parse(["--beams", "8,1"]).beams == [1, 8]
    with pytest.raises(argparse.ArgumentTypeError, match="at least 1"):
        parse_beams("0,8")
    for name in EXPERIMENTS:
        assert getattr(parse([f"--{name}"]), name)


def test_length_and_pairs_are_of_the_chosen_systems(systems: list[System]) -> None:
    orders = ["ours-order1", "ours-order2"]
    timed = ["easy-first-fast", "easy-first-beam1", "easy-first-beam8"]
    assert length_keys(systems) == [*timed, *orders]
    pairs = make_pairs(systems)
    assert {pair.a for pair in pairs} == {"easy-first-beam8"}
    assert [pair.b for pair in pairs] == [*orders, "spacy", "easy-first-beam1"]
    few = make_systems(["easy_first"], [2], spacy_parser_system())
    assert (length_keys(few), make_pairs(few)) == (["easy-first-fast"], [])


def timings(*seconds: float) -> list[dict[str, float]]:
    return [{"wall": 2 * cpu, "cpu": cpu, "words": 10.0} for cpu in seconds]


def result(key: str, answers: Any, seconds: list[float]) -> dict[str, Any]:
    """A made-up result of a system."""
    speed = {"wall": 50.0, "cpu": 100.0, "ratio_cpu": None, "timings": timings(*seconds)}
    return {
        "key": key,
        "name": "easy_first_parser",
        "setting": key.removeprefix("easy-first-"),
        "label": key.replace("-", " "),
        "group": "easy_first",
        "accuracy": parse_accuracy(GOLD, answers),
        "speed": speed,
        "parser_speed": {**speed, "timings": timings(*(s / 2 for s in seconds[::-1]))},
        "training": {
            "wall": 1.0,
            "cpu": 1.0,
            "best": None,
            "target": 0.8,
            "to_target": None,
            "stopped_early": False,
            "reused": False,
        },
        "size": 1 << 20,
        "load": None,
        "memory": None,
        "calibration": {"as_trained": 0.1, "calibrated": 0.01},
    }


@pytest.fixture
def data() -> dict[str, Any]:
    # The machine was slow in the last turn: for both.
    systems = [
        result("easy-first-beam1", FAULTY, [1.0, 1.0, 10.0]),
        result("easy-first-beam8", PERFECT, [4.0, 5.0, 60.0]),
        result("easy-first-fast", FAULTY, [0.5, 0.5, 5.0]),
    ]
    curve = {"20": timings(1.0), "40": timings(9.0), "200": timings(1.5)}
    made: dict[str, Any] = {
        "benchmark": "easy_first",
        "corpus": {"name": "two sentences", "words": {"test": 5}},
        "scale": {"other_words": 7},
        "systems": systems,
        "lengths": {"easy-first-beam8": curve},
        "parser_lengths": {"easy-first-beam8": {**curve, "200": timings(2.0)}},
        "comparisons": [],
        "experiments": {},
    }
    add_sentence_speeds(made)
    made["figures"] = figures(made)
    return made


def test_figures_are_gain_cost_and_growth(data: dict[str, Any]) -> None:
    beam, growth = data["figures"]["beam"], data["figures"]["long_over_short"]
    assert beam["gain"] == {"uas": pytest.approx(20), "las": pytest.approx(40)}
    # Ratios are taken within a turn: 4, 5, 6.
    assert beam["cost"] == {"pipeline": pytest.approx(5), "parser": pytest.approx(5)}
    assert growth["pipeline"] == {"easy-first-beam8": pytest.approx(1.5)}
    assert growth["parser"] == {"easy-first-beam8": pytest.approx(2.0)}
    gain, length = figure_notes(data)
    assert "A beam of 8 against none: UAS +20.00, LAS +40.00; 5.00 times the CPU time" in gain
    assert "200 words divided by that in sentences of 20" in length
    assert "2.00 for easy first beam8 (pipeline 1.50)" in length
    assert {gain, length} <= set(make_report(data).notes)


def test_figures_need_both_widths(data: dict[str, Any]) -> None:
    alone = {**data, "systems": data["systems"][:1], "lengths": {}, "parser_lengths": {}}
    alone["figures"] = figures(alone)
    assert alone["figures"]["beam"] is None
    assert figure_notes(alone) == []


def test_columns_have_sentences_per_second(data: dict[str, Any]) -> None:
    # Five words in two sentences.
    cells = {column.title: column.cell(data["systems"][1]) for column in COLUMNS}
    assert (cells["sentences/s"], cells["sentences/CPU s"]) == ("20", "40")
    assert cells["parser alone, sentences/CPU s"] == "40"
    assert (cells["UAS"], cells["trees"], cells["ECE"]) == ("100.00", "100.00", "0.0100")


def test_plots_are_drawn(data: dict[str, Any], tmp_path: Path) -> None:
    draw(data, tmp_path)
    names = ("speed", "length", "length-alone", "beam")
    assert {path.name for path in tmp_path.glob("*.png")} == {f"easy_first-{n}.png" for n in names}
