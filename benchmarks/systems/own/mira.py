"""This package's MIRA parser, as shipped and in the variants that the experiments compare.

All names of its configs and settings that the benchmarks rely on stand here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config

from ...corpora.corpus import Corpus
from ...paths import CONFIGS
from ...processes.records import TrainingRecord
from ..pipelines import READER, SMALL_CORPUS, SMALL_TRAINING, PipelineSystem
from .parser import PARSER, TAGGER, OwnParser, OwnParserRunner, parser_settings

SHIPPED = {1: CONFIGS / "parser_fast.cfg", 2: CONFIGS / "parser_ud.cfg"}
NAME = "mira_parser"
# Any of them alone still leaves arcs out.
NO_PRUNING: dict[str, Any] = {"pruning": 0.0, "max_heads": 0, "narrowing": 0.0}
# A guide's features need room: in tables of the usual size they collide with others.
GUIDE_SETTINGS: dict[str, Any] = {"guide": True, "model.n_bits": 24, "model.pruner_bits": 20}


@dataclass(frozen=True)
class MiraSystem(OwnParser):
    """The parser, which has a pruner."""


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
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "config.cfg"
        config.to_disk(path, interpolate=False)
        return path

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
    """A shipped config, with the tagger as the docs advise for a small corpus."""
    return MiraSystem(
        key=f"ours-order{order}",
        name=NAME,
        setting=f"order {order}",
        shipped=SHIPPED[order],
        overrides=dict(SMALL_CORPUS) if small else {},
    )


def unpruned_mira(order: int, *, small: bool = False) -> ReloadedMira:
    """A shipped config, decoded without pruning."""
    base = mira_system(order, small=small)
    return ReloadedMira(
        key=f"{base.key}-unpruned",
        name=base.name,
        setting=f"{base.setting}, no pruning",
        shipped=SHIPPED[order],
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
    RETURNS (MiraSystem): the system, which reuses the folds of the shipped config's.
    """
    base = mira_system(order, small=small)
    return MiraSystem(
        key=f"{base.key}-{setting.replace(' ', '')}",
        name=base.name,
        setting=f"{base.setting}, {setting}",
        shipped=SHIPPED[order],
        overrides={**base.overrides, **parser_settings(settings)},
        folds_home=base.home,
    )


def gold_tag_mira(order: int, *, small: bool = False) -> GoldTagMira:
    """The parser of a shipped config on gold tags."""
    base = mira_system(order)
    return GoldTagMira(
        key=f"{base.key}-gold",
        name=base.name,
        setting=f"{base.setting}, gold tags",
        shipped=SHIPPED[order],
        overrides=dict(SMALL_TRAINING) if small else {},
    )
