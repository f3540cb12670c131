"""The reranking benchmark: lists, base and reranker, one after the other."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin

from benchmarks.corpora.corpus import Corpus
from benchmarks.measures.growth import training_growth
from benchmarks.measures.reranking import (
    oracle_scores,
)
from benchmarks.processes import workshop as workshop_module
from benchmarks.processes.workshop import Workshop
from benchmarks.rerank import make_report, systems_of, train
from benchmarks.systems.own.reranked import RERANKER, Task, base_system, entity_task, parser_task
from spacy_perceptron.corpus.sample import SPLITS, load_sample

N_DOCS = 30


def weights_of(pipe: Any) -> list[bytes]:
    """All parameters; the bytes of a pipe also tell how many models the process has made."""
    nodes = pipe.model.walk()
    return [node.get_param(name).tobytes() for node in nodes for name in node.param_names]


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train here, not in child processes, which would import everything anew."""
    monkeypatch.setattr(workshop_module, "run_in_child", lambda make, *args: make(*args))


@pytest.mark.usefixtures("one_process")
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
    # What child processes are given.
    for made in (task.make_folds, base.train, reranked.train):
        assert pickle.loads(pickle.dumps(made)).__self__ == made.__self__
    models = [system.model_path(workshop.directory(system)) for system in (base, reranked)]
    alone, both = (spacy.load(model) for model in models)
    assert both.pipe_names == [*alone.pipe_names, RERANKER]
    for name in alone.pipe_names:
        assert weights_of(alone.get_pipe(name)) == weights_of(both.get_pipe(name))
    scores = oracle_scores(models[1], corpus, "test")
    assert all(0 < score <= 1 for score in scores.values())
    folds = workshop.work / task.folds_home
    rows = training_growth(task, corpus, folds, (10, 20))
    assert [row["n_sentences"] for row in rows] == [10, 20]
    assert all(row["cpu"] > 0 and math.isfinite(row["n_mistakes"]) for row in rows)


def test_a_run_without_tasks_has_one_table():
    assert make_report({"systems": [], "tasks": {}, "kernels": None}).sections == []
