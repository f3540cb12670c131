"""Systems that are spaCy pipelines, and the taggers among them: this package's and spaCy's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.cli.init_config import init_config
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ..corpora.corpus import Corpus
from ..corpora.sentences import Sentence
from ..paths import CONFIGS
from ..processes.records import TrainingRecord
from ..processes.training import train_pipeline
from .base import Runner, System

READER = "spacy_perceptron.gold_tokens.v1"
SMALL_TRAINING: dict[str, Any] = {"training.eval_frequency": 4}
SMALL_CORPUS = {**SMALL_TRAINING, "components.tagger.model.min_weight": 0.05}
CONFIG = CONFIGS / "tagger.cfg"


def make_doc(vocab: Vocab, sentence: Sentence, *, tagged: bool = False) -> Doc:
    """A Doc of one given sentence.

    vocab (Vocab): its vocabulary.
    sentence (Sentence): its words.
    tagged (bool): whether to give it the gold tags, fine and coarse.
    RETURNS (Doc): the Doc, without any other annotation.
    """
    return Doc(
        vocab,
        words=sentence.words,
        spaces=sentence.spaces,
        tags=sentence.tags if tagged else None,
        pos=(sentence.pos or None) if tagged else None,
        sent_starts=[i == 0 for i in range(len(sentence.words))],
    )


class PipelineRunner(Runner):
    """Runs `nlp.pipe` on ready-made Docs with one given sentence each."""

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        return [make_doc(self.nlp.vocab, sentence) for sentence in sentences]

    def run(self, inputs: list[Any]) -> list[Any]:
        return list(self.nlp.pipe(inputs))

    def forget(self) -> None:
        for _, pipe in self.nlp.pipeline:
            if hasattr(pipe, "forget_texts"):
                pipe.forget_texts()

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [[token.tag_ for token in doc] for doc in outputs]


@dataclass(frozen=True)
class PipelineSystem(System):
    """A pipeline trained by spaCy's loop; subclasses say from which config.

    Train and dev are read with gold tokens, as test is: otherwise spaCy's tokenizer splits their
    text anew, and a pipeline trains on other tokens than it is tested on. All pipelines use the
    same reader, the fast one of this package.

    overrides (dict[str, Any]): dotted settings to change in the config.
    max_minutes (float): time limit for training; 0 for none.
    metric (str): name of the dev score to record.
    """

    key: str
    name: str
    setting: str = ""
    overrides: dict[str, Any] = field(default_factory=dict)
    max_minutes: float = 0.0
    metric: str = "tag_acc"

    def config(self, directory: Path) -> Path:
        """The path of the training config."""
        raise NotImplementedError

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        """All dotted settings to change in the config, those of the run included."""
        paths = {f"paths.{split}": str(corpus.path(split)) for split in ("train", "dev")}
        return {**paths, **self.overrides}

    def make_runner(self, nlp: Language) -> Runner:
        """What runs a loaded pipeline."""
        return PipelineRunner(nlp)

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        settings = self.settings(corpus, directory)
        config = self.config(directory)
        return train_pipeline(config, directory, settings, self.metric, self.max_minutes)

    def load(self, directory: Path) -> Runner:
        return self.make_runner(spacy.load(self.model_path(directory)))

    def blank(self) -> Runner:
        return self.make_runner(spacy.blank("en"))

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
    """spaCy's components on their own tok2vec, from the config `spacy init config` makes for a CPU.

    components (tuple[str, ...]): the components to ask it for.
    """

    components: tuple[str, ...] = ("tagger",)

    def config(self, directory: Path) -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "config.cfg"
        components = list(self.components)
        config = init_config(lang="en", pipeline=components, optimize="efficiency", gpu=False)
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


def step_limit(max_steps: int | None) -> dict[str, Any]:
    """The setting that limits the steps of a training, if there is a limit."""
    return {} if max_steps is None else {"training.max_steps": max_steps}


def spacy_tagger_system(*, max_steps: int | None = None, max_minutes: float = 0.0) -> SpacySystem:
    """spaCy's tagger, with its default stopping unless limited."""
    return SpacySystem(
        key="spacy",
        name="spaCy tok2vec + tagger",
        overrides=step_limit(max_steps),
        max_minutes=max_minutes,
    )
