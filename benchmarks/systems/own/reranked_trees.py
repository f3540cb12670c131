"""A reranker behind the incremental parser: the subtree kernel on its 20 best trees.

The config trains everything in one go. Here the parser is the one that is measured alone: its
training is not repeated. Two parsers are reranked: the shipped one, and the generative model, as in
Collins & Duffy (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from ...command.paths import CONFIGS
from ...corpora.corpus import Corpus
from ..base import Runner
from ..records import Stopwatch, TrainingRecord
from . import left_to_right
from .base import SMALL_CORPUS, SMALL_TRAINING
from .incremental import METRIC, NAME, IncrementalSystem, PhraseRunner, shipped_system
from .parser import PARSER, TRAIN_CORPUS, parser_settings
from .reranked import MODEL_BEST, RERANKER, RerankedSystem, Task

SHIPPED_FAMILY, GENERATIVE_FAMILY = FAMILIES = ("rerank", "rerank-generative")
KEY = "rerank-constituents"
GENERATIVE_KEY = "rerank-generative"
SHIPPED = CONFIGS / "incremental_reranker.cfg"
KERNEL = "subset_tree"
K = 20
# The generative model as a parser of the config. It is estimated at once: more parts cost little.
OF_GENERATIVE = parser_settings(
    {**left_to_right.OF_KIND[left_to_right.GENERATIVE], "transitions": "chains", "max_tags": 1}
)
N_FOLDS = 10
# Behind the generative model; chosen on dev: 3.1 % fewer errors, 2.6 % without words. Smaller and
# larger decay, fine tags, a margin, four passes and the base's score as a feature are worse.
OF_RERANKER: dict[str, Any] = {"use_words": True}


@dataclass(frozen=True)
class ListedParser(IncrementalSystem):
    """A trained parser, saved once more as one that keeps its best trees.

    base_home (str): where it was trained.
    """

    family: str = SHIPPED_FAMILY
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
    """A parser with a reranker; what follows the tagger can be timed alone.

    parser (IncrementalSystem | None): the parser, always given.
    family (str): the group it is shown in.
    """

    has_parts: bool = True
    last_step: bool = True
    parser: IncrementalSystem | None = None
    family: str = SHIPPED_FAMILY

    @property
    def its_parser(self) -> IncrementalSystem:
        """The parser."""
        assert self.parser is not None
        return self.parser

    @property
    def group(self) -> str:
        return self.family

    def make_runner(self, nlp: Language) -> Runner:
        return RerankedRunner(nlp)


class RerankedRunner(PhraseRunner):
    """Runs tagger, parser and reranker; the last two can be timed alone."""

    def run_first(self, inputs: list[Any]) -> list[Any]:
        return list(self.nlp.pipe(inputs, disable=[PARSER, RERANKER]))

    def run_last(self, inputs: list[Any]) -> list[Any]:
        others = [name for name in self.nlp.pipe_names if name not in (PARSER, RERANKER)]
        return list(self.nlp.pipe(inputs, disable=others))


def tree_task(*, generative: bool = False, small: bool = False) -> Task:
    """The task of a reranker.

    generative (bool): whether the parser is the generative model, not the shipped one.
    small (bool): few folds and epochs for a small corpus.
    RETURNS (Task): the task.
    """
    of_base: dict[str, Any] = {}
    if generative:
        of_base |= {**OF_GENERATIVE, **folds(N_FOLDS, tagger=3, parser=1)}
    if small:
        of_tagger = {name: v for name, v in SMALL_CORPUS.items() if name not in SMALL_TRAINING}
        of_base |= {**of_tagger, **folds(2, tagger=2, parser=1 if generative else 2)}
    return Task(
        name="generative" if generative else "constituents",
        base=PARSER,
        label=left_to_right.GENERATIVE_NAME if generative else NAME,
        shipped=SHIPPED,
        kernels=(KERNEL,),
        metric=METRIC,
        model=MODEL_BEST,
        runner=PhraseRunner,
        of_reranker=OF_RERANKER if generative else {},
        of_base=of_base,
        of_training=dict(SMALL_TRAINING) if small else {},
    )


def folds(n_folds: int, **epochs: int) -> dict[str, Any]:
    """Settings of jackknifing: the number of parts, and how long each component is trained."""
    return {f"{TRAIN_CORPUS}.n_folds": n_folds, f"{TRAIN_CORPUS}.max_epochs": epochs}


def listed_parser(base: IncrementalSystem, key: str = KEY) -> ListedParser:
    """A parser as the reranker with this key needs it."""
    return ListedParser(
        key=f"{key}-base",
        name=base.name,
        setting=f"{K}-best lists",
        base_home=base.home,
        shipped=base.shipped,
    )


def reranked_trees(*, generative: bool = False, small: bool = False) -> RerankedTrees:
    """A parser with a reranker.

    generative (bool): whether the parser is the generative model, not the shipped one.
    small (bool): whether the corpus is small.
    RETURNS (RerankedTrees): the system.
    """
    task = tree_task(generative=generative, small=small)
    key = GENERATIVE_KEY if generative else KEY
    parser = shipped_system(small=small)
    if generative:
        kind, tags = left_to_right.GENERATIVE, left_to_right.PREDICTED
        parser = left_to_right.paper_system(kind, tags, small=small)
    return behind(parser, task, key, family=FAMILIES[generative])


def behind(
    parser: IncrementalSystem,
    task: Task,
    key: str,
    *,
    setting: str = "reranked",
    family: str = SHIPPED_FAMILY,
) -> RerankedTrees:
    """A parser with a reranker.

    parser (IncrementalSystem): the parser.
    task (Task): the task of the reranker.
    key (str): the key of the system.
    setting (str): what distinguishes it from others of the same name.
    family (str): the group it is shown in.
    RETURNS (RerankedTrees): the system.
    """
    settings = {"model.kernel": KERNEL, **task.of_reranker}
    return RerankedTrees(
        key=key,
        name=task.label,
        setting=setting,
        overrides={
            **task.of_training,
            **{f"components.{RERANKER}.{name}": value for name, value in settings.items()},
        },
        metric=task.metric,
        model=task.model,
        task=task,
        base_home=listed_parser(parser, key).home,
        parser=parser,
        family=family,
    )
