"""Training with spaCy's own loop, with the time of every checkpoint on record.

A logger notes wall and CPU seconds at each evaluation, from which the time to the best checkpoint
and the time until the dev score reaches a target follow. Times start before the pipeline is
initialized and include evaluation on dev and saving, for all pipelines alike.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config

from .records import Checkpoint, Stopwatch, TrainingRecord

LOGGER = "benchmarks.timed_logger.v1"


class TimeIsUp(Exception):  # noqa: N818 (not an error: the best model so far is kept)
    """Raised by the logger to stop a training that has a time limit."""


def _register_logger(watch: Stopwatch, checkpoints: list[Checkpoint], metric: str) -> None:
    """Register the logger, which keeps and prints checkpoints and enforces the time limit."""

    @spacy.registry.loggers(LOGGER)
    def make_timed_logger(max_minutes: float = 0.0) -> Callable[..., Any]:
        def setup(nlp: Language, stdout: IO[str], stderr: IO[str]) -> tuple[Any, Any]:
            def log_step(info: dict[str, Any] | None) -> None:
                wall, cpu = watch.read()
                if info is not None:
                    score = float(info["other_scores"][metric])
                    losses = {name: float(loss) for name, loss in info["losses"].items()}
                    point = Checkpoint(info["step"], info["epoch"], score, wall, cpu, losses)
                    checkpoints.append(point)
                    stdout.write(json.dumps(asdict(point)) + "\n")
                    stdout.flush()
                if max_minutes and cpu > 60 * max_minutes:
                    raise TimeIsUp

            return log_step, lambda: None

        return setup


def train_pipeline(
    config: Path,
    directory: Path,
    overrides: dict[str, Any],
    metric: str,
    max_minutes: float = 0.0,
    *,
    last_step: bool = False,
) -> TrainingRecord:
    """Train a pipeline from its config in this process; meant to run in a child.

    config (Path): the training config.
    directory (Path): gets model-best, model-last and train.log.
    overrides (dict[str, Any]): dotted settings to change in the config.
    metric (str): name of the dev score to record.
    max_minutes (float): stop after this CPU time and keep the best model so far; 0 for no limit.
    last_step (bool): evaluate the last step too, with the logger of the config.
    RETURNS (TrainingRecord): times and checkpoints.
    """
    watch = Stopwatch()
    checkpoints: list[Checkpoint] = []
    _register_logger(watch, checkpoints, metric)
    settings = load_config(config, overrides=overrides, interpolate=False)
    logger = {"@loggers": LOGGER, "max_minutes": max_minutes}
    if last_step:
        settings["training"]["logger"]["logger"] = logger
    else:
        settings["training"]["logger"] = logger
    stopped_early = False
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "train.log").open("w", encoding="utf8") as log:
        nlp = init_nlp(settings, use_gpu=-1)
        try:
            with contextlib.redirect_stdout(log):
                train_loop(nlp, directory, use_gpu=-1, stdout=log, stderr=log)
        except TimeIsUp:
            stopped_early = True
    return watch.record(stopped_early=stopped_early, checkpoints=checkpoints)
