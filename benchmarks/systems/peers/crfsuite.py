"""CRFsuite: a first-order chain over tags, with features extracted in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...corpora.sentences import Sentence
from ..base import Runner, System
from ..records import Stopwatch, TrainingRecord

if TYPE_CHECKING:
    from ...corpora.corpus import Corpus

GROUP = "crfsuite"
AFFIXES = range(1, 5)
OUTSIDE = "<>"


@lru_cache(maxsize=1 << 16)
def collapsed_shape(word: str) -> str:
    """The word with its letters and digits replaced by their kinds, and runs of a kind by one."""
    kinds = (
        "X" if char.isupper() else "x" if char.islower() else "0" if char.isdigit() else char
        for char in word
    )
    return "".join(kind for kind, _ in groupby(kinds))


def sentence_features(words: Sequence[str]) -> list[list[str]]:
    """The features of every word: itself, its shape and affixes, two words on either side."""
    padded = [OUTSIDE, OUTSIDE, *words, OUTSIDE, OUTSIDE]
    shapes = [collapsed_shape(word) for word in padded]
    features = []
    for i, word in enumerate(words, 2):
        before, after = padded[i - 1], padded[i + 1]
        row = [
            "bias",
            "w=" + word,
            "lower=" + word.lower(),
            "shape=" + shapes[i],
            "w-1=" + before,
            "w+1=" + after,
            "w-2=" + padded[i - 2],
            "w+2=" + padded[i + 2],
            f"w-1w={before} {word}",
            f"ww+1={word} {after}",
            "suffix-1=" + before[-3:],
            "suffix+1=" + after[-3:],
            "shape-1=" + shapes[i - 1],
            "shape+1=" + shapes[i + 1],
        ]
        for size in AFFIXES:
            if len(word) >= size:
                row.append(f"p{size}={word[:size]}")
                row.append(f"s{size}={word[-size:]}")
        features.append(row)
    return features


class CrfsuiteRunner(Runner):
    """Extracts features and tags; tags nothing without a tagger."""

    def __init__(self, tagger: Any = None) -> None:
        self.tagger = tagger

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        collapsed_shape.cache_clear()
        return [sentence.words for sentence in sentences]

    def run(self, inputs: list[Any]) -> list[Any]:
        if self.tagger is None:
            return []
        return [self.tagger.tag(sentence_features(words)) for words in inputs]

    def annotations(self, outputs: list[Any]) -> list[list[str]]:
        return outputs


@dataclass(frozen=True)
class CrfsuiteSystem(System):
    """python-crfsuite on tags: parts of speech, or BIO tags of entities.

    algorithm (str): its name for the learner.
    parameters (dict[str, Any]): settings of the learner.
    """

    key: str = GROUP
    name: str = "CRFsuite averaged perceptron"
    library: str = "pycrfsuite"
    algorithm: str = "ap"
    parameters: dict[str, Any] = field(default_factory=lambda: {"max_iterations": 10})

    @property
    def group(self) -> str:
        return GROUP

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        import pycrfsuite

        sentences = corpus.sentences("train")
        directory.mkdir(parents=True, exist_ok=True)
        watch = Stopwatch()
        trainer = pycrfsuite.Trainer(algorithm=self.algorithm, verbose=False)
        trainer.set_params(self.parameters)
        for sentence in sentences:
            trainer.append(sentence_features(sentence.words), sentence.tags)
        trainer.train(str(self.model_path(directory)))
        return watch.record()

    def load(self, directory: Path) -> Runner:
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open(str(self.model_path(directory)))
        return CrfsuiteRunner(tagger)

    def blank(self) -> Runner:
        return CrfsuiteRunner()

    def model_path(self, directory: Path) -> Path:
        return directory / "model.crfsuite"


def lbfgs_system() -> CrfsuiteSystem:
    """CRFsuite trained for conditional likelihood instead of by the perceptron."""
    return CrfsuiteSystem(
        key=f"{GROUP}-lbfgs",
        name="CRFsuite L-BFGS",
        algorithm="lbfgs",
        parameters={"c1": 0.1, "c2": 0.1, "max_iterations": 100},
    )
