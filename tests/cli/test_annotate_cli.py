"""`annotate` as a user runs it: in one process, and with what may be missing."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from spacy.tokens import DocBin
from spacy.vocab import Vocab
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.scale import cluster

from ..scale.faults import FILLS, RAISES
from ..scale.runs import CODE, faulty_pipeline, read_errors, read_outputs, write_lines
from .small_tagger import train


@pytest.fixture
def tagger(tmp_path: Path) -> Path:
    train("tag").to_disk(tmp_path / "tagger")
    return tmp_path / "tagger"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    faulty_pipeline().to_disk(tmp_path / "faulty")
    return tmp_path / "faulty"


def run(*arguments: object, code: int = 0) -> str:
    """What the command prints, without line breaks."""
    result = CliRunner().invoke(perceptron_cli, ["annotate", *map(str, arguments)])
    text = " ".join(result.output.split())
    assert result.exit_code == code, text
    return text


def test_annotate(tagger: Path, tmp_path: Path):
    source = write_lines(tmp_path / "in" / "a.txt", ["Time flies.", "We bite."])
    printed = run(tagger, tmp_path / "in", tmp_path / "out")
    assert re.search(r"words 6 documents 2 errors 0 seconds \S+ words/s \S+", printed)
    assert "Wrote 1 outputs" in printed
    docs = list(DocBin().from_disk(tmp_path / "out" / "a.txt.spacy").get_docs(Vocab()))
    assert [doc.text for doc in docs] == source.read_text().splitlines()
    assert [token.tag_ for token in docs[1]] == ["PRP", "VBP", "."]
    assert docs[0][0]._.tag_confidence > 0
    printed = run(tagger, tmp_path / "in", tmp_path / "out", "-w", 2)
    assert "1 outputs were there already" in printed
    assert "Wrote 0 outputs" in printed


def test_errors_are_said(faulty: Path, tmp_path: Path):
    lines = ["fine", f"{RAISES} puns", f"{RAISES} jokes"]
    write_lines(tmp_path / "in" / "a.txt", lines)
    (tmp_path / "in" / "b.spacy").write_bytes(b"no Docs")
    printed = run(faulty, tmp_path / "in", tmp_path / "out", "--code", CODE)
    assert "errors 3" in printed
    assert "2 documents could not be annotated" in printed
    assert re.search(r"There is no \S*b.spacy.spacy: .* The next run tries it again", printed)
    texts = [*read_outputs(tmp_path / "out"), *(row.get("text") for row in read_errors(tmp_path))]
    assert sorted(filter(None, texts)) == sorted(lines)


def test_without_ray(tagger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One process does the work, and a hint says what is missing."""
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    source = write_lines(tmp_path / "a.txt", ["Time flies."])
    printed = run(tagger, source, tmp_path / "out", "--workers", 2)
    assert "Ray is not installed" in printed
    assert "pip install 'spacy-perceptron[ray]'" in printed
    assert read_outputs(tmp_path / "out") == {"Time flies.": 1}


@pytest.mark.parametrize("file_format", ["jsonl", "conllu"])
def test_formats(tagger: Path, tmp_path: Path, file_format: str):
    source = write_lines(tmp_path / "a.txt", ["We bite."])
    run(tagger, source, tmp_path / "out", "--format", file_format)
    text = (tmp_path / "out" / f"a.txt.{file_format}").read_text()
    assert "VBP" in text


def test_nbest(tagger: Path, tmp_path: Path):
    source = write_lines(tmp_path / "a.txt", ["We bite."])
    run(tagger, source, tmp_path / "out", "--nbest", 2)
    (doc,) = DocBin().from_disk(tmp_path / "out" / "a.txt.spacy").get_docs(Vocab())
    assert len(doc._.nbest["tag_pipe"]) == 2


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("nowhere.txt", [], "There is no file"),
        ("a.txt", ["--format", "pdf"], "no format 'pdf'"),
        ("a.txt", ["--nbest", "20000"], "`nbest` must be between 1 and 10000"),
        ("a.txt", ["--nbest", "-1"], "`nbest` must be 0 or more"),
        ("a.txt", ["--workers", "0"], "`workers` must be 1 or more"),
        ("a.txt", ["--batch-size", "0"], "`batch_size` must be 1 or more"),
        ("a.txt", ["--unit-words", "0"], "`unit_words` must be 1 or more"),
    ],
)
def test_wrong_arguments(tagger: Path, tmp_path: Path, source: str, options: list, message: str):
    write_lines(tmp_path / "a.txt", ["x"])
    assert message in run(tagger, tmp_path / source, tmp_path / "out", *options, code=1)
    assert not (tmp_path / "out").exists()


def test_no_pipeline(tmp_path: Path):
    source = write_lines(tmp_path / "a.txt", ["x"])
    assert "E050" in run(tmp_path / "nowhere", source, tmp_path / "out", code=1)


def test_full_disk(faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from spacy_perceptron.scale import targets

    # The component replaces it.
    monkeypatch.setattr(targets._BinWriter, "finish", targets._BinWriter.finish)
    source = write_lines(tmp_path / "a.txt", [f"{FILLS} it"])
    printed = run(faulty, source, tmp_path / "out", "--code", CODE, code=1)
    assert "No space left on device. What is done is kept" in printed
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["plan.json"]


@pytest.fixture
def tiny_disk(tmp_path: Path):
    """A file system of 64 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if (
        os.name != "posix"
        or os.geteuid()
        or subprocess.run(command, capture_output=True).returncode
    ):
        pytest.skip("may not mount file systems")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full(tagger: Path, tmp_path: Path, tiny_disk: Path):
    """What fits is kept, nothing is there by half, and with room the rest is done."""
    for i in range(4):
        lines = ["We bite."] * (10 if i != 2 else 3000)
        write_lines(tmp_path / "in" / f"{i}.txt", lines)
    out = tiny_disk / "out"
    printed = run(tagger, tmp_path / "in", out, "--format", "jsonl", code=1)
    assert "No space left on device" in printed
    names = ["0.txt.jsonl", "1.txt.jsonl", "plan.json"]
    assert sorted(path.name for path in out.iterdir()) == names
    subprocess.run(["mount", "-o", "remount,size=16m", str(tiny_disk)], check=True)
    assert "2 outputs were there already" in run(tagger, tmp_path / "in", out, "--format", "jsonl")
    assert len((out / "2.txt.jsonl").read_text().splitlines()) == 3000
