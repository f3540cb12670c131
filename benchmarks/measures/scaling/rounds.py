"""How long a round of training on Ray takes against an epoch of serial training."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thinc.api import Config

from ...corpora.corpus import Corpus
from ...systems.pipelines import PipelineSystem
from .training import count_examples, first_state, init_mixed, train_serially, training_config


def time_training(
    system: PipelineSystem,
    corpus: Corpus,
    directory: Path,
    workers: Sequence[int],
    n_rounds: int,
) -> dict[str, Any]:
    """Time the first epochs of serial training and rounds on Ray; runs in a child process.

    system (PipelineSystem): what to train.
    corpus (Corpus): on what.
    directory (Path): where to write files of the config.
    workers (Sequence[int]): numbers of workers.
    n_rounds (int): how many rounds.
    RETURNS (dict[str, Any]): `n_examples`, and wall seconds: of `epochs` without evaluation; of the
        start of `ray`; for each number of workers in `workers` until they have read their shards,
        and of each round, from mixed weights to mixed weights, without evaluation, and of the
        slowest shard's batches.
    """
    epochs = train_serially(training_config(system, corpus, directory), n_rounds)["seconds"]
    timing = _time_rounds(training_config(system, corpus, directory), workers, n_rounds)
    return {"epochs": epochs, **timing}


def _time_rounds(config: Config, workers: Sequence[int], n_rounds: int) -> dict[str, Any]:
    from spacy_perceptron.scale.cluster import connected
    from spacy_perceptron.scale.training.ray_training import RayShards, Setup

    nlp = init_mixed(config, n_rounds)
    state = first_state(nlp)
    result: dict[str, Any] = {"n_examples": count_examples(nlp), "workers": {}}
    began = time.perf_counter()
    # A core for each worker, also for those of the number before, which may take a moment to end.
    with connected(None, sum(workers)) as ray:
        result["ray"] = time.perf_counter() - began
        for n in workers:
            began = time.perf_counter()
            shards = RayShards(ray, Setup(nlp.config.to_str(), nlp.to_bytes(), n))
            shards.take(state)
            opened = time.perf_counter() - began
            rounds = [_time_round(shards, number) for number in range(n_rounds)]
            result["workers"][str(n)] = {"open": opened, "rounds": rounds}
            del shards
    return result


def _time_round(shards: Any, number: int) -> dict[str, float]:
    began = time.perf_counter()
    report, _ = shards.run(number)
    return {"wall": time.perf_counter() - began, "learn": report.learn_seconds}


def round_rows(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each number of workers.

    result (Mapping[str, Any]): what `time_training` returned, with a `label`.
    RETURNS (list[dict[str, Any]]): rows of a table: mean seconds of an `epoch`, a `round` and its
        `mixing`; `ratio` is that of rounds to the same number of epochs; `start` is in seconds.
    """
    rows = []
    for n, timing in result["workers"].items():
        rounds, epochs = timing["rounds"], result["epochs"][: len(timing["rounds"])]
        wall = sum(one["wall"] for one in rounds)
        learn = sum(one["learn"] for one in rounds)
        rows.append(
            {
                "label": f"{result['label']}, {n} worker{'s' if n != '1' else ''}",
                "n_workers": int(n),
                "n_examples": result["n_examples"],
                "start": result["ray"] + timing["open"],
                "epoch": sum(epochs) / len(epochs),
                "round": wall / len(rounds),
                "ratio": wall / sum(epochs),
                "mixing": (wall - learn) / len(rounds),
                "mixing_share": (wall - learn) / wall,
            }
        )
    return rows
