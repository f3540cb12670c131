"""Every document is read once, whatever the parts."""

import gzip
from itertools import pairwise
from pathlib import Path

import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.scale.sources import Source, UnreadableError, read_entries, read_sample

from .runs import write_lines


def texts(path: Path, start: int = 0, end: int | None = None) -> list[tuple[int, str]]:
    entries = read_entries(Source(str(path), start, end), Vocab())
    return [(entry.position, entry.text) for entry in entries]


def test_lines(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffEins.\r\n\n  \nZwei, drü.\nDrei".encode())
    assert texts(path) == [(0, "Eins."), (14, "Zwei, drü."), (26, "Drei")]


LINES = st.lists(st.sampled_from(["", " ", "a", "ü a\t", "\r", "bcü\r", " d"]), max_size=12)


@given(lines=LINES, cuts=st.lists(st.integers(0, 60), max_size=4), ends=st.booleans())
def test_parts_have_each_line_once(tmp_path_factory, lines, cuts, ends):
    path = tmp_path_factory.mktemp("parts") / "a.txt"
    data = "\n".join(lines).encode() + b"\n" * ends
    path.write_bytes(data)
    bounds = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    pairs = list(pairwise(bounds)) or [(0, 0)]
    found = [entry for start, end in pairs for entry in texts(path, start, end)]
    assert found == texts(path)
    expected = [line.removesuffix("\r") for line in lines if line.strip()]
    if data:
        assert [text for _, text in found if text.strip()] == expected


def test_bad_bytes_are_one_problem(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"good\nb\xffd\ngood too\n")
    good, bad, other = read_entries(Source(str(path)), Vocab())
    assert (good.text, other.text) == ("good", "good too")
    assert "invalid start byte" in bad.problem
    assert (bad.position, bad.text) == (5, "b\ufffdd\n")


def test_json(tmp_path: Path):
    lines = ['{"text": "A b.", "id": 7}', "[1]", '{"text": 3}', "{", '{"text": ""}']
    entries = list(read_entries(Source(str(write_lines(tmp_path / "a.jsonl", lines))), Vocab()))
    assert [(entry.text, entry.id) for entry in entries if not entry.problem] == [
        ("A b.", "7"),
        ("", None),
    ]
    assert [entry.text for entry in entries if entry.problem] == lines[1:4]


def test_packed(tmp_path: Path):
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wt") as file:
        file.writelines(srsly.json_dumps({"text": f"Line {i}"}) + "\n" for i in range(3))
    assert [text for _, text in texts(path)] == ["Line 0", "Line 1", "Line 2"]


def test_packed_and_cut_off(tmp_path: Path):
    """What comes before the damage is read; the rest is one problem."""
    path = tmp_path / "a.txt.gz"
    lines = [f"line {i * 7919 % 10007}" for i in range(20_000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode())[:-2000])
    *entries, last = read_entries(Source(str(path)), Vocab())
    assert [entry.text for entry in entries] == lines[: len(entries)]
    assert len(entries) > 1000
    assert "damaged" in last.problem


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.jsonl", "a.spacy"])
def test_nothing_there(tmp_path: Path, name: str):
    with pytest.raises(UnreadableError, match="No such file"):
        list(read_entries(Source(str(tmp_path / name)), Vocab()))


@pytest.mark.parametrize("name", ["a.txt.gz", "a.spacy", "a.pdf"])
def test_not_what_it_says(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.raises(UnreadableError):
        list(read_entries(Source(str(tmp_path / name)), Vocab()))


def test_docs_can_be_made_again(tmp_path: Path):
    vocab = Vocab()
    docs = [Doc(vocab, words=["a", str(i)], tags=["X", "Y"]) for i in range(4)]
    for i, doc in enumerate(docs):
        doc.user_data["number"] = i
    DocBin(docs=docs, store_user_data=True).to_disk(tmp_path / "a.spacy")
    entries = list(read_entries(Source(str(tmp_path / "a.spacy")), Vocab()))
    for i in (0, 1, 1, 3, 2, 0):
        doc = entries[i].content()
        assert isinstance(doc, Doc)
        assert [token.text for token in doc] == ["a", str(i)]
        assert [token.tag_ for token in doc] == ["X", "Y"]
        assert doc.user_data["number"] == i
    assert entries[1].content() is not entries[1].content()


def test_sample(tmp_path: Path):
    path = write_lines(tmp_path / "a.txt", ["ab cd"] * 3)
    assert read_sample(path) == (12, "ab cd\nab cd")
    assert read_sample(write_lines(tmp_path / "b.txt", ["ab"])) == (2, "ab")
    assert read_sample(write_lines(tmp_path / "c.txt", [])) == (0, "")
