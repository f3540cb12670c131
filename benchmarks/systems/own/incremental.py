"""This package's incremental parser of phrases: as shipped, on gold tags, and by beam width.

The names of its configs and settings that the benchmarks rely on are all here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import load_config

from ...command.paths import CONFIGS
from ...corpora.constituents import doc_constituents
from ...corpora.corpus import Corpus
from ...corpora.sentences import PhraseAnalysis
from ..records import TrainingRecord
from .base import SMALL_CORPUS, SMALL_TRAINING
from .parser import (
    PARSER,
    GoldTagParser,
    OwnParser,
    OwnParserRunner,
    ReloadedParser,
    parser_settings,
)

SHIPPED = CONFIGS / "incremental.cfg"
SHIPPED_FAST = CONFIGS / "incremental_fast.cfg"
NAME = "incremental_parser"
KEY = "incremental"
FAST_KEY = f"{KEY}-fast"
GOLD_KEY = f"{KEY}-gold"
SHIPPED_GROUP, FAST_GROUP, GOLD_GROUP = "shipped", "fast", "gold"
METRIC = "const_f"
EVAL_FREQUENCY = "training.eval_frequency"
# The model of the shipped width is tried with the others.
BEAMS = (1, 4, 16, 64)


def read_phrases(doc: Doc) -> PhraseAnalysis:
    """What a Doc of one sentence says."""
    is_partial = bool(doc._.partial_parses) if Doc.has_extension("partial_parses") else False
    return PhraseAnalysis([token.tag_ for token in doc], doc_constituents(doc), is_partial)


class PhraseRunner(OwnParserRunner):
    """Reads tags and phrases."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [read_phrases(doc) for doc in outputs]


@dataclass(frozen=True)
class IncrementalSystem(OwnParser):
    """Tagger and parser from a shipped config, trained in one go on jackknifed tags."""

    metric: str = METRIC
    family: str = SHIPPED_GROUP
    last_step: bool = True

    def make_runner(self, nlp: Language) -> OwnParserRunner:
        return PhraseRunner(nlp)


@dataclass(frozen=True)
class EvaluatedByPass(IncrementalSystem):
    """A training that is evaluated about once a pass."""

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        frequency = {EVAL_FREQUENCY: steps_in_pass(self.shipped, corpus)}
        return {**frequency, **super().settings(corpus, directory)}


def steps_in_pass(config: Path, corpus: Corpus) -> int:
    """The number of batches in a pass over train."""
    batch: int = load_config(config)["training"]["batcher"]["size"]
    return -(-len(DocBin().from_disk(corpus.path("train"))) // batch)


def learning_curve(record: TrainingRecord) -> list[dict[str, Any]]:
    """F1 on dev after each pass; the first checkpoint is after one batch."""
    return [
        {"epoch": n, "score": point.score} for n, point in enumerate(record.checkpoints) if n > 0
    ]


@dataclass(frozen=True)
class ReloadedIncremental(IncrementalSystem, ReloadedParser):
    """A trained parser that is loaded with other settings."""


@dataclass(frozen=True)
class GoldTagIncremental(IncrementalSystem, GoldTagParser):
    """The parser trained and run on gold tags."""

    def make_runner(self, nlp: Language) -> OwnParserRunner:
        return PhraseRunner(nlp, tagged=True)


def beam_of(shipped: Path) -> int:
    """The beam width that a config trains for."""
    width: int = load_config(shipped)["components"][PARSER]["beam_width"]
    return width


def shipped_system(shipped: Path = SHIPPED, *, small: bool = False) -> IncrementalSystem:
    """The shipped config; `small` for a small corpus."""
    return IncrementalSystem(
        key=KEY,
        name=NAME,
        setting=f"beam {beam_of(shipped)}",
        overrides=dict(SMALL_CORPUS) if small else {},
        shipped=shipped,
    )


def by_beam(base: IncrementalSystem, beams: Sequence[int] = BEAMS) -> list[ReloadedIncremental]:
    """A trained parser with other beams than its own."""
    own = beam_of(base.shipped)
    return [
        ReloadedIncremental(
            key=f"{base.key}-beam{beam}",
            name=base.name,
            setting=f"trained as above, beam {beam}",
            shipped=base.shipped,
            trained_as=base.key,
            loaded_with={"beam_width": beam},
        )
        for beam in beams
        if beam != own
    ]


def fast_system(shipped: Path = SHIPPED_FAST, *, small: bool = False) -> IncrementalSystem:
    """The shipped config with a narrow beam, which jackknifes its own tags."""
    return IncrementalSystem(
        key=FAST_KEY,
        name=NAME,
        setting=f"fast, beam {beam_of(shipped)}",
        overrides=dict(SMALL_CORPUS) if small else {},
        shipped=shipped,
        family=FAST_GROUP,
    )


def gold_tag_system(shipped: Path = SHIPPED, *, small: bool = False) -> GoldTagIncremental:
    """The parser of the shipped config on gold tags."""
    return GoldTagIncremental(
        key=GOLD_KEY,
        name=NAME,
        setting=f"beam {beam_of(shipped)}, gold tags",
        # Gold tags are not to be overruled.
        overrides={**parser_settings({"max_tags": 1}), **(SMALL_TRAINING if small else {})},
        shipped=shipped,
        family=GOLD_GROUP,
    )
