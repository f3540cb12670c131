"""Experiments of the parsing benchmark: trained once, judged, compared, reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpora.corpus import Corpus
from benchmarks.corpora.sentences import ROOT_HEAD, Analysis
from benchmarks.experiments.base import Experiment, Pair, comparison_note, make_experiments
from benchmarks.measures.parses import compare_arcs, parse_accuracy
from benchmarks.parser import COLUMNS, EXPERIMENTS
from benchmarks.processes.probe import Probe
from benchmarks.processes.records import TrainingRecord
from benchmarks.processes.stages import Workshop
from benchmarks.report.tables import Column, Section, write_report
from benchmarks.systems.base import Runner, SplitRunner, System
from benchmarks.systems.own.mira import MiraSystem
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system

from .test_parser import FAULTY, GOLD, PERFECT, make_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(tmp_path)


def test_mcnemar_counts_arcs_that_one_alone_has_right() -> None:
    heads = compare_arcs(GOLD, PERFECT, FAULTY, labelled=False)
    arcs = compare_arcs(GOLD, FAULTY, PERFECT, labelled=True)
    assert (heads["only_a"], heads["only_b"], heads["p_value"]) == (1, 0, 1.0)
    # Two fair coins show the same given side with probability 1/4; two-sided: 1/2.
    assert (arcs["only_a"], arcs["only_b"]) == (0, 2)
    assert arcs["p_value"] == pytest.approx(0.5)
    note = comparison_note({"a": "one", "b": "two", **arcs})
    assert note.startswith("McNemar on labelled arcs: one alone is right 0 times, two alone 2")


class FixedRunner(SplitRunner):
    """Gives the same answers to every text."""

    def __init__(self, answers: list[Analysis]) -> None:
        self.answers = answers
        self.log: list[str] = []

    def prepare(self, sentences: Any) -> list[Any]:
        return list(sentences)

    def run_first(self, inputs: list[Any]) -> list[Any]:
        self.log.append("first")
        return inputs

    def run_last(self, inputs: list[Any]) -> list[Any]:
        self.log.append("last")
        return inputs

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return self.answers


class FixedSystem(System):
    """Trains in no time and answers as told."""

    library = "json"

    def __init__(self, key: str, answers: list[Analysis]) -> None:
        self.key = self.name = key
        self.answers = answers

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "trained").open("a") as file:
            file.write("once\n")
        return TrainingRecord(wall=2.0, cpu=1.0, date="2024-01-01")

    def load(self, directory: Path) -> Runner:
        return FixedRunner(self.answers)

    def blank(self) -> Runner:
        return FixedRunner([])

    def model_path(self, directory: Path) -> Path:
        return directory / "trained"


def test_the_last_part_is_timed_alone() -> None:
    probe = Probe(FixedSystem("fixed", PERFECT), Path())
    probe.add("gold", GOLD)
    probe.load()
    runner = probe.runner
    assert isinstance(runner, FixedRunner)
    timing = probe.time("gold", "gold", last_only=True)
    # The untimed pass runs both parts; then the first is run before the clock starts.
    assert runner.log == ["first", "last", "first", "last"]
    assert timing["words"] == 5


def test_experiment_trains_once_and_compares(tmp_path: Path, corpus: Corpus) -> None:
    gold = corpus.sentences("test")
    perfect = [Analysis(s.tags, s.heads, s.labels) for s in gold]
    wrong = [Analysis(s.tags, [ROOT_HEAD] * len(s.heads), s.labels) for s in gold]
    right_system, wrong_system = FixedSystem("right", perfect), FixedSystem("wrong", wrong)
    experiment = Experiment(
        name="test",
        title="Right against wrong",
        systems=[right_system, wrong_system],
        pairs=[Pair("right", "wrong", labelled=True)],
        before=lambda workshop: workshop.make("extra", "extra", right_system.train),
    )
    workshop = Workshop(corpus, tmp_path / "work", reuse=False)
    experiment.train(workshop)
    result = experiment.run(workshop, 0.9)
    assert [row["accuracy"]["las"]["share"] for row in result["rows"]] == [
        1.0,
        pytest.approx(1 / 3),
    ]
    assert (result["comparisons"][0]["only_a"], result["comparisons"][0]["only_b"]) == (4, 0)
    for name in ("right", "wrong", "extra"):
        assert (tmp_path / "work" / name / "trained").read_text() == "once\n"
    again = Workshop(corpus, tmp_path / "work", reuse=True)
    assert again.train(right_system).reused
    assert (tmp_path / "work" / "right" / "trained").read_text() == "once\n"


@pytest.mark.parametrize("small", [False, True])
def test_every_experiment_has_an_option(small: bool) -> None:
    experiments = make_experiments(spacy_parser_system(), small=small)
    # A small corpus ends before the usual first evaluation: nothing but the start would be saved.
    for system in (s for e in experiments.values() for s in e.systems if s.group == "ours"):
        assert isinstance(system, MiraSystem)
        assert ("training.eval_frequency" in system.overrides) == small
    assert set(experiments) == set(EXPERIMENTS)
    assert [s.setting for s in experiments["k_table"].systems] == [
        f"order 1, k {k}" for k in (1, 2, 5, 10)
    ]


def test_report_has_further_tables(tmp_path: Path) -> None:
    environment = dict.fromkeys(("date", "cpu", "cores", "python", "command"), "x")
    data = {
        "benchmark": "some",
        "environment": {**environment, "packages": {}},
        "systems": [{"label": "one", "x": 1.0}],
    }
    column = Column("x", lambda result: result["x"])
    section = Section("More", [{"label": "two", "x": 2.0}], [column], ["a note"])
    write_report(tmp_path, data, [column], ["first note"], [section])
    text = (tmp_path / "some.md").read_text()
    assert text.index("| one | 1.00 |") < text.index("## More") < text.index("| two | 2.00 |")
    assert text.endswith("- a note\n")


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
