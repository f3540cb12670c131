"""The time that a reranker trains for against the number of lists it learns from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import linear_regression
from typing import Any

from spacy.tokens import DocBin
from spacy.training import Example
from spacy.util import load_model_from_config
from thinc.api import Config

from ..corpora.corpus import Corpus
from ..processes.records import Stopwatch
from ..report.tables import Column, Section
from ..systems.own.reranked import FOLDS_FILE, RERANKER, Task

GROWTH_COLUMNS = (
    Column("sentences", lambda result: result["n_sentences"], "{:,.0f}"),
    Column("CPU s", lambda result: result["cpu"], "{:.2f}"),
    Column("ms a sentence", lambda result: 1e3 * result["cpu"] / result["n_sentences"]),
    Column("mistakes", lambda result: result["n_mistakes"], "{:,.0f}"),
)


def reranker_config(task: Task) -> Config:
    """A pipeline of nothing but the task's reranker, which keeps no sentences back."""
    config = task.load_config().interpolate()
    block = config["components"][RERANKER]
    settings = {"seed": 0, "holdout": 0, **task.of_reranker}
    return Config(
        {
            "nlp": {"lang": config["nlp"]["lang"], "pipeline": [RERANKER]},
            "components": {RERANKER: {**block, **settings}},
        }
    )


def training_growth(
    task: Task, corpus: Corpus, directory: Path, numbers: Sequence[int]
) -> list[dict[str, Any]]:
    """Time one pass over more and more lists, each from the start; runs in a child process.

    task (Task): the task.
    corpus (Corpus): its corpus.
    directory (Path): where its jackknifed lists are.
    numbers (Sequence[int]): numbers of sentences.
    RETURNS (list[dict[str, Any]]): a result per number.
    """
    from spacy_perceptron.corpus.bins import unpack_docs

    config = reranker_config(task)
    vocab = load_model_from_config(config, auto_fill=True).vocab
    predicted = unpack_docs(DocBin().from_disk(directory / FOLDS_FILE), vocab)
    pairs = zip(predicted, corpus.docs("train", vocab), strict=True)
    examples = [Example(*pair) for pair in islice(pairs, max(numbers))]
    results = []
    for n in sorted({min(n, len(examples)) for n in numbers}):
        nlp = load_model_from_config(config, vocab=vocab, auto_fill=True)
        pipe: Any = nlp.get_pipe(RERANKER)
        chosen = examples[:n]
        pipe.initialize(lambda chosen=chosen: chosen, nlp=nlp)
        watch = Stopwatch()
        losses = pipe.update(chosen)
        wall, cpu = watch.read()
        results.append(
            {
                "label": f"{n:,} lists",
                "n_sentences": n,
                "wall": wall,
                "cpu": cpu,
                "n_mistakes": losses[RERANKER],
            }
        )
    return results


def growth_exponent(results: Sequence[Mapping[str, Any]]) -> float | None:
    """The power of the number of sentences with which the time grows; None for a single one."""
    points = [(math.log(row["n_sentences"]), math.log(row["cpu"])) for row in results]
    if len(points) < 2:
        return None
    x, y = zip(*points, strict=True)
    return linear_regression(x, y).slope


def growth_section(task_label: str, growth: Mapping[str, Any]) -> Section:
    """The table of a task's training times."""
    note = "One pass from the start, encoding of trees and tags included."
    if growth["exponent"] is not None:
        note += f" CPU time grows with the number to the power of {growth['exponent']:.2f}."
    return Section(
        f"Training time of the reranker: {task_label}", growth["rows"], GROWTH_COLUMNS, (note,)
    )
