"""A reranker behind the incremental parser: the subtree kernel on its 20 best trees.

The config trains everything in one go. Here the parser is the one that is measured alone: its
training is not repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from ...corpora.corpus import Corpus
from ...paths import CONFIGS
from ..base import Runner
from ..records import Stopwatch, TrainingRecord
from .base import SMALL_CORPUS, SMALL_TRAINING
from .incremental import METRIC, NAME, IncrementalSystem, PhraseRunner
from .parser import PARSER, TRAIN_CORPUS
from .reranked import MODEL_BEST, RERANKER, RerankedSystem, Task

FAMILY = "rerank"
KEY = "rerank-constituents"
BASE_KEY = f"{KEY}-base"
SHIPPED = CONFIGS / "incremental_reranker.cfg"
KERNEL = "subset_tree"
K = 20


@dataclass(frozen=True)
class ListedParser(IncrementalSystem):
    """A trained parser, saved once more as one that keeps its best trees.

    base_home (str): where it was trained.
    """

    family: str = FAMILY
    base_home: str = ""

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        watch = Stopwatch()
        directory.mkdir(parents=True, exist_ok=True)
        config = {"components": {PARSER: {"nbest": K}}}
        model = self.model_path(directory.parent / self.base_home)
        spacy.load(model, config=config).to_disk(self.model_path(directory))
        return watch.record()


@dataclass(frozen=True)
class RerankedTrees(RerankedSystem):
    """The parser with a reranker; what follows the tagger can be timed alone."""

    has_parts: bool = True
    last_step: bool = True

    @property
    def group(self) -> str:
        return FAMILY

    def make_runner(self, nlp: Language) -> Runner:
        return RerankedRunner(nlp)


class RerankedRunner(PhraseRunner):
    """Runs tagger, parser and reranker; the last two can be timed alone."""

    def run_first(self, inputs: list[Any]) -> list[Any]:
        return list(self.nlp.pipe(inputs, disable=[PARSER, RERANKER]))

    def run_last(self, inputs: list[Any]) -> list[Any]:
        others = [name for name in self.nlp.pipe_names if name not in (PARSER, RERANKER)]
        return list(self.nlp.pipe(inputs, disable=others))


def tree_task(*, small: bool = False) -> Task:
    """The task of the reranker; with few folds and epochs for a small corpus."""
    folds = {f"{TRAIN_CORPUS}.n_folds": 2, f"{TRAIN_CORPUS}.max_epochs": 2}
    of_tagger = {name: v for name, v in SMALL_CORPUS.items() if name not in SMALL_TRAINING}
    return Task(
        name="constituents",
        base=PARSER,
        label=NAME,
        shipped=SHIPPED,
        kernels=(KERNEL,),
        metric=METRIC,
        model=MODEL_BEST,
        runner=PhraseRunner,
        of_base={**of_tagger, **folds} if small else {},
        of_training=dict(SMALL_TRAINING) if small else {},
    )


def listed_parser(base: IncrementalSystem) -> ListedParser:
    """A parser as the reranker needs it."""
    return ListedParser(
        key=BASE_KEY,
        name=NAME,
        setting=f"{K}-best lists",
        base_home=base.home,
        shipped=base.shipped,
    )


def reranked_trees(*, small: bool = False) -> RerankedTrees:
    """The shipped parser with a reranker; `small` for a small corpus."""
    task = tree_task(small=small)
    return RerankedTrees(
        key=KEY,
        name=NAME,
        setting="reranked",
        overrides={**task.of_training, f"components.{RERANKER}.model.kernel": KERNEL},
        metric=task.metric,
        model=task.model,
        task=task,
        base_home=BASE_KEY,
    )
