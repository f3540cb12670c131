"""A base component alone and with a reranker behind it, from the configs with rerankers.

The config trains everything in one go. Here that is done in three steps, so that each has a time of
its own and several rerankers share the rest: n-best lists by jackknifing, the base, and a reranker
behind the finished base. What each step learns from is the same as in one go.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config, load_model_from_config, resolve_dot_names
from thinc.api import Config

from spacy_perceptron.corpus.bins import read_bins

from ...corpora.corpus import Corpus
from ...paths import CONFIGS
from ...processes.records import Stopwatch, TrainingRecord
from ..base import Runner
from ..peers.spacy_entities import EntityRunner
from ..peers.spacy_pipelines import ParserRunner
from ..pipelines import SMALL_CORPUS, SMALL_TRAINING, PipelineSystem
from .parser import TRAIN_CORPUS

RERANKER = "reranker"
FOLDS_FILE = "folds.spacy"
# Little more than a multiple ends two passes over a limited corpus: 5,000 sentences are 39 batches.
LIMITED_EVAL_FREQUENCY = 25
MODEL_LAST, MODEL_BEST = "model-last", "model-best"


@dataclass(frozen=True)
class Task:
    """A base to rerank.

    name (str): short name for files and options.
    base (str): name of the base in the config.
    label (str): name of the base in tables.
    shipped (Path): the config.
    kernels (tuple[str, ...]): the kernels to compare.
    limit (int): the first kernel also learns from so many sentences alone; 0 for no such reranker.
    metric (str): the dev score to record.
    model (str): which of the models that training leaves.
    make_runner (Callable): what runs a loaded pipeline.
    of_reranker (dict[str, Any]): settings of the reranker to change.
    of_base (dict[str, Any]): dotted settings of the base and its folds to change.
    of_training (dict[str, Any]): dotted settings of both trainings to change.
    """

    name: str
    base: str
    label: str
    shipped: Path
    kernels: tuple[str, ...]
    metric: str
    model: str
    make_runner: Callable[[Language], Runner]
    limit: int = 0
    of_reranker: dict[str, Any] = field(default_factory=dict)
    of_base: dict[str, Any] = field(default_factory=dict)
    of_training: dict[str, Any] = field(default_factory=dict)

    @property
    def folds_home(self) -> str:
        """The directory with the jackknifed n-best lists."""
        return f"rerank-{self.name}-folds"

    def make_folds(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        """Jackknife the n-best lists; runs in a child process."""
        watch = Stopwatch()
        shutil.rmtree(directory, ignore_errors=True)
        settings = {
            **{f"paths.{split}": str(corpus.path(split)) for split in ("train", "dev")},
            **self.of_training,
            **self.of_base,
            f"{TRAIN_CORPUS}.cache_dir": str(directory / "cache"),
            # The CPU time of other processes would not be counted.
            f"{TRAIN_CORPUS}.n_process": 1,
        }
        config = load_config(self.shipped, overrides=settings, interpolate=False)
        nlp = load_model_from_config(config, auto_fill=True)
        (read,) = resolve_dot_names(nlp.config.interpolate(), [TRAIN_CORPUS])
        _, doc_bin = read.predict(nlp)
        doc_bin.to_disk(directory / FOLDS_FILE)
        return watch.record()

    def load_config(self) -> Config:
        """The shipped config, not interpolated."""
        return load_config(self.shipped, interpolate=False)


@dataclass(frozen=True)
class RerankStep(PipelineSystem):
    """One of the two trainings of a task.

    task (Task): the task.
    """

    task: Task | None = None

    @property
    def its_task(self) -> Task:
        """The task, which is always given."""
        assert self.task is not None
        return self.task

    @property
    def group(self) -> str:
        return self.its_task.name

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        folds = directory.parent / self.its_task.folds_home / FOLDS_FILE
        return {**super().settings(corpus, directory), f"{TRAIN_CORPUS}.predictions": str(folds)}

    def change(self, config: Config, directory: Path) -> None:
        """Make of the shipped config, in place, the config of this training."""
        raise NotImplementedError

    def config(self, directory: Path) -> Path:
        config = self.its_task.load_config()
        self.change(config, directory)
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "config.cfg"
        config.to_disk(path, interpolate=False)
        return path

    def make_runner(self, nlp: Language) -> Runner:
        return self.its_task.make_runner(nlp)

    def model_path(self, directory: Path) -> Path:
        return directory / self.its_task.model


@dataclass(frozen=True)
class RerankBase(RerankStep):
    """The pipeline without its reranker. It keeps n-best lists only for one that comes later."""

    def change(self, config: Config, directory: Path) -> None:
        config["nlp"]["pipeline"].remove(RERANKER)
        del config["components"][RERANKER]
        weights = config["training"]["score_weights"]
        weights.update({name: None for name in weights if name.startswith("rerank")})

    def load(self, directory: Path) -> Runner:
        config = {"components": {self.its_task.base: {"nbest": 0}}}
        return self.make_runner(spacy.load(self.model_path(directory), config=config))


@dataclass(frozen=True)
class RerankedSystem(RerankStep):
    """The pipeline with a reranker, trained behind a base that is ready.

    base_home (str): where the base was trained.
    limit (int): learn from so many sentences; 0 for all.
    """

    base_home: str = ""
    limit: int = 0

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        settings = super().settings(corpus, directory)
        if self.limit:
            # Predictions must be of just those sentences that are read.
            name = f"{TRAIN_CORPUS}.predictions"
            (folds,) = read_bins(Path(settings[name]), limit=self.limit)
            directory.mkdir(parents=True, exist_ok=True)
            folds.to_disk(directory / FOLDS_FILE)
            settings[name] = str(directory / FOLDS_FILE)
            settings[f"{TRAIN_CORPUS}.limit"] = self.limit
            settings["training.eval_frequency"] = LIMITED_EVAL_FREQUENCY
        return settings

    def change(self, config: Config, directory: Path) -> None:
        model = str((directory.parent / self.base_home / self.its_task.model).resolve())
        others = [name for name in config["nlp"]["pipeline"] if name != RERANKER]
        for name in others:
            config["components"][name] = {"source": model}
        config["training"]["frozen_components"] = others
        # What comes after the reranker's passes would only be evaluations.
        passes = config["components"][RERANKER]["passes"]
        config["training"]["max_epochs"] = passes or config["training"]["max_epochs"]


def base_system(task: Task) -> RerankBase:
    """The base of a task."""
    return RerankBase(
        key=f"rerank-{task.name}-base",
        name=task.label,
        setting="alone",
        overrides={
            **task.of_training,
            # Folds are made already.
            **{k: v for k, v in task.of_base.items() if not k.startswith(TRAIN_CORPUS)},
        },
        metric=task.metric,
        task=task,
    )


def reranked_system(task: Task, kernel: str, *, limit: int = 0) -> RerankedSystem:
    """The base of a task with a reranker, which learns from so many sentences; 0 for all."""
    settings = {"model.kernel": kernel, **task.of_reranker}
    return RerankedSystem(
        key=f"rerank-{task.name}-{kernel}" + (f"-{limit}" if limit else ""),
        name=task.label,
        setting=f"reranked by {kernel}" + (f" of {limit:,} sentences" if limit else ""),
        overrides={
            **task.of_training,
            **{f"components.{RERANKER}.{name}": value for name, value in settings.items()},
        },
        metric=task.metric,
        task=task,
        base_home=base_system(task).home,
        limit=limit,
    )


PARSER_TASK = Task(
    name="parser",
    base="parser",
    label="mira_parser, order 1",
    shipped=CONFIGS / "reranker.cfg",
    kernels=("subset_tree",),
    metric="dep_las",
    model=MODEL_BEST,
    make_runner=ParserRunner,
    limit=5_000,
)
ENTITY_TASK = Task(
    name="ner",
    base="ner",
    label="perceptron_ner",
    shipped=CONFIGS / "ner_reranker.cfg",
    kernels=("tagging", "smoothed_tagging"),
    metric="ents_boundary_f",
    model=MODEL_LAST,
    make_runner=EntityRunner,
    # Boundaries are what the paper reranks.
    of_reranker={"typed": False},
)


def parser_task(*, small: bool = False) -> Task:
    """The parser; with few folds and epochs for a small corpus."""
    if not small:
        return PARSER_TASK
    folds = {f"{TRAIN_CORPUS}.n_folds": 2, f"{TRAIN_CORPUS}.max_epochs": 3}
    of_tagger = {k: v for k, v in SMALL_CORPUS.items() if k not in SMALL_TRAINING}
    return replace(
        PARSER_TASK, limit=0, of_base={**of_tagger, **folds}, of_training=dict(SMALL_TRAINING)
    )


def entity_task(*, small: bool = False) -> Task:
    """The entity recognizer; with few folds for a small corpus."""
    if not small:
        return ENTITY_TASK
    folds = {f"{TRAIN_CORPUS}.n_folds": 2}
    return replace(ENTITY_TASK, of_base=folds, of_training=dict(SMALL_TRAINING))
