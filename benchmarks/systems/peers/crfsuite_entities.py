"""CRFsuite over entity tags, with the features of its tagger."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...processes.records import Stopwatch, TrainingRecord
from .crfsuite import CrfsuiteSystem, sentence_features

if TYPE_CHECKING:
    from ...corpora.corpus import Corpus


@dataclass(frozen=True)
class CrfsuiteEntitySystem(CrfsuiteSystem):
    """python-crfsuite on BIO tags.

    algorithm (str): its name for the learner.
    parameters (dict[str, Any]): settings of the learner.
    """

    key: str = "crfsuite"
    name: str = "CRFsuite averaged perceptron"
    algorithm: str = "ap"
    parameters: dict[str, Any] = field(default_factory=lambda: {"max_iterations": 10})

    @property
    def group(self) -> str:
        return "crfsuite"

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


def lbfgs_system() -> CrfsuiteEntitySystem:
    """Conditional likelihood instead of the perceptron."""
    return CrfsuiteEntitySystem(
        key="crfsuite-lbfgs",
        name="CRFsuite L-BFGS",
        algorithm="lbfgs",
        parameters={"c1": 0.1, "c2": 0.1, "max_iterations": 100},
    )
