"""NLTK's averaged perceptron tagger: greedy, left to right, in Python."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...corpora.sentences import Sentence
from ..base import Runner, System
from ..records import Stopwatch, TrainingRecord

if TYPE_CHECKING:
    from ...corpora.corpus import Corpus

ITERATIONS = 5
SEED = 0


class NltkRunner(Runner):
    """Tags lists of words; tags nothing without a tagger."""

    def __init__(self, tagger: Any = None) -> None:
        self.tagger = tagger

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        return [sentence.words for sentence in sentences]

    def run(self, inputs: list[Any]) -> list[Any]:
        if self.tagger is None:
            return []
        return [self.tagger.tag(words) for words in inputs]

    def annotations(self, outputs: list[Any]) -> list[list[str]]:
        return [[tag for _, tag in pairs] for pairs in outputs]


@dataclass(frozen=True)
class NltkSystem(System):
    """`PerceptronTagger` trained from scratch, saved as the three JSON values that NLTK saves."""

    key: str = "nltk"
    name: str = "NLTK PerceptronTagger"
    library: str = "nltk.tag.perceptron"

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        from nltk.tag.perceptron import PerceptronTagger

        sentences = [
            list(zip(sentence.words, sentence.tags, strict=True))
            for sentence in corpus.sentences("train")
        ]
        directory.mkdir(parents=True, exist_ok=True)
        random.seed(SEED)
        watch = Stopwatch()
        tagger = PerceptronTagger(load=False)
        tagger.train(sentences, nr_iter=ITERATIONS)
        state = [tagger.model.weights, tagger.tagdict, sorted(tagger.classes)]
        self.model_path(directory).write_text(json.dumps(state), encoding="utf8")
        return watch.record()

    def load(self, directory: Path) -> Runner:
        from nltk.tag.perceptron import PerceptronTagger

        weights, tagdict, classes = json.loads(self.model_path(directory).read_text("utf8"))
        tagger = PerceptronTagger(load=False)
        tagger.model.weights = weights
        tagger.tagdict = tagdict
        tagger.classes = tagger.model.classes = set(classes)
        return NltkRunner(tagger)

    def blank(self) -> Runner:
        return NltkRunner()

    def model_path(self, directory: Path) -> Path:
        return directory / "model.json"
