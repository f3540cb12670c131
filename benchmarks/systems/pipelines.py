"""Systems that are spaCy pipelines: how they are trained, loaded, run and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab
from thinc.api import Config

from ..corpora.corpus import Corpus, doc_heads
from ..corpora.entities import bio_tags
from ..corpora.sentences import ROOT_HEAD, ROOT_LABEL, Analysis, Sentence
from .base import Runner, System
from .records import TrainingRecord
from .training import train_pipeline

READER = "spacy_perceptron.gold_tokens.v1"
TAG_METRIC = "tag_acc"
PARSER_METRIC = "dep_las"
ENTITY_METRIC = "ents_f"
MORPH_METRIC = "morph_acc"


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


def step_limit(max_steps: int | None) -> dict[str, Any]:
    """The setting that limits the steps of a training, if there is a limit."""
    return {} if max_steps is None else {"training.max_steps": max_steps}


def split_paths(corpus: Corpus) -> dict[str, Any]:
    """The settings that name the DocBins a training reads."""
    return {f"paths.{split}": str(corpus.path(split)) for split in ("train", "dev")}


def write_config(config: Config, directory: Path) -> Path:
    """Write a training config, not interpolated; returns its path."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "config.cfg"
    config.to_disk(path, interpolate=False)
    return path


class PipelineRunner(Runner):
    """Runs `nlp.pipe` on ready-made Docs of one sentence each; reads tags."""

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


class ParserRunner(PipelineRunner):
    """Reads tags and trees."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        analyses = []
        for doc in outputs:
            heads = doc_heads(doc)
            labels = [
                ROOT_LABEL if head == ROOT_HEAD else token.dep_
                for head, token in zip(heads, doc, strict=True)
            ]
            analyses.append(Analysis([token.tag_ for token in doc], heads, labels))
        return analyses


class MorphologyRunner(PipelineRunner):
    """Reads coarse tags and morphology."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [[(token.pos_, str(token.morph)) for token in doc] for doc in outputs]


class EntityRunner(PipelineRunner):
    """Reads entities as BIO tags."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [bio_tags(doc) for doc in outputs]


@dataclass(frozen=True)
class PipelineSystem(System):
    """A pipeline trained by spaCy's loop; subclasses say from which config.

    Train and dev are read with gold tokens, as test is: otherwise spaCy's tokenizer would split
    their text anew, and a pipeline would be trained on other tokens than it is tested on. All
    pipelines use the same reader, the fast one of this package.

    overrides (dict[str, Any]): dotted settings to change in the config.
    max_minutes (float): time limit for training; 0 for none.
    metric (str): name of the dev score to record.
    runner (type[PipelineRunner]): what runs a loaded pipeline.
    model (str): which of the models that training leaves.
    last_step (bool): whether the last step is evaluated too, as it is outside benchmarks; matters
        where a training has few steps.
    """

    key: str
    name: str
    setting: str = ""
    overrides: dict[str, Any] = field(default_factory=dict)
    max_minutes: float = 0.0
    metric: str = TAG_METRIC
    runner: type[PipelineRunner] = PipelineRunner
    model: str = "model-best"
    last_step: bool = False

    def config(self, directory: Path) -> Path:
        """The path of the training config."""
        raise NotImplementedError

    def settings(self, corpus: Corpus, directory: Path) -> dict[str, Any]:
        """All dotted settings to change in the config, those of the run included."""
        return {**split_paths(corpus), **self.overrides}

    def make_runner(self, nlp: Language) -> Runner:
        """What runs a loaded pipeline."""
        return self.runner(nlp)

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        settings = self.settings(corpus, directory)
        config = self.config(directory)
        return train_pipeline(
            config, directory, settings, self.metric, self.max_minutes, last_step=self.last_step
        )

    def load(self, directory: Path) -> Runner:
        return self.make_runner(spacy.load(self.model_path(directory)))

    def blank(self) -> Runner:
        return self.make_runner(spacy.blank("en"))

    def model_path(self, directory: Path) -> Path:
        return directory / self.model
