"""Units of a folder: the same ones in every run."""

import os
from pathlib import Path

import pytest
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.scale.outputs import host_name
from spacy_perceptron.scale.plan import Unit, make_plan
from spacy_perceptron.scale.sources import read_entries

from .runs import write_lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """600 words in `a.txt`, 10 in `b/c.jsonl`."""
    write_lines(tmp_path / "in" / "a.txt", [f"w{i:03d} x y" for i in range(200)])
    write_lines(tmp_path / "in" / "b" / "c.jsonl", ['{"text": "a b c d e"}'] * 2)
    write_lines(tmp_path / "in" / ".hidden.txt", ["x"])
    write_lines(tmp_path / "in" / "notes.md", ["x"])
    return tmp_path / "in"


def plan(folder: Path, out: Path, *, file_format: str = "spacy", **options) -> list[Unit]:
    return make_plan(folder, out, pipeline="p", file_format=file_format, **options)


def names(units: list[Unit], out: Path) -> list[str]:
    return [Path(unit.target).relative_to(out).as_posix() for unit in units]


def test_whole_files(folder: Path, tmp_path: Path):
    out = tmp_path / "out"
    units = plan(folder, out)
    assert names(units, out) == ["a.txt.spacy", "b/c.jsonl.spacy"]
    assert [unit.source.path for unit in units] == [
        str(folder / "a.txt"),
        str(folder / "b" / "c.jsonl"),
    ]
    # Words are counted by the space between them.
    assert [unit.n_words for unit in units] == pytest.approx([600, 10], abs=40)


def test_parts(folder: Path, tmp_path: Path):
    out = tmp_path / "out"
    units = plan(folder, out, unit_words=250)
    assert names(units, out) == [
        "a.txt.1-of-3.spacy",
        "a.txt.2-of-3.spacy",
        "a.txt.3-of-3.spacy",
        "b/c.jsonl.spacy",
    ]
    texts = [[entry.text for entry in read_entries(unit.source, Vocab())] for unit in units[:3]]
    assert [text for part in texts for text in part] == (folder / "a.txt").read_text().splitlines()
    assert [3 * len(part) for part in texts[:2]] == pytest.approx([250, 250], abs=6)


def test_another_run_finds_the_same_parts(folder: Path, tmp_path: Path):
    """With other numbers, and new files."""
    out = tmp_path / "out"
    first = plan(folder, out, unit_words=100)
    write_lines(folder / "d.txt", ["new"])
    again = plan(folder, out, unit_words=500, n_workers=8)
    assert names(again, out) == [*names(first, out), "d.txt.spacy"]
    assert again[: len(first)] == first


def test_parts_for_many_workers(tmp_path: Path):
    """Each gets several, but none that is not worth it."""
    path = write_lines(tmp_path / "in" / "a.txt", ["word " * 100] * 6400)
    assert len(plan(path, tmp_path / "1")) == 1
    assert len(plan(path, tmp_path / "2", n_workers=2)) == pytest.approx(16, abs=1)
    assert len(plan(path, tmp_path / "100", n_workers=100)) == pytest.approx(32, abs=1)


def test_packed_files_and_docs_are_not_cut(tmp_path: Path):
    docs = [Doc(Vocab(), words=["word"] * 50)] * 50
    (tmp_path / "in").mkdir()
    DocBin(docs=docs).to_disk(tmp_path / "in" / "a.spacy")
    (tmp_path / "in" / "b.txt.gz").write_bytes(b"x" * 10_000)
    out = tmp_path / "out"
    units = plan(tmp_path / "in", out, unit_words=10)
    assert names(units, out) == ["a.spacy.spacy", "b.txt.gz.spacy"]
    assert all(unit.source.end is None for unit in units)


def test_languages_without_spaces(tmp_path: Path):
    """A Chinese text is not one word."""
    path = write_lines(tmp_path / "a.txt", ["今天天气很好我们去公园散步吧" * 20] * 100)
    n_units = len(plan(path, tmp_path / "out", unit_words=500))
    assert n_units == pytest.approx(28_000 / 8 / 500, abs=1)


def test_a_link_to_nowhere_is_a_unit(folder: Path, tmp_path: Path):
    os.symlink(tmp_path / "nowhere", folder / "z.txt")
    out = tmp_path / "out"
    assert names(plan(folder, out), out)[-1] == "z.txt.spacy"
    (tmp_path / "nowhere").write_text("one\n" * 1000)
    assert names(plan(folder, out, unit_words=500), out)[-1] == "z.txt.2-of-2.spacy"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"file_format": "jsonl"}, r"outputs with another format \('spacy', not 'jsonl'\)"),
        ({"nbest": 3}, r"outputs with another nbest \(None, not 3\)"),
    ],
)
def test_other_outputs(folder: Path, tmp_path: Path, options: dict, message: str):
    plan(folder, tmp_path / "out")
    with pytest.raises(ValueError, match=message):
        plan(folder, tmp_path / "out", **options)


def test_changed_texts(folder: Path, tmp_path: Path):
    plan(folder, tmp_path / "out")
    write_lines(folder / "a.txt", ["other"])
    with pytest.raises(ValueError, match=r"a.txt has changed"):
        plan(folder, tmp_path / "out")


def test_damaged_plan(folder: Path, tmp_path: Path):
    plan(folder, tmp_path / "out")
    (tmp_path / "out" / "plan.json").write_text("{")
    with pytest.raises(ValueError, match=r"plan.json is damaged"):
        plan(folder, tmp_path / "out")


@pytest.mark.parametrize("name", ["in", "in/out", "."])
def test_outputs_among_texts(folder: Path, tmp_path: Path, name: str):
    source = folder if name != "." else write_lines(tmp_path / "x.txt", ["x"])
    with pytest.raises(ValueError, match="would take them for texts"):
        plan(source, tmp_path / name)


def test_nothing_to_annotate(tmp_path: Path):
    with pytest.raises(ValueError, match="There is no file"):
        plan(tmp_path / "nowhere", tmp_path / "out")
    write_lines(tmp_path / "in" / "a.pdf", ["x"])
    with pytest.raises(ValueError, match="There are no texts"):
        plan(tmp_path / "in", tmp_path / "out")
    with pytest.raises(ValueError, match="Its suffix must be one of"):
        plan(tmp_path / "in" / "a.pdf", tmp_path / "out")


def test_what_dead_runs_left_is_swept(folder: Path, tmp_path: Path):
    out = tmp_path / "out"
    plan(folder, out)
    (out / "b").mkdir()
    dead = [
        out / folder_name / f".x.{host_name()}.4194304.unfinished" for folder_name in (".", "b")
    ]
    alive = out / f".x.{host_name()}.{os.getppid()}.unfinished"
    for path in (*dead, alive):
        path.write_bytes(b"half")
    plan(folder, out)
    assert [path.exists() for path in (*dead, alive)] == [False, False, True]
