"""A component with known confidences: each token is a number, its score for being right."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration


@Language.component("test_upstream")
def upstream(doc: Doc) -> Doc:
    doc.user_data["upstream"] = True
    return doc


@Language.component("test_downstream")
def downstream(doc: Doc) -> Doc:
    raise AssertionError("What stands after the component must not run.")


@Language.factory("test_confident")
class Confident:
    """Tags every token A, with confidence sigmoid(score / temperature)."""

    def __init__(self, nlp: Language, name: str) -> None:
        self.calibration = Calibration()

    def __call__(self, doc: Doc) -> Doc:
        for token in doc:
            token.tag_ = "A"
        return doc

    def raw_confidences(
        self, examples: list[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        assert all(eg.predicted.user_data["upstream"] for eg in examples)
        tokens = [token for eg in examples for token in eg.reference]
        scores = np.array([float(token.text) for token in tokens])
        correct = np.array([token.tag_ == "A" for token in tokens])
        return 1 / (1 + np.exp(-scores / temperature)), correct

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        srsly.write_msgpack(Path(path), self.calibration.to_dict())

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> "Confident":
        data: dict[str, Any] = srsly.read_msgpack(Path(path))
        self.calibration = Calibration.from_dict(data)
        return self
