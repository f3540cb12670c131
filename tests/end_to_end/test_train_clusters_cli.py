"""Word clusters from raw text to a trained pipeline, on the command line."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import load_config

from spacy_perceptron.corpus.clusters.carrier import load_table, read_clusters

from ..sample import load_sample
from .commands import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample_folder: Path) -> Path:
    """A folder with clusters of the sample's words, a config and a pipeline trained by it."""
    folder = tmp_path_factory.mktemp("clusters")
    train, dev = sample_folder / "train.spacy", sample_folder / "dev.spacy"
    run(
        *("perceptron", "clusters", "learn", train, "--output", "words.txt"),
        *("--n-clusters", 16, "--min-count", 2, "--dimensions", 8, "--exclude", dev),
        cwd=folder,
    )
    run(
        *("perceptron", "init-config", "config.cfg", "--lang", "en", "--train", train),
        *("--dev", dev, "--pipeline", "tagger,parser", "--clusters", "words.txt"),
        cwd=folder,
    )
    run(
        *("train", "config.cfg", "--output", "training", "--training.max_epochs", 1),
        *("--corpora.train.n_folds", 2, "--corpora.train.max_epochs", 1),
        *("--corpora.train.n_process", 1, "--corpora.train.cache_dir", folder / "folds"),
        cwd=folder,
    )
    return folder


@pytest.fixture(scope="module")
def nlp(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Language:
    """The pipeline, loaded where there are no clusters."""
    target = tmp_path_factory.mktemp("elsewhere") / "model"
    (folder / "training" / "model-best").rename(target)
    return spacy.load(target)


def test_the_config_names_the_clusters(folder: Path):
    config = load_config(folder / "config.cfg")
    assert config["initialize"]["lookups"]["path"] == "words.txt"
    assert len(load_table(folder / "words.txt").paths) == 16


def test_the_pipeline_has_the_clusters(folder: Path, nlp: Language):
    table = load_table(folder / "words.txt")
    assert read_clusters(nlp.vocab.lookups) == {"": table.to_bytes()}
    for name in ("tagger", "parser"):
        assert nlp.get_pipe(name).cfg["clusters"] == {"": table.fingerprint}


def test_the_pipeline_works_without_the_file(nlp: Language):
    references = load_sample(nlp.vocab, "dev")
    docs = list(nlp.pipe(Doc(nlp.vocab, words=[t.text for t in doc]) for doc in references))
    pairs = [
        (token, gold)
        for doc, reference in zip(docs, references, strict=True)
        for token, gold in zip(doc, reference, strict=True)
    ]
    # One epoch is not much, but most words are clear.
    assert sum(token.tag_ == gold.tag_ for token, gold in pairs) / len(pairs) > 0.7
    assert sum(token.head.i == gold.head.i for token, gold in pairs) / len(pairs) > 0.4


def test_explanations_show_clusters(nlp: Language):
    doc = nlp(Doc(nlp.vocab, words=["The", "dog", "sleeps", "."]))
    features = nlp.get_pipe("tagger").explain(doc, 0).features
    values = [feature.value for feature in features if ".cluster" in feature.template]
    assert any(set(value) <= {"0", "1"} for value in values)
