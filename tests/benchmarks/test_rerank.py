"""The arithmetic and the parts of the benchmark of rerankers."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin

from benchmarks.corpora.corpus import Corpus
from benchmarks.corpora.sentences import ROOT_HEAD, Analysis, Sentence
from benchmarks.measures.growth import growth_exponent, training_growth
from benchmarks.measures.reranking import (
    ACCURACY_COLUMNS,
    compare_parses,
    compare_spans,
    oracle_scores,
)
from benchmarks.processes.stages import Workshop
from benchmarks.registry import BENCHMARKS, load_benchmark
from benchmarks.rerank import GROUPS, add_arguments, make_sections, systems_of, train
from benchmarks.systems.own.reranked import RERANKER, Task, base_system, entity_task, parser_task
from spacy_perceptron.corpus.sample import SPLITS, load_sample

N_DOCS = 60


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


def test_growth_exponent():
    rows = [{"n_sentences": n, "cpu": 0.1 * n**1.5} for n in (10, 20, 40)]
    assert growth_exponent(rows) == pytest.approx(1.5)
    assert growth_exponent(rows[:1]) is None


def weights_of(pipe: Any) -> list[bytes]:
    """All parameters; the bytes of a pipe also tell how many models the process has made."""
    nodes = pipe.model.walk()
    return [node.get_param(name).tobytes() for node in nodes for name in node.param_names]


@pytest.mark.parametrize("make_task", [parser_task, entity_task])
def test_one_base_for_all(make_task: Callable[..., Task], tmp_path: Path):
    """Folds, base and reranker are made one after the other; the reranker's base is the base."""
    vocab = spacy.blank("en").vocab
    for split in SPLITS:
        docs = load_sample(vocab, split)[:N_DOCS]
        DocBin(docs=docs).to_disk(tmp_path / f"{split}.spacy")
    task = make_task(small=True)
    quick = {"training.max_epochs": 2, "training.eval_frequency": 1}
    task = replace(task, kernels=task.kernels[:1], of_training=quick)
    corpus = Corpus("sample", tmp_path)
    workshop = Workshop(corpus, tmp_path / "work", reuse=True)
    train(task, workshop)
    base, reranked = systems_of(task)
    assert base == base_system(task)
    models = [system.model_path(workshop.directory(system)) for system in (base, reranked)]
    alone, both = (spacy.load(model) for model in models)
    assert both.pipe_names == [*alone.pipe_names, RERANKER]
    for name in alone.pipe_names:
        assert weights_of(alone.get_pipe(name)) == weights_of(both.get_pipe(name))
    scores = oracle_scores(models[1], corpus, "test")
    assert all(0 < score <= 1 for score in scores.values())
    folds = workshop.work / task.folds_home
    rows = training_growth(task, corpus, folds, (20, 40))
    assert [row["n_sentences"] for row in rows] == [20, 40]
    assert all(row["cpu"] > 0 and math.isfinite(row["n_mistakes"]) for row in rows)


def test_command():
    assert "rerank" in BENCHMARKS
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert parser.parse_args([]).only == list(GROUPS)
    assert callable(load_benchmark("rerank").run)
    assert make_sections({"tasks": {}, "kernels": None}) == []
