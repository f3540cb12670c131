"""The calibration error of this package's confidences, as trained and after calibration.

A copy of the model is calibrated on dev by the package's own command. Both are judged on test by
the expected calibration error: how far confidence and accuracy differ on average.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.tokens import Doc

from ..corpora.corpus import doc_heads
from ..corpora.sentences import Sentence
from ..systems.pipelines import PipelineRunner


@dataclass(frozen=True)
class Judged:
    """A confidence that can be judged.

    component (str): the component that sets it.
    extension (str): the extension attribute of the token that holds it.
    gold (Callable): the gold values of a sentence.
    predicted (Callable): the predicted values of a Doc.
    """

    component: str
    extension: str
    gold: Callable[[Sentence], Sequence[Any]]
    predicted: Callable[[Doc], Sequence[Any]]


JUDGED = {
    "tag": Judged(
        component="tagger",
        extension="tag_confidence",
        gold=lambda sentence: sentence.tags,
        predicted=lambda doc: [token.tag_ for token in doc],
    ),
    "head": Judged(
        component="parser",
        extension="head_confidence",
        gold=lambda sentence: sentence.heads,
        predicted=doc_heads,
    ),
}


def confidence_error(model: Path, sentences: Sequence[Sentence], judged: Judged) -> float:
    """The expected calibration error of a confidence on sentences with gold annotation."""
    from spacy_perceptron.answers.calibration import expected_calibration_error

    runner = PipelineRunner(spacy.load(model))
    confidence: list[float] = []
    correct: list[bool] = []
    docs = runner.run(runner.prepare(sentences))
    for sentence, doc in zip(sentences, docs, strict=True):
        confidence += [getattr(token._, judged.extension) for token in doc]
        pairs = zip(judged.predicted(doc), judged.gold(sentence), strict=True)
        correct += [value == right for value, right in pairs]
    return float(expected_calibration_error(np.array(confidence), np.array(correct)))


def calibrate(model: Path, dev: Path, component: str) -> None:
    """Calibrate the confidence of a component of a saved model on a DocBin, in place."""
    command = [sys.executable, "-m", "spacy", "perceptron", "calibrate"]
    command += [str(model), str(dev), "--gold-preproc", "--component", component]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def confidence_calibration(
    model: Path, dev: Path, test: Sequence[Sentence], what: str
) -> dict[str, float]:
    """Expected calibration error on test as trained and after calibration on dev.

    model (Path): the trained pipeline, which is not changed.
    dev (Path): DocBin to calibrate on.
    test (Sequence[Sentence]): sentences to judge by.
    what (str): the confidence, a key of JUDGED.
    RETURNS (dict[str, float]): the errors "as_trained" and "calibrated".
    """
    copy = model.with_name("model-calibrated")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(model, copy)
    judged = JUDGED[what]
    calibrate(copy, dev, judged.component)
    return {
        "as_trained": confidence_error(model, test, judged),
        "calibrated": confidence_error(copy, test, judged),
    }
