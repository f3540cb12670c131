"""The tasks of the benchmark of word clusters: a pipeline without them, the same pipeline with
them, and spaCy's with vectors, which knows words that are not in train, too.

A task says which systems it has, and how their answers are judged and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..corpora.constituents import tree_corpus
from ..corpora.corpus import Corpus, ewt
from ..corpora.entities import entity_corpus
from ..corpora.sentences import Sentence
from ..measures.constituents import compare_phrases, phrase_accuracy
from ..measures.entities import compare_entities, entity_accuracy
from ..measures.parses import compare_arcs, parse_accuracy
from ..measures.tags import tag_accuracy, training_forms
from ..processes.workshop import Workshop
from ..systems.base import System
from ..systems.own.base import AnyOwn, with_clusters
from ..systems.own.easy_first import BASE_BEAM, easy_first_parser
from ..systems.own.guided import GuidedMira, own_guide_maker, stacked_mira
from ..systems.own.max_margin import shipped_system
from ..systems.own.mira import mira_system
from ..systems.own.parser import OwnParser
from ..systems.own.sequences import easy_first_system, own_entity_system
from ..systems.peers.spacy_pipelines import (
    SpacySystem,
    spacy_entity_system,
    spacy_parser_system,
    spacy_tagger_system,
)

Answers = Sequence[Any]
BEAM, ENTITY_BEAM, ORDER = 3, 4, 2
GUIDE_FOLDS = "easy-first-guide-clusters"
PARSER_TARGET = 0.80


@dataclass(frozen=True)
class Means:
    """What systems are made with.

    clusters (Mapping[str, str]): paths of word clusters by name.
    vectors (Path | None): a text file of word vectors for spaCy's pipelines; None: they do not take
        part.
    seeds (int): trainings of each system, where they take minutes.
    small (bool): whether the corpus is small and time short.
    spacy_steps (int | None): at most this many steps in spaCy's training.
    spacy_minutes (float): at most this much CPU time in it; 0 for no limit.
    """

    clusters: Mapping[str, str]
    vectors: Path | None = None
    seeds: int = 1
    small: bool = False
    spacy_steps: int | None = None
    spacy_minutes: float = 0.0

    def spacy(self, make: Callable[..., SpacySystem]) -> list[System]:
        """A pipeline of spaCy's with the vectors, if there are any."""
        if self.vectors is None:
            return []
        system = make(max_steps=self.spacy_steps, max_minutes=self.spacy_minutes)
        return [replace(system, vectors=self.vectors, setting="vectors")]

    def again(self, system: AnyOwn) -> list[AnyOwn]:
        """The same system with other seeds."""
        return [with_seed(system, seed) for seed in range(1, self.seeds)]


def with_seed(system: AnyOwn, seed: int) -> AnyOwn:
    """The same system with another seed."""
    return replace(
        system,
        key=f"{system.key}-seed{seed}",
        setting=f"{system.setting}, seed {seed}",
        overrides={**system.overrides, "system.seed": seed},
    )


@dataclass(frozen=True)
class Task:
    """A task.

    name (str): its name in options and files.
    title (str): its heading.
    make_corpus (Callable): makes the corpus from the data in a directory.
    measures (Mapping[str, str]): titles of what is judged by their names in the results; the first
        one is compared.
    systems (Callable): makes the systems: the one without clusters, the one with them, peers.
    accuracy (Callable): judges answers on test.
    compare (Callable): compares two lists of answers: has a `p_value`.
    target (float): dev score until which trainings are timed.
    repeated (bool): whether it is trained with several seeds.
    prepare (Callable | None): makes what the systems need.
    """

    name: str
    title: str
    make_corpus: Callable[..., Corpus]
    measures: Mapping[str, str]
    systems: Callable[[Means], list[System]]
    accuracy: Callable[[Workshop, Sequence[Sentence], Answers], dict[str, Any]]
    compare: Callable[[Sequence[Sentence], Answers, Answers], dict[str, Any]]
    target: float
    repeated: bool = False
    prepare: Callable[[Workshop, Means], Any] | None = None


def _pair(system: AnyOwn, means: Means) -> list[System]:
    return [system, with_clusters(system, means.clusters)]


def _tag_systems(means: Means) -> list[System]:
    system = easy_first_system(BEAM, small=means.small)
    return [*_pair(system, means), *means.spacy(spacy_tagger_system)]


def _tree_systems(means: Means) -> list[System]:
    system = mira_system(ORDER, small=means.small)
    return [*_pair(system, means), *means.spacy(spacy_parser_system)]


def _guides(means: Means) -> tuple[OwnParser, OwnParser]:
    """The guides of stacked parsers: without clusters, and with them."""
    guide = easy_first_parser(BASE_BEAM, small=means.small)
    return guide, with_clusters(guide, means.clusters)


def _stacked_systems(means: Means) -> list[System]:
    return [stacked_with_clusters(means)]


def stacked_with_clusters(means: Means) -> GuidedMira:
    """The parser of the shipped config with an easy-first guide, both with clusters."""
    stacked = stacked_mira(ORDER, _guides(means)[1], small=means.small)
    return replace(with_clusters(stacked, means.clusters), folds_key=GUIDE_FOLDS)


def _prepare_stacked(workshop: Workshop, means: Means) -> None:
    guide = _guides(means)[1]
    workshop.train(guide)
    workshop.make(GUIDE_FOLDS, "easy-first guide's annotation", own_guide_maker(guide))


def _entity_systems(means: Means) -> list[System]:
    system = own_entity_system(ENTITY_BEAM, small=means.small)
    return [*_pair(system, means), *means.spacy(spacy_entity_system)]


def _phrase_systems(means: Means) -> list[System]:
    return _pair(shipped_system(small=means.small), means)


def _tag_accuracy(workshop: Workshop, gold: Sequence[Sentence], answers: Answers) -> dict[str, Any]:
    counts = tag_accuracy(gold, answers, training_forms(workshop.corpus.sentences("train")))
    return {
        name: {**asdict(count), "share": count.share}
        for name, count in (("all", counts.all), ("unknown", counts.unknown))
    }


def _compare_tags(gold: Sequence[Sentence], a: Answers, b: Answers) -> dict[str, Any]:
    from spacy_perceptron.evaluation.significance import mcnemar

    right = [
        np.array(
            [
                tag == found
                for sentence, tags in zip(gold, answers, strict=True)
                for tag, found in zip(sentence.tags, tags, strict=True)
            ]
        )
        for answers in (a, b)
    ]
    return asdict(mcnemar(*right))


TREE_MEASURES = {"las": "LAS", "uas": "UAS"}


def _parse_accuracy(workshop: Workshop, gold: Sequence[Sentence], found: Answers) -> dict[str, Any]:
    return parse_accuracy(gold, found)


def _compare_parses(gold: Sequence[Sentence], a: Answers, b: Answers) -> dict[str, Any]:
    return compare_arcs(gold, a, b, labelled=True)


TASKS: tuple[Task, ...] = (
    Task(
        "tags",
        "Tags",
        ewt,
        {"all": "all words", "unknown": "unknown words"},
        _tag_systems,
        _tag_accuracy,
        _compare_tags,
        target=0.93,
        repeated=True,
    ),
    Task(
        "trees",
        "Dependency trees",
        ewt,
        TREE_MEASURES,
        _tree_systems,
        _parse_accuracy,
        _compare_parses,
        target=PARSER_TARGET,
        repeated=True,
    ),
    Task(
        "stacked",
        "Dependency trees, guided by easy_first_parser",
        ewt,
        TREE_MEASURES,
        _stacked_systems,
        _parse_accuracy,
        _compare_parses,
        target=PARSER_TARGET,
        prepare=_prepare_stacked,
    ),
    Task(
        "entities",
        "Entities",
        entity_corpus,
        {"typed": "F1 with types", "boundaries": "F1 of boundaries"},
        _entity_systems,
        lambda workshop, gold, found: entity_accuracy(gold, found),
        lambda gold, a, b: compare_entities(gold, a, b, typed=True),
        target=0.6,
        repeated=True,
    ),
    Task(
        "phrases",
        "Phrases",
        tree_corpus,
        {"all": "F1"},
        _phrase_systems,
        lambda workshop, gold, found: phrase_accuracy(gold, found),
        compare_phrases,
        target=0.85,
    ),
)
