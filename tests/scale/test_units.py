"""One unit: the output is that of `nlp.pipe`, and every document is in it or in the error file."""

import errno
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.scale import targets, units, zones
from spacy_perceptron.scale.outputs import host_name, journal_path
from spacy_perceptron.scale.sources import Source
from spacy_perceptron.scale.units import annotate_unit

from ..components.contract import CONTRACTS, NAME, Contract
from ..sample import load_sample
from .faults import KILLS, RAISES
from .runs import (
    ROOT,
    faulty_pipeline,
    left_over,
    read_bin,
    read_errors,
    read_outputs,
    write_lines,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
]
ATTRIBUTES = ["ORTH", "SPACY", "TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP", "ENT_IOB", "ENT_TYPE"]


def snapshot(doc: Doc) -> tuple:
    """Everything in a Doc."""
    spans = {key: [(s.start, s.end, s.label_) for s in group] for key, group in doc.spans.items()}
    array = doc.to_array([*ATTRIBUTES, "SENT_START"]).tolist()
    return doc.text, array, spans, srsly.msgpack_dumps(doc.user_data)


@pytest.fixture(scope="module", params=CONTRACTS, ids=lambda contract: contract.id)
def trained(request: pytest.FixtureRequest) -> Language:
    contract: Contract = request.param
    return contract.train(epochs=2, limit=6)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Sentences, some of them twice: words of an earlier memory zone."""
    docs = load_sample(Vocab(), "dev", 24, 2)
    lines = [" ".join(token.text for token in doc) for doc in [*docs, *docs[:4]]]
    return write_lines(tmp_path / "texts.txt", lines)


@pytest.mark.parametrize("with_zones", [True, False])
def test_same_as_pipe(
    trained: Language,
    texts: Path,
    tmp_path: Path,
    with_zones: bool,
    monkeypatch: pytest.MonkeyPatch,
):
    """For every component, in zones of a few texts, with tables that are made anew after each."""
    monkeypatch.setattr(units, "_ZONE_CHARACTERS", 200)
    monkeypatch.setattr(zones, "_PLACES_PER_STRING", 0)
    lines = texts.read_text().splitlines()
    expected = [snapshot(doc) for doc in trained.pipe(lines)]
    strings = set(trained.vocab.strings)
    report = annotate_unit(trained, texts, tmp_path / "out.spacy", batch_size=3, zones=with_zones)
    assert (report.n_docs, report.n_errors, report.failure) == (len(lines), 0, "")
    found = list(DocBin().from_disk(tmp_path / "out.spacy").get_docs(Vocab()))
    assert [snapshot(doc) for doc in found] == expected
    assert report.n_words == sum(map(len, found))
    assert set(trained.vocab.strings) == strings
    again = [snapshot(doc) for doc in trained.pipe(lines)]
    assert again == expected


def test_docs_as_input(tmp_path: Path):
    """Annotation that is there stays, as `nlp.pipe` leaves it; new words are forgotten."""
    nlp = CONTRACTS[0].train(epochs=2, limit=6)
    other = spacy.blank("xx")
    docs = [Doc(other.vocab, words=["Unheard", f"zoning{i}", "."]) for i in range(5)]
    for i, doc in enumerate(docs):
        doc.user_data["number"] = i
    DocBin(docs=docs, store_user_data=True).to_disk(tmp_path / "in.spacy")
    annotate_unit(nlp, tmp_path / "in.spacy", tmp_path / "out.spacy", batch_size=2)
    found = list(DocBin().from_disk(tmp_path / "out.spacy").get_docs(Vocab()))
    assert [doc.user_data["number"] for doc in found] == list(range(5))
    assert [doc.text for doc in found] == [doc.text for doc in docs]
    assert all(doc[0].tag_ and doc[0]._.tag_confidence for doc in found)
    assert "zoning1" not in nlp.vocab.strings
    expected = [[token.tag_ for token in doc] for doc in nlp.pipe(doc.copy() for doc in docs)]
    assert [[token.tag_ for token in doc] for doc in found] == expected


@pytest.fixture
def faulty() -> Language:
    return faulty_pipeline()


def test_documents_that_raise(faulty: Language, tmp_path: Path):
    lines = [f"fine {i}" for i in range(10)]
    lines[3], lines[4], lines[9] = f"{RAISES} jokes", f"{RAISES} puns", "ok"
    source = write_lines(tmp_path / "a.txt", lines)
    report = annotate_unit(faulty, source, tmp_path / "out" / "a.spacy", batch_size=4)
    assert (report.n_docs, report.n_errors) == (8, 2)
    assert read_bin(tmp_path / "out" / "a.spacy") == [*lines[:3], *lines[5:]]
    jokes, puns = read_errors(tmp_path)
    assert jokes == {
        "source": str(source),
        "position": 21,
        "reason": "ValueError: cannot stand jokes",
        "text": lines[3],
    }
    assert puns["text"] == lines[4]
    assert left_over(tmp_path) == []


def test_docs_that_raise(faulty: Language, tmp_path: Path):
    words = [["fine"], [RAISES, "puns"], ["well"]]
    vocab = Vocab()
    DocBin(docs=[Doc(vocab, words=row) for row in words]).to_disk(tmp_path / "a.spacy")
    annotate_unit(faulty, tmp_path / "a.spacy", tmp_path / "out.spacy")
    assert read_bin(tmp_path / "out.spacy") == ["fine ", "well "]
    assert [(row["position"], row["text"]) for row in read_errors(tmp_path)] == [
        (1, "raises puns ")
    ]


def test_documents_that_are_dropped(faulty: Language, tmp_path: Path):
    """By an error handler, which `nlp.pipe` obeys."""
    faulty.set_error_handler(lambda name, pipe, docs, error: None)
    source = write_lines(tmp_path / "a.txt", ["fine", f"{RAISES} puns", "well"])
    annotate_unit(faulty, source, tmp_path / "out.spacy")
    found = read_bin(tmp_path / "out.spacy") + [row["text"] for row in read_errors(tmp_path)]
    assert sorted(found) == sorted(source.read_text().splitlines())


def test_documents_that_cannot_be_written(tmp_path: Path):
    @Language.component("unwritable")
    def unwritable(doc: Doc) -> Doc:
        doc.user_data["odd"] = object() if doc.text == "odd" else 1
        return doc

    nlp = spacy.blank("xx")
    nlp.add_pipe("unwritable")
    source = write_lines(tmp_path / "a.txt", ["one", "odd", "two"])
    annotate_unit(nlp, source, tmp_path / "out.spacy")
    assert read_bin(tmp_path / "out.spacy") == ["one", "two"]
    assert [row["text"] for row in read_errors(tmp_path)] == ["odd"]


def test_skipped(faulty: Language, tmp_path: Path):
    source = write_lines(tmp_path / "a.txt", ["one"])
    assert annotate_unit(faulty, source, tmp_path / "out.spacy").n_docs == 1
    write_lines(source, ["two"])
    report = annotate_unit(faulty, source, tmp_path / "out.spacy")
    assert (report.skipped, report.n_docs) == (True, 0)
    assert read_bin(tmp_path / "out.spacy") == ["one"]


def test_unreadable(faulty: Language, tmp_path: Path):
    """No output, so that the next run tries again; then the error file goes."""
    report = annotate_unit(faulty, tmp_path / "a.txt", tmp_path / "out.spacy")
    assert "No such file" in report.failure
    assert not (tmp_path / "out.spacy").exists()
    (error,) = read_errors(tmp_path)
    assert error["position"] is None
    assert "No such file" in error["reason"]
    write_lines(tmp_path / "a.txt", ["one"])
    assert annotate_unit(faulty, tmp_path / "a.txt", tmp_path / "out.spacy").failure == ""
    assert read_errors(tmp_path) == []


def test_empty(faulty: Language, tmp_path: Path):
    annotate_unit(faulty, write_lines(tmp_path / "a.txt", []), tmp_path / "out.spacy")
    assert read_bin(tmp_path / "out.spacy") == []


@pytest.mark.parametrize("suffix", ["spacy", "jsonl", "conllu"])
def test_full_disk(faulty: Language, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch):
    """Nothing is left but what was there; with room, the unit is done."""

    def full(writer: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    lines = [f"{RAISES} puns", "fine"]
    source = write_lines(tmp_path / "a.txt", lines)
    with monkeypatch.context() as patched:
        patched.setattr(targets._WRITERS[suffix], "finish", full)
        with pytest.raises(OSError, match="No space left"):
            annotate_unit(faulty, source, tmp_path / "out" / f"out.{suffix}")
    assert list((tmp_path / "out").iterdir()) == []
    annotate_unit(faulty, source, tmp_path / "out" / f"out.{suffix}")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"out.{suffix}", f"out.{suffix}.errors.jsonl"]


def test_interrupted(faulty: Language, tmp_path: Path):
    """Ctrl-C is no death, and leaves nothing."""

    def interrupt(n_words: int) -> None:
        raise KeyboardInterrupt

    source = write_lines(tmp_path / "a.txt", ["fine"])
    with pytest.raises(KeyboardInterrupt):
        annotate_unit(faulty, source, tmp_path / "out.spacy", report=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


RUN = """
import sys
from tests.scale.runs import faulty_pipeline
from spacy_perceptron.scale.units import annotate_unit
report = annotate_unit(faulty_pipeline(), sys.argv[1], sys.argv[2], batch_size=4)
print(report.n_docs, report.n_errors)
"""


def test_a_document_that_kills(tmp_path: Path):
    """Whatever runs the unit again and again gets all others out."""
    lines = [f"fine {i}" for i in range(12)]
    lines[5] = f"{KILLS} all"
    source = write_lines(tmp_path / "a.txt", lines)
    target = tmp_path / "out.spacy"
    command = [sys.executable, "-c", RUN, str(source), str(target)]
    codes = []
    while not target.exists() and len(codes) < 6:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        codes.append(done.returncode)
    assert codes == [9, 9, 9, 0]
    assert done.stdout.split() == ["11", "1"]
    assert read_bin(target) == [*lines[:5], *lines[6:]]
    (error,) = read_errors(tmp_path)
    assert (error["text"], error["position"]) == (lines[5], 35)
    assert "died twice" in error["reason"]
    assert left_over(tmp_path) == []


def test_given_up(faulty: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What kills too many processes is left alone until the next run."""
    source = write_lines(tmp_path / "a.txt", ["fine"])
    target = tmp_path / "out.spacy"
    journal_path(target).write_text(f"{0:020d} {0:020d}\n" * 3)
    monkeypatch.setattr(units, "MOST_DEATHS", 3)
    assert "died 3 times" in annotate_unit(faulty, source, target).failure
    assert not target.exists()
    assert annotate_unit(faulty, source, target).n_docs == 1


def test_stale_files_go(faulty: Language, tmp_path: Path):
    """Those of a dead process go when its unit is done again, those of living ones stay."""
    source = write_lines(tmp_path / "a.txt", ["fine"])
    target = tmp_path / "out.spacy"
    dead = tmp_path / f".out.spacy.{host_name()}.4194304.unfinished"
    alive = tmp_path / f".out.spacy.{host_name()}.{os.getppid()}.unfinished"
    elsewhere = tmp_path / ".out.spacy.elsewhere9.7.unfinished"
    for path in (dead, alive, elsewhere):
        path.write_bytes(b"half")
    journal_path(target).write_text(f"{0:020d} {0:020d}\n")
    annotate_unit(faulty, source, target)
    assert sorted(left_over(tmp_path)) == sorted([alive.name, elsewhere.name])


def test_nbest(tmp_path: Path):
    nlp = CONTRACTS[0].train(epochs=2, limit=6)
    source = write_lines(tmp_path / "a.txt", ["We sing ."])
    for k, path in ((0, tmp_path / "none.spacy"), (2, tmp_path / "two.spacy")):
        annotate_unit(nlp, source, path, nbest=k)
        (doc,) = DocBin().from_disk(path).get_docs(Vocab())
        assert len(doc._.nbest.get(NAME, [])) == k


def test_pipelines_by_name(tmp_path: Path):
    spacy.blank("xx").to_disk(tmp_path / "model")
    for name in ("a", "b"):
        source = Source(str(write_lines(tmp_path / f"{name}.txt", [name, "x"])), 2)
        annotate_unit(tmp_path / "model", source, tmp_path / f"{name}.spacy")
    assert read_outputs(tmp_path) == Counter({"x": 2})


def test_unknown_format(faulty: Language, tmp_path: Path):
    with pytest.raises(ValueError, match="no format 'pdf'"):
        annotate_unit(faulty, tmp_path / "a.txt", tmp_path / "out.pdf")
