"""How far the confidence of this package's tagger can be trusted, before and after calibration.

The confidence is calibrated on dev by the package's own command, on a copy of the model, and judged
on test by the expected calibration error.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import spacy

from .sentences import Sentence
from .systems.spacy_pipeline import PipelineRunner


def confidence_error(model: Path, sentences: Sequence[Sentence]) -> float:
    """The expected calibration error of `token._.tag_confidence` on sentences with gold tags."""
    from spacy_perceptron.calibration import expected_calibration_error

    runner = PipelineRunner(spacy.load(model))
    docs = runner.run(runner.prepare(sentences))
    confidence = np.array([token._.tag_confidence for doc in docs for token in doc])
    gold = [tag for sentence in sentences for tag in sentence.tags]
    tags = [token.tag_ for doc in docs for token in doc]
    correct = np.array([tag == right for tag, right in zip(tags, gold, strict=True)])
    return float(expected_calibration_error(confidence, correct))


def calibrate(model: Path, dev: Path) -> None:
    """Fit the confidence of a saved model on a DocBin, in place."""
    command = [sys.executable, "-m", "spacy", "perceptron", "calibrate"]
    command += [str(model), str(dev), "--gold-preproc"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def tag_calibration(model: Path, dev: Path, test: Sequence[Sentence]) -> dict[str, float]:
    """Expected calibration error on test as trained and after calibration on dev.

    model (Path): the trained pipeline; it is left as it is.
    dev (Path): DocBin to calibrate on.
    test (Sequence[Sentence]): sentences to judge by.
    RETURNS (dict[str, float]): the errors "as_trained" and "calibrated".
    """
    copy = model.with_name("model-calibrated")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(model, copy)
    calibrate(copy, dev)
    return {
        "as_trained": confidence_error(model, test),
        "calibrated": confidence_error(copy, test),
    }
