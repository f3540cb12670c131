"""What the package offers by its own name."""

import subprocess
import sys

import pytest

import spacy_perceptron
from spacy_perceptron.components._shared.saving import save_pipeline

CODE = """
import sys
import spacy_perceptron
assert not {"spacy", "thinc", "numpy"} & set(sys.modules), "imported too early"
assert callable(spacy_perceptron.save_pipeline)
"""


def test_functions_are_imported_when_asked_for():
    subprocess.run([sys.executable, "-c", CODE], check=True)
    assert spacy_perceptron.save_pipeline is save_pipeline


def test_other_names():
    with pytest.raises(AttributeError, match="has no attribute 'load_pipeline'"):
        _ = spacy_perceptron.load_pipeline
