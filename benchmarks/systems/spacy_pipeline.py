"""Taggers that are spaCy pipelines: this package's and spaCy's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.cli.init_config import init_config
from spacy.language import Language
from spacy.tokens import Doc

from ..corpora import Corpus
from ..records import TrainingRecord
from ..sentences import Sentence
from ..training import train_pipeline
from .base import Runner, System

READER = "spacy_perceptron.gold_tokens.v1"
SMALL_CORPUS = {"training.eval_frequency": 4, "components.tagger.model.min_weight": 0.05}
CONFIG = Path(__file__).resolve().parents[2] / "configs" / "tagger.cfg"


class PipelineRunner(Runner):
    """Runs `nlp.pipe` on ready-made Docs with one given sentence each."""

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        return [
            Doc(
                self.nlp.vocab,
                words=sentence.words,
                spaces=sentence.spaces,
                sent_starts=[i == 0 for i in range(len(sentence.words))],
            )
            for sentence in sentences
        ]

    def run(self, inputs: list[Any]) -> list[Any]:
        return list(self.nlp.pipe(inputs))

    def forget(self) -> None:
        for _, pipe in self.nlp.pipeline:
            if hasattr(pipe, "forget_texts"):
                pipe.forget_texts()

    def annotations(self, outputs: list[Any]) -> list[list[str]]:
        return [[token.tag_ for token in doc] for doc in outputs]


@dataclass(frozen=True)
class PipelineSystem(System):
    """A pipeline trained by spaCy's loop; subclasses say from which config.

    Train and dev are read with gold tokens, as test is: otherwise spaCy's tokenizer splits their
    text anew, and a pipeline trains on other tokens than it is tested on. All pipelines use the
    same reader, the fast one of this package.
    """

    key: str
    name: str
    setting: str = ""
    overrides: dict[str, Any] = field(default_factory=dict)
    max_minutes: float = 0.0

    def config(self, directory: Path) -> Path:
        """The path of the training config."""
        raise NotImplementedError

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        paths = {
            "paths.train": str(corpus.path("train")),
            "paths.dev": str(corpus.path("dev")),
        }
        return train_pipeline(
            self.config(directory),
            directory,
            {**paths, **self.overrides},
            "tag_acc",
            self.max_minutes,
        )

    def load(self, directory: Path) -> Runner:
        return PipelineRunner(spacy.load(self.model_path(directory)))

    def blank(self) -> Runner:
        return PipelineRunner(spacy.blank("en"))

    def model_path(self, directory: Path) -> Path:
        return directory / "model-best"


@dataclass(frozen=True)
class EasyFirstSystem(PipelineSystem):
    """This package's tagger, from the config it ships."""

    @property
    def group(self) -> str:
        return "ours"

    def config(self, directory: Path) -> Path:
        return CONFIG


@dataclass(frozen=True)
class SpacySystem(PipelineSystem):
    """spaCy's tagger on its own tok2vec, from the config `spacy init config` makes for a CPU."""

    def config(self, directory: Path) -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "config.cfg"
        config = init_config(lang="en", pipeline=["tagger"], optimize="efficiency", gpu=False)
        for split in ("train", "dev"):
            config["corpora"][split] = {"@readers": READER, "path": f"${{paths.{split}}}"}
        config.to_disk(path, interpolate=False)
        return path


def easy_first_system(beam: int, *, small: bool = False) -> EasyFirstSystem:
    """This package's tagger with a beam width, and as the docs advise for a small corpus."""
    return EasyFirstSystem(
        key=f"ours-beam{beam}",
        name="easy-first",
        setting=f"beam {beam}",
        overrides={"components.tagger.beam_width": beam, **(SMALL_CORPUS if small else {})},
    )


def spacy_system(*, max_steps: int | None = None, max_minutes: float = 0.0) -> SpacySystem:
    """spaCy's tagger, with its default stopping unless limited."""
    return SpacySystem(
        key="spacy",
        name="spaCy tok2vec + tagger",
        overrides={} if max_steps is None else {"training.max_steps": max_steps},
        max_minutes=max_minutes,
    )
