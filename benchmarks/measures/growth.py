"""How the training time of a reranker grows with the number of lists it learns from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from spacy.tokens import DocBin
from spacy.training import Example
from spacy.util import load_model_from_config
from thinc.api import Config

from ..corpora.corpus import Corpus
from ..systems.own.reranked import FOLDS_FILE, RERANKER, Task
from ..systems.records import Stopwatch
from .speed import fitted_power


def reranker_config(task: Task) -> Config:
    """A pipeline with only the task's reranker, which holds no sentences out."""
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
    """Time one pass over more and more lists, each with a new model; runs in a child process.

    task (Task): the task.
    corpus (Corpus): its corpus.
    directory (Path): where its jackknifed lists are kept.
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
    """The power of the number of sentences with which CPU time grows; None for a single number."""
    if len(results) < 2:
        return None
    return fitted_power((row["n_sentences"], row["cpu"]) for row in results)
