"""This package's MIRA parser, as shipped and in the variants that the experiments compare.

All names of its configs and settings that the benchmarks rely on stand here.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config, load_model_from_config, resolve_dot_names

from ..corpora import Corpus
from ..records import TrainingRecord
from ..sentences import Sentence
from .base import SplitRunner
from .spacy_parser import METRIC, ParserRunner
from .spacy_pipeline import READER, SMALL_CORPUS, SMALL_TRAINING, PipelineSystem, make_doc

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
SHIPPED = {1: CONFIGS / "parser_fast.cfg", 2: CONFIGS / "parser_ud.cfg"}
NAME = "mira_parser"
TAGGER = "tagger"
PARSER = "parser"
TRAIN_CORPUS = "corpora.train"
FOLDS = "jackknife"
# Either of the two alone still leaves arcs out.
NO_PRUNING: dict[str, Any] = {"pruning": 0.0, "max_heads": 0}
GUIDE_SETTINGS: dict[str, Any] = {"guide": True}


def parser_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of the parser as dotted settings of a config."""
    return {f"components.{PARSER}.{name}": value for name, value in settings.items()}


class MiraRunner(ParserRunner, SplitRunner):
    """Runs tagger and parser; the parser can be timed alone.

    nlp (Language): the pipeline.
    tagged (bool): whether inputs carry gold tags.
    """

    def __init__(self, nlp: Language, *, tagged: bool = False) -> None:
        super().__init__(nlp)
        self.tagged = tagged

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        vocab = self.nlp.vocab
        return [make_doc(vocab, sentence, tagged=self.tagged) for sentence in sentences]

    def run_first(self, inputs: list[Any]) -> list[Any]:
        return list(self.nlp.pipe(inputs, disable=[PARSER]))

    def run_last(self, inputs: list[Any]) -> list[Any]:
        others = [name for name in self.nlp.pipe_names if name != PARSER]
        return list(self.nlp.pipe(inputs, disable=others))


@dataclass(frozen=True)
class MiraSystem(PipelineSystem):
    """Tagger and parser from a shipped config, trained in one go on jackknifed tags.

    order (int): which of the shipped configs.
    """

    metric: str = METRIC
    has_parts: bool = True
    order: int = 1

    @property
    def group(self) -> str:
        return "ours"

    def config(self, directory: Path) -> Path:
        return SHIPPED[self.order]

    def folds(self, directory: Path) -> Path:
        """Where the jackknifed tags are kept."""
        return directory / FOLDS

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        return {
            **super().settings(corpus, directory),
            f"{TRAIN_CORPUS}.cache_dir": str(self.folds(directory)),
            # The CPU time of other processes would not be counted.
            f"{TRAIN_CORPUS}.n_process": 1,
        }

    def make_runner(self, nlp: Language) -> MiraRunner:
        return MiraRunner(nlp)

    def load(self, directory: Path) -> MiraRunner:
        return self.make_runner(spacy.load(self.model_path(directory)))

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        # Tags kept from an earlier run would make training look faster than it is.
        shutil.rmtree(self.folds(directory), ignore_errors=True)
        return super().train(corpus, directory)


@dataclass(frozen=True)
class MiraVariant(MiraSystem):
    """Other settings of the parser on the tags that the shipped config has been trained on.

    Its training time is without the folds: they are made, if need be, before the clock starts.
    """

    def folds(self, directory: Path) -> Path:
        return directory.parent / mira_system(self.order).home / FOLDS

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        settings = self.settings(corpus, directory)
        config = load_config(self.config(directory), overrides=settings, interpolate=False)
        nlp = load_model_from_config(config, auto_fill=True)
        (read,) = resolve_dot_names(nlp.config.interpolate(), [TRAIN_CORPUS])
        next(iter(read(nlp)))
        return PipelineSystem.train(self, corpus, directory)


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

    def load(self, directory: Path) -> MiraRunner:
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
        config = load_config(SHIPPED[self.order], interpolate=False)
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

    def make_runner(self, nlp: Language) -> MiraRunner:
        return MiraRunner(nlp, tagged=True)


def mira_system(order: int, *, small: bool = False) -> MiraSystem:
    """A shipped config, with the tagger as the docs advise for a small corpus."""
    return MiraSystem(
        key=f"ours-order{order}",
        name=NAME,
        setting=f"order {order}",
        order=order,
        overrides=dict(SMALL_CORPUS) if small else {},
    )


def unpruned_mira(order: int, *, small: bool = False) -> ReloadedMira:
    """A shipped config, decoded without pruning."""
    base = mira_system(order, small=small)
    return ReloadedMira(
        key=f"{base.key}-unpruned",
        name=base.name,
        setting=f"{base.setting}, no pruning",
        order=order,
        overrides=base.overrides,
        trained_as=base.key,
        loaded_with=dict(NO_PRUNING),
    )


def mira_variant(
    order: int, setting: str, settings: dict[str, Any], *, small: bool = False
) -> MiraVariant:
    """A shipped config with other settings of the parser.

    order (int): which of the shipped configs.
    setting (str): what to call it.
    settings (dict[str, Any]): the settings.
    small (bool): whether the corpus is small.
    RETURNS (MiraVariant): the system.
    """
    base = mira_system(order, small=small)
    return MiraVariant(
        key=f"{base.key}-{setting.replace(' ', '')}",
        name=base.name,
        setting=f"{base.setting}, {setting}",
        order=order,
        overrides={**base.overrides, **parser_settings(settings)},
    )


def gold_tag_mira(order: int, *, small: bool = False) -> GoldTagMira:
    """The parser of a shipped config on gold tags."""
    base = mira_system(order)
    return GoldTagMira(
        key=f"{base.key}-gold",
        name=base.name,
        setting=f"{base.setting}, gold tags",
        order=order,
        overrides=dict(SMALL_TRAINING) if small else {},
    )
