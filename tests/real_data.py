"""Where the real treebanks are, for tests marked as slow."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def data_path(name: str) -> Path:
    """RETURNS (Path): A file or folder of SPACY_PERCEPTRON_DATA; skips the test if it is not
    there.
    """
    default = REPOSITORY.parent / "shared" / "data"
    path = Path(os.environ.get("SPACY_PERCEPTRON_DATA", default)) / name
    if not path.exists():
        pytest.skip(f"{path} does not exist: set SPACY_PERCEPTRON_DATA to the folder with {name}")
    return path
