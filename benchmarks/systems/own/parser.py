"""This package's parsers behind its taggers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import load_config, load_model_from_config, resolve_dot_names

from ...corpora.corpus import Corpus
from ...corpora.sentences import Sentence
from ..base import SplitRunner
from ..pipelines import PARSER_METRIC, ParserRunner, make_doc
from ..records import TrainingRecord
from .base import OwnSystem

TAGGER = "tagger"
POS_TAGGER = "pos_tagger"
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
