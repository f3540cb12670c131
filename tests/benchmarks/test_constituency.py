"""The benchmark of constituency parsers, on the sample treebank."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.comparisons.phrases import COLUMNS, LENGTHS, SMALL, TreeScale
from benchmarks.comparisons.quoted import QUOTED
from benchmarks.constituency import (
    GROUPS,
    TreeComparison,
    beam_results,
    draw,
    make_report,
    make_systems,
    measure,
    speed_points,
)
from benchmarks.corpora.corpus import Corpus
from benchmarks.pages.constituency import make_part
from benchmarks.processes.workshop import Workshop
from benchmarks.report.page import section_text
from benchmarks.systems.own import incremental, left_to_right, reranked_trees
from benchmarks.systems.own.chart import chart_systems, tagger_system

from .samples import N_TREES

QUICK = {"training.max_epochs": 2, "training.eval_frequency": 1}
FOLDS = {"corpora.train.n_folds": 2, "corpora.train.max_epochs": 1}


@pytest.fixture
def corpus(tree_corpus: Corpus) -> Corpus:
    return tree_corpus


def test_corpus_has_trees(corpus: Corpus):
    sentences = corpus.sentences("train")
    assert len(sentences) == N_TREES
    assert all(sentence.constituents and sentence.tags for sentence in sentences)
    assert not any("-" in label for s in sentences for label, _, _ in s.constituents)


def test_systems_have_one_home_per_training():
    systems = make_systems(GROUPS)
    assert len({system.key for system in systems}) == len(systems)
    assert {system.group for system in systems} <= {*GROUPS}
    assert all(system.has_parts for system in systems)
    homes = {system.home for system in systems}
    decoded = [system for system in systems if system.home == "incremental"]
    assert len(decoded) > len(incremental.BEAMS) - 1
    # The baseline has one training for two kinds of tags.
    assert len(homes) == len(systems) - (len(decoded) - 1) - 1
    for system in systems:
        assert pickle.loads(pickle.dumps(system)) == system
    # One training is a row of a table and a curve.
    assert len({s.home for s in left_to_right.curve_systems().values()} - homes) == 2


def train_and_run(system: Any, workshop: Workshop) -> Any:
    """Train a system, and let what was saved annotate a sentence; returns the runner."""
    workshop.train(system)
    runner = system.load(workshop.directory(system))
    sentence = workshop.corpus.sentences("train")[0]
    (found,) = runner.annotations(runner.run(runner.prepare([sentence])))
    assert len(found.tags) == len(sentence.words)
    assert found.constituents or found.is_partial
    return runner


@pytest.mark.usefixtures("one_process")
def test_chart(corpus: Corpus, tmp_path: Path):
    """The baseline is the same once saved and loaded."""
    workshop = Workshop(corpus, tmp_path, reuse=True)
    tagger = tagger_system(small=True)
    workshop.train(replace(tagger, overrides={**tagger.overrides, **QUICK}))
    for system in chart_systems():
        train_and_run(system, workshop)


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize(
    ("kind", "tags"),
    [("generative", "joint"), ("generative", "gold"), ("hybrid", "predicted")],
)
def test_probabilities(corpus: Corpus, tmp_path: Path, kind: str, tags: str):
    """Models with probabilities parse."""
    system = left_to_right.paper_system(kind, tags, small=True)
    of_folds = FOLDS if tags != "gold" else {}
    system = replace(system, overrides={**system.overrides, **QUICK, **of_folds})
    train_and_run(system, Workshop(corpus, tmp_path, reuse=True))


@pytest.mark.usefixtures("one_process")
def test_learning_curves(corpus: Corpus, tmp_path: Path):
    """The trainings of the curves differ in their refinements, and are evaluated once a pass."""
    workshop = Workshop(corpus, tmp_path, reuse=True)
    for system in left_to_right.curve_systems(small=True).values():
        overrides = {**system.overrides, **FOLDS, "training.max_epochs": 3}
        overrides.pop("training.eval_frequency", None)
        train_and_run(replace(system, overrides=overrides), workshop)
        points = incremental.learning_curve(workshop.train(system))
        assert [point["epoch"] for point in points] == [1, 2]
        assert all(0 <= point["score"] <= 1 for point in points)


@pytest.mark.usefixtures("one_process")
def test_shipped_configs_and_reranker(corpus: Corpus, tmp_path: Path):
    """The shipped configs are trained and read; the reranker's base is the shipped parser."""
    workshop = Workshop(corpus, tmp_path, reuse=True)
    shipped = incremental.shipped_system(small=True)
    shipped = replace(shipped, overrides={**shipped.overrides, **QUICK, **FOLDS})
    gold = incremental.gold_tag_system(small=True)
    gold = replace(gold, overrides={**gold.overrides, **QUICK})
    reranked = reranked_trees.reranked_trees(small=True)
    of_base = {**reranked.its_task.of_base, **FOLDS}
    task = replace(reranked.its_task, of_base=of_base, of_training=QUICK)
    reranked = replace(reranked, task=task, overrides={**reranked.overrides, **QUICK})
    workshop.make(task.folds_home, "lists", task.make_folds)
    for system in (shipped, *incremental.by_beam(shipped, (1,)), gold):
        train_and_run(system, workshop)
    for system in (reranked_trees.listed_parser(shipped), reranked):
        runner = train_and_run(system, workshop)
    assert runner.nlp.pipe_names == ["tagger", "parser", "reranker"]
    assert runner.nlp.get_pipe("parser").n_stored == reranked_trees.K


@pytest.mark.usefixtures("one_process")
def test_reranked_generative_model(corpus: Corpus, tmp_path: Path):
    """The base is the generative model, and so are the parsers of the jackknifed lists."""
    workshop = Workshop(corpus, tmp_path, reuse=True)
    reranked = reranked_trees.reranked_trees(generative=True, small=True)
    task = replace(reranked.its_task, of_training=QUICK)
    base = reranked.its_parser
    base = replace(base, overrides={**base.overrides, **QUICK, **FOLDS})
    overrides = {**reranked.overrides, **QUICK}
    reranked = replace(reranked, task=task, parser=base, overrides=overrides)
    workshop.make(task.folds_home, "lists", task.make_folds)
    for system in (base, reranked_trees.listed_parser(base, reranked.key), reranked):
        runner = train_and_run(system, workshop)
    parser = runner.nlp.get_pipe("parser")
    assert (parser.log_weight, parser.n_stored) == (1.0, reranked_trees.K)
    assert task.of_base["components.parser.log_weight"] == 1.0


def test_results_are_reported(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two systems, measured in child processes, in tables, plots and on the page."""
    scale = TreeScale(**{**SMALL, "lengths": (2, 4), "length_words": 4})
    how = TreeComparison(
        "constituency", GROUPS, scale, chart_systems()[1:], chosen=("chart", "quoted")
    )
    workshop = Workshop(corpus, tmp_path, reuse=True)
    for system in how.systems:
        workshop.train(system)
    data = measure(how, workshop)
    (row,) = data["systems"]
    assert row["accuracy"]["tags"]["share"] == 1.0
    assert row["speed"]["sentences"] > 0
    data.update(
        benchmark="constituency",
        corpus={"name": "sample", "words": {}},
        scale={"repetitions": 1},
        # As if two had been trained.
        lengths={row["key"]: {str(n): [{"words": 1, "cpu": n}] for n in LENGTHS}},
        curves={"early update": [{"epoch": 1, "score": 0.5}]},
    )
    report = make_report(data)
    by_title = {section.title: section for section in report.sections}
    assert by_title["Measured elsewhere"].results == list(QUOTED)
    assert by_title["Time per word by sentence length"].results[0]["ratio"] == 8
    assert [column.cell(row) for column in COLUMNS[:2]] != ["–", "–"]
    part = make_part(data)
    assert all(section_text(section) for section in part.sections)
    draw({**data, "systems": [{**row, "setting": "predicted tags"}]}, tmp_path)
    assert {path.name for path in tmp_path.glob("*.png")} == {*part.plots}


def test_plots_leave_out_gold_tags_and_join_beams():
    rows = [
        {"key": "incremental", "group": "shipped", "name": "n", "label": "n", "setting": "beam 16"},
        {"key": "incremental-beam1", "group": "shipped", "name": "n", "label": "n", "setting": ""},
        {"key": "x", "group": "gold", "name": "n", "label": "n", "setting": "gold tags"},
        {"key": "y", "group": "fast", "name": "n", "label": "n, fast", "setting": "fast"},
    ]
    assert [row["name"] for row in speed_points(rows)] == ["n", "n", "n, fast"]
    assert [*beam_results({"systems": rows})] == [1, 16]
