"""The calibration error of this package's confidences, as trained and after calibration.

A copy of the model is calibrated on dev by the package's own command. Both are judged on test by
the expected calibration error: how far confidence and accuracy differ on average.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import spacy
from spacy.tokens import Doc

from spacy_perceptron.trees.constituents import SPANS_KEY

from ..corpora.constituents import doc_constituents
from ..corpora.corpus import doc_heads
from ..corpora.sentences import Sentence
from ..systems.pipelines import PipelineRunner

Outcomes = Iterable[tuple[float, bool]]


@dataclass(frozen=True)
class Judged:
    """A confidence that can be judged.

    component (str): the component that sets it.
    outcomes (Callable): each confidence in a Doc, and whether what it speaks of is right, by the
        sentence with gold annotation.
    """

    component: str
    outcomes: Callable[[Sentence, Doc], Outcomes]


def tag_outcomes(sentence: Sentence, doc: Doc) -> Outcomes:
    """Confidences of tags."""
    for token, right in zip(doc, sentence.tags, strict=True):
        yield token._.tag_confidence, token.tag_ == right


def head_outcomes(sentence: Sentence, doc: Doc) -> Outcomes:
    """Confidences of heads."""
    for token, head, right in zip(doc, doc_heads(doc), sentence.heads, strict=True):
        yield token._.head_confidence, head == right


def phrase_outcomes(sentence: Sentence, doc: Doc) -> Outcomes:
    """Confidences of phrases; of equal ones, as many are right as there are in the gold tree."""
    expected = Counter(sentence.constituents)
    for span, phrase in zip(doc.spans[SPANS_KEY], doc_constituents(doc), strict=True):
        yield span._.confidence, expected[phrase] > 0
        expected[phrase] -= 1


JUDGED = {
    "tag": Judged("tagger", tag_outcomes),
    "head": Judged("parser", head_outcomes),
    "phrase": Judged("parser", phrase_outcomes),
}


def confidence_error(model: Path, sentences: Sequence[Sentence], judged: Judged) -> float:
    """The expected calibration error of a confidence on sentences with gold annotation."""
    from spacy_perceptron.answers.calibration import expected_calibration_error

    runner = PipelineRunner(spacy.load(model))
    docs = runner.run(runner.prepare(sentences))
    pairs = zip(sentences, docs, strict=True)
    outcomes = [outcome for sentence, doc in pairs for outcome in judged.outcomes(sentence, doc)]
    confidence, correct = zip(*outcomes, strict=True)
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
