"""Training on shards of a corpus against serial training: accuracy after each round.

The shards are learned one after the other in one process. Workers of Ray would end with the same
weights, byte for byte, so this costs no more cores than one, whatever the number of shards.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import IO, Any

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.util import load_config, registry, resolve_dot_names
from thinc.api import Config

from ...corpora.corpus import Corpus
from ...systems.pipelines import PipelineSystem

LOGGER = "benchmarks.epochs.v1"
SERIAL = 0
# Rounds of training on shards for an epoch of serial training.
MORE_ROUNDS = 1.5


def training_config(
    system: PipelineSystem, corpus: Corpus, directory: Path, *, seed: int = 0
) -> Config:
    """The config of a system for a corpus, with the metric of the system as its only score.

    system (PipelineSystem): the system.
    corpus (Corpus): the corpus.
    directory (Path): where to write files of the config.
    seed (int): the seed.
    RETURNS (Config): the config, not interpolated.
    """
    settings = {**system.settings(corpus, directory), "system.seed": seed}
    config = load_config(system.config(directory), overrides=settings, interpolate=False)
    weights = config["training"]["score_weights"]
    config["training"]["score_weights"] = {**dict.fromkeys(weights), system.metric: 1.0}
    return config


def shipped_epochs(system: PipelineSystem, directory: Path) -> int:
    """For how many epochs the config of a system trains."""
    epochs: int = load_config(system.config(directory))["training"]["max_epochs"]
    return epochs


class EpochLog:
    """The scores and times of the epochs of a training, in which spaCy's loop evaluates after the
    first batch and then once an epoch.

    scores (list[float]): after each epoch, and one batch of the next.
    seconds (list[float]): wall time of the batches of each epoch, without evaluation.
    """

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.seconds: list[float] = []
        self._steps: list[float] = []
        self._last: float | None = None

    def add(self, info: Mapping[str, Any] | None) -> None:
        """Note a batch; `info` is what spaCy's loop says when it has evaluated."""
        now = time.perf_counter()
        if info is None and self._last is not None:
            self._steps.append(now - self._last)
        elif info is not None and info["step"] > 0:
            # The batch before the evaluation took as long as others.
            n_steps = len(self._steps)
            self.seconds.append(sum(self._steps) * (n_steps + 1) / max(n_steps, 1))
            self.scores.append(float(info["score"]))
            self._steps = []
        self._last = now


def train_serially(config: Config, n_epochs: int) -> dict[str, list[float]]:
    """Train by spaCy's own loop.

    config (Config): the config, not interpolated.
    n_epochs (int): how many epochs.
    RETURNS (dict[str, list[float]]): `scores` and `seconds` of epochs.
    """
    from spacy.training.loop import train

    log = EpochLog()

    @spacy.registry.loggers(LOGGER)
    def make_epoch_logger() -> Callable[..., Any]:
        def setup(nlp: Language, stdout: IO[str], stderr: IO[str]) -> tuple[Any, Any]:
            return log.add, lambda: None

        return setup

    config["training"].update(max_epochs=0, patience=0, logger={"@loggers": LOGGER})
    nlp = init_nlp(config)
    n_steps = count_batches(nlp)
    nlp.config["training"].update(eval_frequency=n_steps, max_steps=n_epochs * n_steps)
    train(nlp, None, stdout=io.StringIO(), stderr=io.StringIO())
    return {"scores": log.scores, "seconds": log.seconds}


def count_batches(nlp: Language) -> int:
    """The number of batches of an epoch."""
    config = nlp.config.interpolate()
    training = registry.resolve({"batcher": config["training"]["batcher"]})
    (corpus,) = resolve_dot_names(config, [config["training"]["train_corpus"]])
    return sum(1 for _ in training["batcher"](corpus(nlp)))


def count_examples(nlp: Language) -> int:
    """The number of examples of an epoch."""
    config = nlp.config.interpolate()
    (corpus,) = resolve_dot_names(config, [config["training"]["train_corpus"]])
    return sum(1 for _ in corpus(nlp))


def train_on_shards(config: Config, n_shards: int, n_rounds: int) -> list[float]:
    """Train by iterative parameter mixing, one shard after the other.

    config (Config): the config, not interpolated.
    n_shards (int): how many shards.
    n_rounds (int): how many rounds.
    RETURNS (list[float]): the scores after rounds.
    """
    from spacy_perceptron.scale.training.mixing import LocalShards, MixedTraining
    from spacy_perceptron.scale.training.ray_training import Setup

    nlp = init_mixed(config, n_rounds)
    setup = Setup(nlp.config.to_str(), nlp.to_bytes(), n_shards)
    shards = LocalShards([setup.load() for _ in range(n_shards)])
    shards.take(first_state(nlp))
    with tempfile.TemporaryDirectory() as folder:
        training = MixedTraining(
            nlp, shards, Path(folder), keep=lambda *_: None, stdout=io.StringIO()
        )
        with contextlib.redirect_stdout(io.StringIO()):
            training.run()
    return [float(score) for score, _ in training.progress.results]


def init_mixed(config: Config, n_rounds: int) -> Language:
    """An initialized pipeline for a training on shards that has so many rounds."""
    logger = {"@loggers": "spacy.ConsoleLogger.v1", "progress_bar": False}
    config["training"].update(max_epochs=n_rounds, max_steps=0, patience=0, logger=logger)
    return init_nlp(config)


def first_state(nlp: Language) -> dict[str, Any]:
    """What a training on shards starts from, with what `initialize` has counted."""
    from spacy_perceptron.scale.training.shard import NO_DOCS, trained_pipes

    return {name: pipe.get_state(NO_DOCS) for name, pipe in trained_pipes(nlp).items()}


def learning_curves(
    system: PipelineSystem,
    corpus: Corpus,
    directory: Path,
    shards: Sequence[int],
    seeds: int,
    n_epochs: int,
) -> dict[str, list[list[float]]]:
    """Train serially and on shards; runs in a child process.

    system (PipelineSystem): what to train.
    corpus (Corpus): on what.
    directory (Path): where to write files of the config.
    shards (Sequence[int]): numbers of shards.
    seeds (int): how many seeds.
    n_epochs (int): how many epochs of serial training; there are one and a half times as many
        rounds.
    RETURNS (dict[str, list[list[float]]]): the scores on dev of each seed after each round, by
        numbers of shards as text; SERIAL is serial training.
    """
    curves: dict[str, list[list[float]]] = {}
    for n_shards in (SERIAL, *shards):
        curves[str(n_shards)] = []
        for seed in range(seeds):
            config = training_config(system, corpus, directory, seed=seed)
            if n_shards == SERIAL:
                scores = train_serially(config, n_epochs)["scores"]
            else:
                scores = train_on_shards(config, n_shards, int(MORE_ROUNDS * n_epochs))
            curves[str(n_shards)].append(scores)
    return curves


def curve_label(n_shards: int) -> str:
    """What a training is called in tables and plots."""
    if n_shards == SERIAL:
        return "serial"
    return f"{n_shards} shard{'s' if n_shards > 1 else ''}"


def curve_rows(curves: Mapping[str, Sequence[Sequence[float]]]) -> list[dict[str, Any]]:
    """A row for each number of shards.

    curves (Mapping[str, Sequence[Sequence[float]]]): the scores of each seed after each round, by
        numbers of shards as text, as JSON has them.
    RETURNS (list[dict[str, Any]]): rows of a table: means over seeds of the best score, `best`, and
        of the round that has it; `difference` is to the serial mean; `reached` is the first round
        after which the mean score is the serial mean's best or better.
    """
    serial = [max(scores) for scores in curves[str(SERIAL)]]
    goal = max(map(mean, zip(*curves[str(SERIAL)], strict=True)))
    rows = []
    for key, seeds in curves.items():
        best = [max(scores) for scores in seeds]
        means = [mean(scores) for scores in zip(*seeds, strict=True)]
        reached = [number for number, score in enumerate(means, 1) if score >= goal]
        rows.append(
            {
                "label": curve_label(int(key)),
                "n_rounds": len(means),
                "best": mean(best),
                "deviation": stdev(best) if len(best) > 1 else None,
                "difference": None if int(key) == SERIAL else mean(best) - mean(serial),
                "at_round": mean(
                    scores.index(top) + 1 for scores, top in zip(seeds, best, strict=True)
                ),
                "reached": reached[0] if reached else None,
            }
        )
    return rows
