"""Corrections as data: what is on the disk, whatever happens."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from spacy_perceptron.serve import corrections
from spacy_perceptron.serve.corrections import Correction, CorrectionStore, make_correction

WORDS = ["She", "saw", "Ada", "."]
TAGS = ["PRP", "VBD", "NNP", "."]


def correct(component: str, starts: list[bool | None] | None = None, **columns: Any) -> Correction:
    starts = starts or [True, False, False, False]
    spaces = [True, True, False, False]
    return Correction("She saw Ada.", component, WORDS, spaces, starts, columns, 1.0, 1)


TAGGED = correct("tagger", tag=TAGS)
PARSED = correct("parser", head=[1, 1, 1, 1], dep=["SBJ", "ROOT", "OBJ", "P"])


def read(folder: Path) -> list[Doc]:
    doc_bin = DocBin().from_disk(folder / "corrections.spacy")
    return list(doc_bin.get_docs(spacy.blank("en").vocab))


def journal(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "corrections.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_nothing_is_written_before_there_is_something(tmp_path: Path):
    store = CorrectionStore(tmp_path / "out")
    assert len(store) == 0
    assert not (tmp_path / "out").exists()


def test_gold_examples_have_what_was_corrected_and_nothing_else(tmp_path: Path):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    (doc,) = read(tmp_path)
    assert doc.text == "She saw Ada."
    assert [token.tag_ for token in doc] == TAGS
    assert [token.is_sent_start for token in doc] == [True, False, False, False]
    for name in ("DEP", "HEAD", "ENT_IOB", "POS", "LEMMA", "MORPH"):
        assert not doc.has_annotation(name), name
    assert "constituents" not in doc.spans


def test_components_share_a_text_and_the_last_word_counts(tmp_path: Path):
    store = CorrectionStore(tmp_path)
    for correction in (
        TAGGED,
        correct("ner", ent=["O", "O", "B-PERSON", "O"]),
        PARSED,
        correct("phrases", constituents=[[0, 4, "S"], [0, 1, "NP"], [1, 3, "VP"]]),
        correct("tagger", tag=["PRP", "VBD", "NN", "."]),
    ):
        store.add(correction)
    (doc,) = read(tmp_path)
    assert [token.tag_ for token in doc] == ["PRP", "VBD", "NN", "."]
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ada", "PERSON")]
    assert [(token.head.i, token.dep_) for token in doc][2] == (1, "OBJ")
    assert [span.text for span in doc.spans["constituents"]] == ["She saw Ada.", "She", "saw Ada"]
    assert len(store) == 5


def test_undoing_brings_back_what_was_there(tmp_path: Path):
    store = CorrectionStore(tmp_path)
    first = store.add(TAGGED)
    second = store.add(correct("tagger", tag=["NN"] * 4))
    store.undo(second)
    assert [token.tag_ for token in read(tmp_path)[0]] == TAGS
    store.undo(first)
    assert read(tmp_path) == []
    # Nothing is taken out of the journal.
    assert [(line["action"], line["number"]) for line in journal(tmp_path)] == [
        ("correct", 1),
        ("correct", 2),
        ("undo", 2),
        ("undo", 1),
    ]


def test_boundaries_that_were_corrected_later(tmp_path: Path):
    """A tree over other sentences can't be right; tags can."""
    store = CorrectionStore(tmp_path)
    starts: list[bool | None] = [True, False, True, False]
    store.add(TAGGED)
    store.add(PARSED)
    store.add(correct("senter", starts, sent_start=["S", "I", "S", "I"]))
    (doc,) = read(tmp_path)
    assert [sent.text for sent in doc.sents] == ["She saw", "Ada."]
    assert [token.tag_ for token in doc] == TAGS
    assert not doc.has_annotation("DEP")
    store.add(correct("parser", starts, head=[1, 1, 2, 2], dep=["SBJ", "ROOT", "ROOT", "P"]))
    (doc,) = read(tmp_path)
    assert [token.head.i for token in doc] == [1, 1, 2, 2]
    assert [sent.text for sent in doc.sents] == ["She saw", "Ada."]


def test_what_is_taken_from_a_doc():
    doc = Doc(spacy.blank("en").vocab, words=["a", "b"], spaces=[True, False])
    made = make_correction(doc, "tagger", {"tag": ["X", "Y"]}, margin=2.0, steps=3)
    assert (made.text, made.words, made.spaces) == ("a b", ["a", "b"], [True, False])
    assert made.sentence_starts == [None, None]
    assert (made.margin, made.steps) == (2.0, 3)
    doc[1].is_sent_start = True
    made = make_correction(doc, "tagger", {"tag": ["X", "Y"]}, margin=1.0, steps=1)
    assert made.sentence_starts == [True, True]
    made = make_correction(doc, "senter", {"sent_start": ["S", "I"]}, margin=1.0, steps=1)
    assert made.sentence_starts == [True, False]


def test_corrections_are_continued(tmp_path: Path):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    store.add(PARSED)
    store.undo(2)
    store.close()
    again = CorrectionStore(tmp_path)
    assert list(again) == [TAGGED]
    # Numbers are not used twice.
    assert again.add(PARSED) == 3
    assert len(journal(tmp_path)) == 4
    assert read(tmp_path)[0].has_annotation("DEP")


@pytest.mark.parametrize("rest", ['{"action": "corr', '{"action": "undo", "number": 1}', "\udcff"])
def test_a_last_line_without_end_was_never_confirmed(tmp_path: Path, rest: str):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    store.close()
    path = tmp_path / "corrections.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + rest.encode("utf-8", "surrogateescape"))
    store = CorrectionStore(tmp_path)
    assert list(store) == [TAGGED]
    assert path.read_bytes() == whole
    store.add(PARSED)
    assert [line["number"] for line in journal(tmp_path)] == [1, 2]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"action": "undo", "number": 7}', "\xff", ""])
def test_other_lines_that_are_damaged(tmp_path: Path, line: str):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    store.close()
    path = tmp_path / "corrections.jsonl"
    path.write_bytes(path.read_bytes() + line.encode("latin-1") + b"\n")
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    with pytest.raises(ValueError, match=r"Line 2 of .*corrections.jsonl is no correction"):
        CorrectionStore(tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before


def test_examples_are_made_again_from_the_journal(tmp_path: Path):
    """As after a kill between the two files."""
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    store.close()
    (tmp_path / "corrections.spacy").unlink()
    CorrectionStore(tmp_path)
    assert [token.tag_ for token in read(tmp_path)[0]] == TAGS


def test_examples_of_somebody_else_are_not_overwritten(tmp_path: Path):
    path = tmp_path / "corrections.spacy"
    path.write_bytes(b"mine")
    with pytest.raises(ValueError, match=r"but no journal corrections\.jsonl beside it"):
        CorrectionStore(tmp_path)
    assert path.read_bytes() == b"mine"


@pytest.mark.skipif(corrections.fcntl is None, reason="no locks between processes")
def test_two_processes_do_not_share_a_folder(tmp_path: Path):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    with pytest.raises(ValueError, match="Another process collects corrections"):
        CorrectionStore(tmp_path)
    store.close()
    assert len(CorrectionStore(tmp_path)) == 1


def test_a_full_disk_at_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)
    before = (tmp_path / "corrections.jsonl").read_bytes()
    write = os.write

    def write_some(handle: int, data: bytes) -> int:
        write(handle, data[:5])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", write_some)
    with pytest.raises(OSError, match="No space"):
        store.add(PARSED)
    monkeypatch.undo()
    assert (tmp_path / "corrections.jsonl").read_bytes() == before
    assert list(store) == [TAGGED]
    assert store.add(PARSED) == 2


@pytest.mark.parametrize("action", ["add", "undo"])
def test_a_full_disk_at_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str):
    store = CorrectionStore(tmp_path)
    store.add(TAGGED)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(corrections, "write_files", fail)
    with pytest.raises(OSError, match="No space"):
        store.add(PARSED) if action == "add" else store.undo(1)
    monkeypatch.undo()
    assert list(store) == [TAGGED]
    store.close()
    assert list(CorrectionStore(tmp_path)) == [TAGGED]
