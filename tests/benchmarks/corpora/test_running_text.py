"""Text of any length, and a corpus of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from benchmarks.corpora.corpus import SPLITS
from benchmarks.corpora.running_text import (
    SENTENCES_PER_LINE,
    annotated_corpus,
    raw_sentences,
    sample_corpus,
    write_text,
)
from spacy_perceptron.corpus.sample import load_sample


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Eleven sentences of two words, and an empty one."""
    folder = tmp_path / "data"
    (folder / "raw").mkdir(parents=True)
    (folder / "raw" / "amalgum.txt").write_text("Go !\n" * 10 + "\nStop !\n", encoding="utf8")
    return folder


def test_lines_have_some_sentences_each(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "text" / "20.txt"
    write_text(data, path, 20)
    assert path.read_text(encoding="utf8") == (" ".join(["Go !"] * SENTENCES_PER_LINE) + "\n") * 2


def test_text_goes_on_with_new_words(data: Path, tmp_path: Path) -> None:
    write_text(data, tmp_path / "text", 60)
    words = (tmp_path / "text").read_text(encoding="utf8").split()
    assert len(words) == 60
    assert {"Go", "Stop", "!"} < {*words}


def test_text_of_the_sample_treebank() -> None:
    sentences = raw_sentences(None)
    assert sum(map(len, sentences)) == sum(map(len, load_sample(Vocab())))


def test_missing_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="SPACY_PERCEPTRON_DATA"):
        raw_sentences(tmp_path)


def test_sample_corpus(tmp_path: Path) -> None:
    corpus = sample_corpus(tmp_path)
    for split in SPLITS:
        gold = load_sample(Vocab(), split)
        docs = list(corpus.docs(split))
        assert [[t.tag_ for t in doc] for doc in docs] == [[t.tag_ for t in doc] for doc in gold]
        assert [[t.head.i for t in d] for d in docs] == [[t.head.i for t in d] for d in gold]


def test_annotated_corpus(data: Path, tmp_path: Path) -> None:
    """Gold tags of dev, those of the pipeline for train, and no empty sentences."""
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{}]], {"TAG": "X"})  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "model")
    dev = sample_corpus(tmp_path / "sample").path("dev")
    corpus = annotated_corpus(tmp_path / "model", data, dev, tmp_path / "made", 30)
    docs = list(DocBin().from_disk(corpus.path("train")).get_docs(Vocab()))
    assert [len(doc) for doc in docs] == [2] * 30
    assert {token.tag_ for doc in docs for token in doc} == {"X"}
    (first, *_), (gold, *_) = corpus.docs("dev"), load_sample(Vocab(), "dev")
    assert [token.tag_ for token in first] == [token.tag_ for token in gold]
