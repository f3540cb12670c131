"""Fixtures shared by all tests: the sample treebank as files, and one tagger trained on it."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import DocBin

from spacy_perceptron.corpus.sample import SPLITS, create_sample_treebank_reader

from .sample import load_sample


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train.spacy, dev.spacy and test.spacy."""
    folder = tmp_path_factory.mktemp("sample")
    vocab = spacy.blank("en").vocab
    for split in SPLITS:
        DocBin(docs=load_sample(vocab, split)).to_disk(folder / f"{split}.spacy")
    return folder


@pytest.fixture(scope="session")
def sample_tagger_bytes() -> bytes:
    """An easy-first tagger, trained on the sample's training part for three epochs."""
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    examples = list(create_sample_treebank_reader("train")(nlp))
    nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples, drop=0.3)
    return nlp.get_pipe("tagger").to_bytes()


@pytest.fixture
def sample_tagger(sample_tagger_bytes: bytes) -> Language:
    """A pipeline with the tagger of `sample_tagger_bytes`, for one test to do with as it likes."""
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    nlp.get_pipe("tagger").from_bytes(sample_tagger_bytes)
    return nlp
