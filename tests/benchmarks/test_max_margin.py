"""The benchmark of max-margin parsers, on the sample treebank."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import max_margin as benchmark
from benchmarks.comparisons.phrases import SMALL, PhraseComparison, prepare_lists
from benchmarks.comparisons.quoted import QUOTED
from benchmarks.corpora.corpus import Corpus
from benchmarks.max_margin import (
    GROUPS,
    LENGTHS,
    MarginScale,
    curve_rows,
    draw,
    make_report,
    make_systems,
    measure,
    speed_points,
)
from benchmarks.measures.pruning import phrase_pruning
from benchmarks.pages.max_margin import make_part
from benchmarks.processes.workshop import Workshop
from benchmarks.report.page import section_text
from benchmarks.systems.own import max_margin, reranked_trees
from benchmarks.systems.own.incremental import IncrementalSystem

N_EPOCHS = 3
QUICK = {"training.max_epochs": N_EPOCHS, "corpora.train.n_folds": 2, "corpora.train.max_epochs": 1}
QUICK_GOLD = {"training.max_epochs": 1}


def quick(system: Any, overrides: dict[str, Any]) -> Any:
    """A system whose training takes little time."""
    return replace(system, overrides={**system.overrides, **overrides})


def test_systems_have_homes_of_their_own() -> None:
    systems = make_systems(GROUPS)
    assert len({system.key for system in systems}) == len(systems) == 8
    assert {system.home for system in systems} == {system.key for system in systems}
    assert {system.group for system in systems} == {*GROUPS} - {"quoted"}
    assert all(system.has_parts for system in systems)
    for system in systems:
        assert pickle.loads(pickle.dumps(system)) == system
        assert make_systems([system.group])[0].group == system.group
    # All pairs and all that is measured of some systems only are of systems that there are.
    keys = {system.key for system in systems}
    assert {key for pair in benchmark.PAIRS for key in pair} <= keys
    for some in (benchmark.LENGTH_KEYS, benchmark.PRUNED_KEYS, benchmark.CALIBRATED_KEYS):
        assert {*some} <= keys


@pytest.mark.usefixtures("one_process")
def test_gold_tags(tree_corpus: Corpus, tmp_path: Path) -> None:
    """Gold tags are kept, and the exact parser is exact."""
    workshop = Workshop(tree_corpus, tmp_path, reuse=True)
    (sentence, *_) = tree_corpus.sentences("dev")
    for system in max_margin.gold_tag_systems(small=True):
        own = quick(system, QUICK_GOLD)
        workshop.train(own)
        runner = own.load(workshop.directory(own))
        (found,) = runner.annotations(runner.run(runner.prepare([sentence])))
        assert found.tags == sentence.tags
        parser: Any = runner.nlp.get_pipe("parser")
        assert parser.max_tags == 1
        assert parser.head_features == (system.key == max_margin.GOLD_KEY)


@pytest.mark.usefixtures("one_process")
def test_learners_and_reranker(tree_corpus: Corpus, tmp_path: Path) -> None:
    """Both learners have curves, one of them with a gap; the reranker's base is exact."""
    workshop = Workshop(tree_corpus, tmp_path, reuse=True)
    curves = {}
    makers = (max_margin.exact_system, max_margin.smo_system, max_margin.small_c_system)
    for make in makers:
        system = make(small=True)
        record = workshop.train(quick(system, QUICK))
        curves[benchmark.CURVES[system.key]] = max_margin.margin_curve(record)
    for name, points in curves.items():
        assert [point["epoch"] for point in points] == [*range(1, N_EPOCHS)]
        gaps = [point["gap"] for point in points]
        assert gaps == [None] * len(gaps) if name == "MIRA" else all(0 < gap < 1 for gap in gaps)
    # The smaller C, the nearer the optimum.
    assert curves["SMO, C 0.01"][-1]["gap"] < curves["SMO"][-1]["gap"]
    draw({"systems": [], "lengths": {}, "curves": curves}, tmp_path)
    assert (tmp_path / "max_margin-gap.png").exists()

    reranked = max_margin.reranked_system(small=True)
    of_base = {**reranked.its_task.of_base, **reranked_trees.folds(2, tagger=1, parser=1)}
    task = replace(reranked.its_task, of_base=of_base, of_training={"training.max_epochs": 1})
    assert reranked.parser is not None
    reranked = replace(quick(reranked, {"training.max_epochs": 1}), task=task)
    prepare_lists(reranked, workshop)
    workshop.train(reranked)
    nlp = reranked.load(workshop.directory(reranked)).nlp
    assert nlp.pipe_names == ["tagger", "parser", "reranker"]
    parser: Any = nlp.get_pipe("parser")
    assert not parser.head_features
    assert parser.n_stored == reranked_trees.K


@pytest.fixture
def shipped() -> IncrementalSystem:
    """The shipped config, trained for a moment."""
    system: IncrementalSystem = quick(max_margin.shipped_system(small=True), QUICK)
    return system


def test_results_are_reported(
    tree_corpus: Corpus, tmp_path: Path, shipped: IncrementalSystem
) -> None:
    """One system, measured in child processes, in tables, plots and on the page."""
    scale = MarginScale(**{**SMALL, "lengths": (2, 4), "length_words": 4, "other_words": 4})
    how = PhraseComparison(
        "max_margin",
        GROUPS,
        scale,
        [shipped],
        chosen=("max_margin", "quoted"),
        length_keys=benchmark.LENGTH_KEYS,
        pairs=benchmark.PAIRS,
        bins=((8, 12), (18, 22), (500, 600)),
    )
    workshop = Workshop(tree_corpus, tmp_path, reuse=True)
    how.train(workshop)
    data = measure(how, workshop)
    (row,) = data["systems"]
    # There are no longer sentences.
    assert [*row["real_lengths"]] == ["8 to 12 words", "18 to 22 words"]
    assert all(speed["sentences"] > 0 for speed in row["real_lengths"].values())
    assert 0.5 < row["pruning"]["oracle_recall"] <= 1
    # Phrases that are lost are the only faults.
    oracle = row["pruning"]["oracle"]
    assert oracle["precision"] == 1
    assert oracle["share"] >= row["accuracy"]["all"]["share"]
    assert {*row["calibration"]} == {"as_trained", "calibrated"}
    assert all(0 <= error < 1 for error in row["calibration"].values())
    assert [*data["lengths"]["max-margin"]] == ["2", "4"]
    data.update(
        benchmark="max_margin",
        corpus={"name": "sample", "words": {}},
        scale={"repetitions": 1},
        # As if all had been measured.
        lengths={row["key"]: {str(n): [{"words": 1, "cpu": n}] for n in LENGTHS}},
        curves={
            "MIRA": [{"epoch": 1, "score": 0.5, "gap": None}],
            "SMO": [
                {"epoch": 1, "score": 0.6, "gap": 0.25},
                {"epoch": 2, "score": 0.7, "gap": 0.2},
            ],
        },
    )
    by_title = {section.title: section for section in make_report(data).sections}
    assert by_title["Measured elsewhere"].results == list(QUOTED)
    assert by_title["Time per word by sentence length"].results[0]["ratio"] == 25
    bins = by_title["Sentences per CPU second by length"]
    assert [column.title for column in bins.columns] == [*row["real_lengths"]]
    curves = by_title["Duality gap and F1 by pass"]
    cells = [[column.cell(r) for column in curves.columns] for r in curves.results]
    assert cells == [["50.00", "60.00", "25.00"], ["–", "70.00", "20.00"]]
    part = make_part(data)
    assert all(section_text(section) for section in part.sections)
    draw(data, tmp_path)
    assert {path.name for path in tmp_path.glob("*.png")} == {*part.plots}


def test_nothing_is_shown_of_what_was_not_measured() -> None:
    data: dict[str, Any] = {
        "systems": [],
        "quoted": [],
        "comparisons": [],
        "lengths": {},
        "curves": {},
        "corpus": {"name": "sample", "words": {}},
        "scale": {"repetitions": 1},
    }
    assert make_report(data).sections == []
    assert curve_rows({}) == []
    part = make_part(data)
    assert [section.title for section in part.sections] == [""]
    assert part.plots == {}


def test_plots_leave_out_gold_tags() -> None:
    rows = [{"label": system.label, "group": system.group} for system in make_systems(GROUPS)]
    names = [point["name"] for point in speed_points(rows)]
    assert len({*names}) == len(names) == 6
    assert not any("gold" in name for name in names)


@pytest.mark.usefixtures("one_process")
def test_pruning_is_measured_on_predicted_tags(
    tree_corpus: Corpus, tmp_path: Path, shipped: IncrementalSystem
) -> None:
    """A parser that prunes nothing loses only what its grammar does not have."""
    workshop = Workshop(tree_corpus, tmp_path, reuse=True)
    loose = quick(shipped, {"components.parser.threshold": 1000.0})
    workshop.train(loose)
    found = phrase_pruning(loose, workshop.directory(loose), tree_corpus, "train")
    assert found["oracle_recall"] == found["oracle"]["share"] == 1.0
