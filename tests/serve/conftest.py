"""A small pipeline of every kind, and a playground that serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from spacy.language import Language
from spacy.util import load_model

from spacy_perceptron.serve.pipelines import Sources
from spacy_perceptron.serve.workspace import Workspace

from .small_pipeline import train_pipeline

MAX_CHARS = 10_000


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline with a senter, a tagger, parsers of both kinds and a recognizer, on disk."""
    path = tmp_path_factory.mktemp("serve") / "small"
    train_pipeline().to_disk(path)
    return path


@pytest.fixture(scope="session")
def nlp(model: Path) -> Language:
    """The pipeline, for tests that do not change it."""
    return load_model(model)


@pytest.fixture
def workspace(model: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A playground with the pipeline, loaded anew."""
    workspace = Workspace([Sources(str(model), tmp_path / "out")], max_chars=MAX_CHARS)
    workspace.load()
    assert workspace[0].error is None
    yield workspace
    workspace.close()
