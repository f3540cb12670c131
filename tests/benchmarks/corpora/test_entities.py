"""The corpus of entities: splits, and names that are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora.entities import entity_corpus


def test_corpus(tmp_path: Path):
    """Ten sentences of web text, the last of them held out; other names of Wikipedia dropped."""
    folder = tmp_path / "data" / "ner"
    folder.mkdir(parents=True)
    block = "Ada\tB-PER\nsaw\tO\nNew\tB-LOC\nYork\tI-LOC\n\n"
    (folder / "ewt_ner-train.iob").write_text(block * 9 + "Last\tO\n")
    (folder / "ewt_ner-test.iob").write_text(block * 2)
    (folder / "wikigold.iob").write_text("The\tB-MISC\nTimes\tI-MISC\nof\tO\nOslo\tB-LOC\n")
    corpus = entity_corpus(tmp_path / "data", tmp_path / "corpus")
    train, dev, test = (corpus.sentences(split) for split in ("train", "dev", "test"))
    assert [len(part) for part in (train, dev, test)] == [10, 1, 2]
    assert train[0].tags == ["B-PER", "O", "B-LOC", "I-LOC"]
    assert train[-1].tags == ["O", "O", "O", "B-LOC"]
    assert dev[0].words == ["Last"]
    with pytest.raises(FileNotFoundError, match="SPACY_PERCEPTRON_DATA"):
        entity_corpus(tmp_path, tmp_path / "other")
