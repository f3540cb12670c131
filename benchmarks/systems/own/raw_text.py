"""This package's pipeline from raw text, with the config that `init-config` makes for a corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.util import get_lang_class

from ...corpora.corpus import Corpus
from ..base import Runner
from ..pipelines import PARSER_METRIC, PipelineSystem
from ..raw_text import RawPipelineRunner
from ..records import Stopwatch, TrainingRecord

GROUP = "ours"
COMPONENTS = ("senter", "tagger", "lemmatizer", "parser")
# Of jackknifing: the CPU time of other processes would not be counted.
ONE_PROCESS: dict[str, Any] = {"corpora.train.n_process": 1}


@dataclass(frozen=True)
class OwnRawSystem(PipelineSystem):
    """The whole pipeline; its training time includes making the config, that is, fitting the
    tokenizer.

    components (tuple[str, ...]): what to ask `init-config` for.
    style (str): `fast`, `accurate`, or nothing for in between.
    lang (str): the language.
    given (Path | None): a config to take instead.
    """

    metric: str = PARSER_METRIC
    runner: type[RawPipelineRunner] = RawPipelineRunner
    last_step: bool = True
    components: tuple[str, ...] = COMPONENTS
    style: str = ""
    lang: str = "en"
    given: Path | None = None

    @property
    def group(self) -> str:
        return GROUP

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        is_jackknifed = "tagger" in self.components and len(self.components) > 1
        return {**super().settings(corpus, directory), **(ONE_PROCESS if is_jackknifed else {})}

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        watch = Stopwatch()
        if self.given is None:
            self.make_config(corpus, directory)
        wall, cpu = watch.read()
        record = super().train(corpus, directory)
        return replace(record, wall=record.wall + wall, cpu=record.cpu + cpu)

    def config(self, directory: Path) -> Path:
        return self.given or directory / "config.cfg"

    def make_config(self, corpus: Corpus, directory: Path) -> None:
        """Write the config for the corpus."""
        from spacy_perceptron.cli.init_config import init_config

        text = init_config(
            lang=self.lang,
            train=corpus.path("train"),
            dev=corpus.path("dev"),
            pipeline=list(self.components),
            style=self.style,
        )
        directory.mkdir(parents=True, exist_ok=True)
        self.config(directory).write_text(text, encoding="utf8")


@dataclass(frozen=True)
class DefaultTokenizer(OwnRawSystem):
    """The trained pipeline with the tokenizer of its language; no training of its own, since the
    components learn from gold tokens.

    trained_as (str): the key it is trained under.
    """

    trained_as: str = ""

    @property
    def home(self) -> str:
        return self.trained_as

    def load(self, directory: Path) -> Runner:
        nlp: Language = spacy.load(self.model_path(directory))
        nlp.tokenizer = get_lang_class(nlp.lang)(vocab=nlp.vocab).tokenizer
        return self.make_runner(nlp)


def own_raw_systems(config: Path | None = None) -> list[OwnRawSystem]:
    """Our pipeline with the tokenizer fitted to the corpus, and with spaCy's.

    config (Path | None): a training config, None for the one that `init-config` makes.
    RETURNS (list[OwnRawSystem]): both.
    """
    name = "spacy-perceptron"
    return [
        OwnRawSystem(key=GROUP, name=name, setting="fitted tokenizer", given=config),
        DefaultTokenizer(
            key=f"{GROUP}-default",
            name=name,
            setting="spaCy's tokenizer",
            given=config,
            trained_as=GROUP,
        ),
    ]
