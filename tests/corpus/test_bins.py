from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span, Token
from spacy.vocab import Vocab

from spacy_perceptron.corpus.bins import (
    count_docs,
    join_bins,
    pack_docs,
    read_bins,
    read_docs,
    unpack_docs,
    write_bin,
)


@pytest.fixture
def vocab() -> Vocab:
    return spacy.blank("en").vocab


@pytest.fixture
def docs(vocab: Vocab) -> list[Doc]:
    """Docs with annotation of all kinds, some with user data."""
    if not Token.has_extension("test_bins"):
        Token.set_extension("test_bins", default=None)
    first = Doc(vocab, words=["a", "b"], tags=["A", "B"], heads=[1, 1], deps=["x", "ROOT"])
    first.user_data["confidence"] = [0.25, None]
    first.user_data["array"] = np.arange(3.0)
    first[1]._.test_bins = {"nested": ["yes"]}
    first.spans["group"] = [Span(first, 0, 2, label="S")]
    first.cats = {"good": 1.0}
    second = Doc(vocab, words=["c", "d"], spaces=[False, False], sent_starts=[True, True])
    return [first, second, Doc(vocab, words=["e"], tags=["A"])]


def write(path: Path, vocab: Vocab, words: str) -> None:
    """A corpus of docs with one of these letters each, a dot for a doc without tokens."""
    DocBin(docs=[Doc(vocab, words=[w] if w != "." else []) for w in words]).to_disk(path)


def letters(docs: list[Doc]) -> str:
    return "".join(doc[0].text for doc in docs)


def test_pack_docs_makes_the_same_bytes_as_spacy(docs: list[Doc]):
    expected = DocBin(docs=docs, store_user_data=True)
    assert pack_docs(docs).to_bytes() == expected.to_bytes()


@pytest.mark.parametrize("n", [0, 1, 300])
def test_write_bin_writes_what_spacy_reads(docs: list[Doc], tmp_path: Path, n: int):
    expected = DocBin(docs=docs * n, store_user_data=True)
    write_bin(pack_docs(docs * n), tmp_path / "a.spacy")
    found = DocBin().from_disk(tmp_path / "a.spacy")
    assert found.to_bytes() == DocBin().from_bytes(expected.to_bytes()).to_bytes()
    assert len(found) == 3 * n
    restored = found.get_docs(Vocab())
    for doc, original in zip(restored, docs * n, strict=True):
        assert doc.to_json() == original.to_json()


@pytest.mark.parametrize("with_user_data", [True, False])
def test_unpack_docs_makes_the_same_docs_as_spacy(docs: list[Doc], with_user_data: bool):
    data = DocBin(docs=docs, store_user_data=with_user_data).to_bytes()
    vocab = spacy.blank("en").vocab
    ours = list(unpack_docs(DocBin().from_bytes(data), vocab))
    theirs = list(DocBin().from_bytes(data).get_docs(vocab))
    for our, their in zip(ours, theirs, strict=True):
        assert our.to_json() == their.to_json()
        assert list(our.user_data) == list(their.user_data)
    if with_user_data:
        assert ours[0].user_data["confidence"] == (0.25, None)
        assert ours[0].user_data["array"].tolist() == [0.0, 1.0, 2.0]
        assert ours[0][1]._.test_bins == {"nested": ("yes",)}
    assert not ours[1].user_data


def test_unpack_docs_that_were_never_written(docs: list[Doc], vocab: Vocab):
    # A new bin without user data has no list of them at all.
    assert letters(list(unpack_docs(DocBin(docs=docs), vocab))) == "ace"
    packed = pack_docs(docs)
    for _ in range(2):
        first, *_ = unpack_docs(packed, vocab)
        assert first.user_data["confidence"] == (0.25, None)


def test_join_bins_takes_all_annotation_along(docs: list[Doc]):
    bins = [DocBin().from_bytes(pack_docs(part).to_bytes()) for part in (docs[:1], docs[1:])]
    joined = DocBin().from_bytes(join_bins(bins, [(1, 1), (0, 0)]).to_bytes())
    # Another vocab: the strings have to come along too.
    last, first = unpack_docs(joined, spacy.blank("en").vocab)
    assert [token.tag_ for token in last] == ["A"]
    assert first.to_json() == docs[0].to_json()
    assert first.user_data["confidence"] == (0.25, None)


def test_read_from_folders(tmp_path: Path, vocab: Vocab):
    write(tmp_path / "b.spacy", vocab, "d.e")
    write(tmp_path / "a.spacy", vocab, ".abc")
    assert letters(read_docs(tmp_path, vocab)) == "abcde"
    assert count_docs(tmp_path) == 5
    # Numbers go over all files, and docs without tokens have none.
    assert letters(read_docs(tmp_path, vocab, keep={0, 3}.__contains__)) == "ad"
    assert [len(part) for part in read_bins(tmp_path, keep={0, 3}.__contains__)] == [1, 1]
    assert letters(read_docs(tmp_path, vocab, 4)) == "abcd"
    assert letters(read_docs(tmp_path, vocab, 4, keep={0, 3, 4}.__contains__)) == "ad"
    assert count_docs(tmp_path, 4) == 4
    assert count_docs(tmp_path, 99) == 5


def test_missing_corpus(tmp_path: Path, vocab: Vocab):
    with pytest.raises(ValueError, match=r"no corpus at .*none\.spacy"):
        read_docs(tmp_path / "none.spacy", vocab)
