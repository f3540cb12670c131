"""This package's parsers behind its taggers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config, load_model_from_config, resolve_dot_names

from ...corpora.corpus import Corpus
from ...corpora.sentences import Sentence
from ..base import SplitRunner
from ..pipelines import (
    PARSER_METRIC,
    READER,
    ParserRunner,
    PipelineSystem,
    make_doc,
    write_config,
)
from ..records import TrainingRecord
from .base import OwnSystem

TAGGER = "tagger"
PARSER = "parser"
TRAIN_CORPUS = "corpora.train"
FOLDS = "jackknife"
# The CPU time of other processes would not be counted.
ONE_PROCESS = {f"{TRAIN_CORPUS}.n_process": 1}


def parser_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of the parser as dotted settings of a config."""
    return {f"components.{PARSER}.{name}": value for name, value in settings.items()}


def load_reader(config: Path, settings: dict[str, Any]) -> tuple[Language, Any]:
    """An untrained pipeline and the reader of its training corpus.

    config (Path): the training config.
    settings (dict[str, Any]): dotted settings to change in it.
    RETURNS (tuple[Language, Any]): both.
    """
    overridden = load_config(config, overrides=settings, interpolate=False)
    nlp = load_model_from_config(overridden, auto_fill=True)
    (reader,) = resolve_dot_names(nlp.config.interpolate(), [TRAIN_CORPUS])
    return nlp, reader


class OwnParserRunner(ParserRunner, SplitRunner):
    """Runs taggers and parser; the parser can be timed alone.

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
class OwnParser(OwnSystem):
    """Taggers and parser from a shipped config, trained in one go on jackknifed tags.

    Tags of train are jackknifed when every part of train is tagged by taggers trained on the rest,
    so that the parser learns from tags as good as it will get.

    folds_home (str): home of the system whose jackknifed tags it learns from; "" for its own. Its
        training time then leaves them out: they are made, if need be, before the clock starts.
    """

    metric: str = PARSER_METRIC
    has_parts: bool = True
    folds_home: str = ""

    def folds(self, directory: Path) -> Path:
        """Where the jackknifed tags are kept."""
        return (directory.parent / self.folds_home if self.folds_home else directory) / FOLDS

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        return {
            **super().settings(corpus, directory),
            f"{TRAIN_CORPUS}.cache_dir": str(self.folds(directory)),
            **ONE_PROCESS,
        }

    def make_runner(self, nlp: Language) -> OwnParserRunner:
        return OwnParserRunner(nlp)

    def load(self, directory: Path) -> OwnParserRunner:
        return self.make_runner(spacy.load(self.model_path(directory)))

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        if self.folds_home:
            self._make_folds(corpus, directory)
        else:
            # Tags kept from an earlier run would make training look faster than it is.
            shutil.rmtree(self.folds(directory), ignore_errors=True)
        return super().train(corpus, directory)

    def _make_folds(self, corpus: Corpus, directory: Path) -> None:
        """Make the jackknifed tags unless they are there."""
        nlp, reader = load_reader(self.config(directory), self.settings(corpus, directory))
        next(iter(reader(nlp)))


@dataclass(frozen=True)
class ReloadedParser(OwnParser):
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
class PresetParser(OwnParser):
    """The parser alone, on Docs that carry annotation; subclasses say which."""

    def corpus_block(self, split: str, directory: Path) -> dict[str, Any]:
        """The reader of a split, without its path."""
        raise NotImplementedError

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        return PipelineSystem.settings(self, corpus, directory)

    def config(self, directory: Path) -> Path:
        config = self.load_config()
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
class GoldTagParser(PresetParser):
    """The parser trained and run on gold tags, fine and coarse."""

    def corpus_block(self, split: str, directory: Path) -> dict[str, Any]:
        return {"@readers": READER, "preset": ["tag", "pos"]}

    def make_runner(self, nlp: Language) -> OwnParserRunner:
        return OwnParserRunner(nlp, tagged=True)
