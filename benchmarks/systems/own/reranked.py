"""A base component alone and with a reranker behind it, from the configs with rerankers.

A config trains everything in one go. Here training takes three steps, so that each can be timed and
several rerankers can share the first two: jackknifed n-best lists, the base, and a reranker behind
the finished base. Each step learns from the same data as in one go.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import spacy
from thinc.api import Config

from spacy_perceptron.corpus.bins import read_bins

from ...command.paths import CONFIGS
from ...corpora.corpus import Corpus
from ..base import Runner
from ..pipelines import (
    EntityRunner,
    ParserRunner,
    PipelineRunner,
    PipelineSystem,
    split_paths,
    write_config,
)
from ..records import Stopwatch, TrainingRecord
from .base import SMALL_CORPUS, SMALL_TRAINING, load_for_sentences
from .parser import ONE_PROCESS, TRAIN_CORPUS, load_reader

RERANKER = "reranker"
FOLDS_FILE = "folds.spacy"
# Two passes over 5,000 sentences are 78 batches, so the last evaluation comes near their end.
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
    limit (int): train a further reranker, with the first kernel, on only this many sentences; 0 for
        none.
    metric (str): the dev score to record.
    model (str): which of the models that training leaves.
    runner (type[PipelineRunner]): what runs a loaded pipeline.
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
    runner: type[PipelineRunner]
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
            **split_paths(corpus),
            **self.of_training,
            **self.of_base,
            f"{TRAIN_CORPUS}.cache_dir": str(directory / "cache"),
            **ONE_PROCESS,
        }
        nlp, reader = load_reader(self.config(directory), settings)
        _, doc_bin = reader.predict(nlp)
        doc_bin.to_disk(directory / FOLDS_FILE)
        return watch.record()

    def config(self, directory: Path) -> Path:
        """The path of the config that jackknifes the lists."""
        return write_config(self.load_config(), directory)

    def load_config(self) -> Config:
        """The config of base and reranker, not interpolated."""
        return load_for_sentences(self.shipped)


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
        """Change the shipped config, in place, into the config of this training."""
        raise NotImplementedError

    def config(self, directory: Path) -> Path:
        config = self.its_task.load_config()
        self.change(config, directory)
        return write_config(config, directory)


@dataclass(frozen=True)
class RerankBase(RerankStep):
    """The pipeline without its reranker, and so without the n-best lists that only that needs."""

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
    """The pipeline with a reranker, trained behind a finished base.

    base_home (str): where the base was trained.
    limit (int): learn from this many sentences; 0 for all.
    """

    base_home: str = ""
    limit: int = 0

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        settings = super().settings(corpus, directory)
        if self.limit:
            # Predictions must cover exactly the sentences that are read.
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
        # After the reranker's passes there would be nothing but evaluations.
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
            # The folds are there already.
            **{k: v for k, v in task.of_base.items() if not k.startswith(TRAIN_CORPUS)},
        },
        metric=task.metric,
        runner=task.runner,
        model=task.model,
        task=task,
    )


def reranked_system(task: Task, kernel: str, *, limit: int = 0) -> RerankedSystem:
    """The base of a task with a reranker trained on `limit` sentences; 0 for all."""
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
        runner=task.runner,
        model=task.model,
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
    runner=ParserRunner,
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
    runner=EntityRunner,
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
