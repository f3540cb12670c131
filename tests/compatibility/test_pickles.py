"""Pickles of released versions find what they name, wherever it has moved since."""

import pickle

import pytest

from spacy_perceptron.components._shared.gold import ReferenceCache
from spacy_perceptron.components._shared.threads import PipeLock


@pytest.mark.parametrize(
    ("module", "named"),
    [
        ("spacy_perceptron.components.threads", PipeLock),
        ("spacy_perceptron.components.gold", ReferenceCache),
    ],
)
def test_names_of_version_0_4(module: str, named: type):
    # The oldest protocol says in plain text: the class of this name in this module.
    assert pickle.loads(f"c{module}\n{named.__name__}\n.".encode()) is named
