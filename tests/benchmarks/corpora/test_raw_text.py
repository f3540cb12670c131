"""Documents of a treebank as raw text."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora.corpus import SPLITS
from benchmarks.corpora.raw_text import RawTextCorpus, ewt_documents

from ..samples import DOCUMENTS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "ewt").mkdir()
    for split in SPLITS:
        path = tmp_path / "ewt" / f"en_ewt-ud-{split}.conllu"
        path.write_text(DOCUMENTS, encoding="utf8")
    return tmp_path


def test_documents(data: Path, tmp_path: Path) -> None:
    corpus = ewt_documents(data, tmp_path / "corpus")
    texts = corpus.texts("test")
    assert [text.text.strip() for text in texts] == ["Dogs don't.\n\nGo!", "Stop."]
    assert texts[0].words == ["Dogs", "do", "n't", ".", "Go", "!"]
    # The DocBin has the white space between paragraphs as a token, the sentences do not.
    assert [[token.text for token in doc] for doc in corpus.docs("train")] == [
        ["Dogs", "do", "n't", ".", "\n\n", "Go", "!"],
        ["Stop", "."],
    ]
    assert [s.words for s in corpus.sentences("dev")] == [
        ["Dogs", "do", "n't", "."],
        ["Go", "!"],
        ["Stop", "."],
    ]
    assert corpus.gold("test")[0].multiwords[0].form == "don't"


def test_limits(data: Path, tmp_path: Path) -> None:
    corpus = ewt_documents(data, tmp_path / "corpus", limits={"train": 1})
    assert [len(corpus.gold(split)) for split in SPLITS] == [1, 3, 3]
    again = ewt_documents(data, tmp_path / "corpus", limits={"train": 2})
    # What there is stays as it is.
    assert isinstance(again, RawTextCorpus)
    assert len(again.gold("train")) == 1
