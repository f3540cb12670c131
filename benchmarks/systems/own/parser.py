"""This package's parsers behind its taggers, trained from a shipped config."""

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
from ...processes.records import TrainingRecord
from ..base import SplitRunner
from ..peers.spacy_pipelines import METRIC, ParserRunner
from ..pipelines import PipelineSystem, make_doc

TAGGER = "tagger"
POS_TAGGER = "pos_tagger"
PARSER = "parser"
TRAIN_CORPUS = "corpora.train"
FOLDS = "jackknife"


def parser_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of the parser as dotted settings of a config."""
    return {f"components.{PARSER}.{name}": value for name, value in settings.items()}


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
class OwnParser(PipelineSystem):
    """Taggers and parser from a shipped config, trained in one go on jackknifed tags.

    shipped (Path): the config.
    folds_home (str): home of the system whose jackknifed tags it learns from; "" for its own. Its
        training time is then without them: they are made, if need be, before the clock starts.
    family (str): its group.
    """

    metric: str = METRIC
    has_parts: bool = True
    shipped: Path = Path()
    folds_home: str = ""
    family: str = "ours"

    @property
    def group(self) -> str:
        return self.family

    def config(self, directory: Path) -> Path:
        return self.shipped

    def folds(self, directory: Path) -> Path:
        """Where the jackknifed tags are kept."""
        return (directory.parent / self.folds_home if self.folds_home else directory) / FOLDS

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        return {
            **super().settings(corpus, directory),
            f"{TRAIN_CORPUS}.cache_dir": str(self.folds(directory)),
            # The CPU time of other processes would not be counted.
            f"{TRAIN_CORPUS}.n_process": 1,
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
        settings = self.settings(corpus, directory)
        config = load_config(self.config(directory), overrides=settings, interpolate=False)
        nlp = load_model_from_config(config, auto_fill=True)
        (read,) = resolve_dot_names(nlp.config.interpolate(), [TRAIN_CORPUS])
        next(iter(read(nlp)))
