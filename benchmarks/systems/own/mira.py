"""This package's MIRA parser: as shipped, and in the variants that the experiments compare.

The names of its configs and settings that the benchmarks rely on are all here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import spacy
from spacy.language import Language
from spacy.util import load_config

from ...corpora.corpus import Corpus
from ...paths import CONFIGS
from ..pipelines import READER, PipelineSystem, write_config
from ..records import TrainingRecord
from .base import SMALL_CORPUS, SMALL_TRAINING
from .parser import PARSER, TAGGER, OwnParser, OwnParserRunner, parser_settings

SHIPPED = {1: CONFIGS / "parser_fast.cfg", 2: CONFIGS / "parser_ud.cfg"}
NAME = "mira_parser"
# Any one of them alone still prunes arcs.
NO_PRUNING: dict[str, Any] = {"pruning": 0.0, "max_heads": 0, "narrowing": 0.0}
# A guide's features need room: in tables of the usual size they would collide with others.
GUIDE_SETTINGS: dict[str, Any] = {"guide": True, "model.n_bits": 24, "model.pruner_bits": 20}


@dataclass(frozen=True)
class MiraSystem(OwnParser):
    """The parser, which has a pruner."""


AnyMira = TypeVar("AnyMira", bound=MiraSystem)


@dataclass(frozen=True)
class ReloadedMira(MiraSystem):
    """A trained parser that is loaded with other settings; not a training of its own.

    trained_as (str): the key it is trained under.
    loaded_with (dict[str, Any]): settings of the parser to change when it is loaded.
    """

    trained_as: str = ""
    loaded_with: dict[str, Any] = field(default_factory=dict)

    @property
    def home(self) -> str:
        return self.trained_as

    def load(self, directory: Path) -> OwnParserRunner:
        config = {"components": {PARSER: self.loaded_with}}
        return self.make_runner(spacy.load(self.model_path(directory), config=config))


@dataclass(frozen=True)
class PresetMira(MiraSystem):
    """The parser alone, on Docs that carry annotation; subclasses say which."""

    def corpus_block(self, split: str, directory: Path) -> dict[str, Any]:
        """The reader of a split, without its path."""
        raise NotImplementedError

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        return PipelineSystem.settings(self, corpus, directory)

    def config(self, directory: Path) -> Path:
        config = load_config(self.shipped, interpolate=False)
        config["nlp"]["pipeline"] = [PARSER]
        config["components"] = {PARSER: config["components"][PARSER]}
        config["initialize"].get("components", {}).pop(TAGGER, None)
        for name in ("frozen_components", "annotating_components"):
            config["training"][name] = []
        for split in ("train", "dev"):
            block = self.corpus_block(split, directory)
            config["corpora"][split] = {**block, "path": f"${{paths.{split}}}"}
        return write_config(config, directory)

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        return PipelineSystem.train(self, corpus, directory)


@dataclass(frozen=True)
class GoldTagMira(PresetMira):
    """The parser trained and run on gold tags, fine and coarse."""

    def corpus_block(self, split: str, directory: Path) -> dict[str, Any]:
        return {"@readers": READER, "preset": ["tag", "pos"]}

    def make_runner(self, nlp: Language) -> OwnParserRunner:
        return OwnParserRunner(nlp, tagged=True)


def mira_system(order: int, *, small: bool = False) -> MiraSystem:
    """A shipped config, with the tagger's settings for a small corpus if need be."""
    return MiraSystem(
        key=f"ours-order{order}",
        name=NAME,
        setting=f"order {order}",
        shipped=SHIPPED[order],
        overrides=dict(SMALL_CORPUS) if small else {},
    )


def variant_of(
    base: MiraSystem, kind: type[AnyMira], suffix: str, setting: str, **fields: Any
) -> AnyMira:
    """A system that differs from another in some fields.

    base (MiraSystem): the other system.
    kind (type): the class of the result.
    suffix (str): what to add to its key.
    setting (str): what to add to its setting.
    fields (Any): further fields of the result.
    RETURNS (AnyMira): the system.
    """
    return kind(
        key=f"{base.key}-{suffix}",
        name=base.name,
        setting=f"{base.setting}, {setting}",
        shipped=base.shipped,
        **fields,
    )


def unpruned_mira(order: int, *, small: bool = False) -> ReloadedMira:
    """A shipped config, decoded without pruning."""
    base = mira_system(order, small=small)
    return variant_of(
        base,
        ReloadedMira,
        "unpruned",
        "no pruning",
        overrides=base.overrides,
        trained_as=base.key,
        loaded_with=dict(NO_PRUNING),
    )


def mira_variant(
    order: int, setting: str, settings: dict[str, Any], *, small: bool = False
) -> MiraSystem:
    """A shipped config with other settings of the parser.

    order (int): which of the shipped configs.
    setting (str): what to call it.
    settings (dict[str, Any]): the settings.
    small (bool): whether the corpus is small.
    RETURNS (MiraSystem): the system, which reuses the tags jackknifed for the shipped config.
    """
    base = mira_system(order, small=small)
    overrides = {**base.overrides, **parser_settings(settings)}
    suffix = setting.replace(" ", "")
    return variant_of(base, MiraSystem, suffix, setting, overrides=overrides, folds_home=base.home)


def gold_tag_mira(order: int, *, small: bool = False) -> GoldTagMira:
    """The parser of a shipped config on gold tags."""
    overrides = dict(SMALL_TRAINING) if small else {}
    return variant_of(mira_system(order), GoldTagMira, "gold", "gold tags", overrides=overrides)
