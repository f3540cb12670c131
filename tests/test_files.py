"""Files and folders are replaced as a whole or not at all."""

import os
from pathlib import Path

import pytest

from spacy_perceptron import files
from spacy_perceptron.files import replacing_folder, unfinished_path, write_files


def contents(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text() for path in files}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "folder"
    (path / "inner").mkdir(parents=True)
    (path / "a").write_text("old a")
    (path / "b").write_text("old b")
    (path / "inner" / "c").write_text("old c")
    return path


def test_files_are_replaced(folder: Path):
    write_files(folder, {"a": b"new a", "d": b"new d"})
    expected = {"a": "new a", "b": "old b", "d": "new d", "inner/c": "old c"}
    assert contents(folder) == {str(Path(name)): text for name, text in expected.items()}


def test_a_disk_that_fails_leaves_all_files(folder: Path, monkeypatch: pytest.MonkeyPatch):
    before = contents(folder)
    calls = []

    def fail_later(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:
            raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail_later)
    with pytest.raises(OSError, match="no space left"):
        write_files(folder, {"a": b"new a", "b": b"new b"})
    assert contents(folder) == before


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_folder_is_replaced(folder: Path, can_exchange: bool, monkeypatch: pytest.MonkeyPatch):
    """Also where two folders can't change names in one step. What is not written stays."""
    if not can_exchange:
        monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    (folder / "a").chmod(0o600)
    with replacing_folder(folder) as new:
        assert not contents(new)
        (new / "a").write_text("new a")
        (new / "other").mkdir()
        (new / "other" / "d").write_text("new d")
        assert contents(folder)["a"] == "old a"
    expected = {"a": "new a", "b": "old b", "inner/c": "old c", "other/d": "new d"}
    assert contents(folder) == {str(Path(name)): text for name, text in expected.items()}
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_a_folder_is_made(tmp_path: Path):
    # Left by a save that was killed.
    unfinished_path(tmp_path / "new").mkdir()
    (unfinished_path(tmp_path / "new") / "b").write_text("half")
    with replacing_folder(tmp_path / "new") as new:
        (new / "a").write_text("a")
    assert contents(tmp_path) == {str(Path("new/a")): "a"}


def test_an_error_leaves_the_old_folder(folder: Path):
    before = contents(folder)

    def fail() -> None:
        with replacing_folder(folder) as new:
            (new / "a").write_text("new a")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_a_rename_that_fails_leaves_no_unfinished_files(folder: Path):
    (folder / "taken" / "inner").mkdir(parents=True)
    before = contents(folder)
    with pytest.raises(OSError, match="taken"):
        write_files(folder, {"taken": b"new", "a": b"new a"})
    assert contents(folder) == before


def test_the_old_folder_gets_its_name_back(folder: Path, monkeypatch: pytest.MonkeyPatch):
    before = contents(folder)
    rename = Path.rename

    def fail_for_the_new_one(path: Path, target: Path) -> Path:
        if path == unfinished_path(folder):
            raise OSError("in use")
        return rename(path, target)

    monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    monkeypatch.setattr(Path, "rename", fail_for_the_new_one)
    with pytest.raises(OSError, match="in use"), replacing_folder(folder) as new:
        (new / "a").write_text("new a")
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_folders_beside_it_are_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "_exchange", lambda one, other: False)
    (folder.parent / "folder.old").mkdir()
    with replacing_folder(folder):
        pass
    assert {path.name for path in folder.parent.iterdir()} == {"folder", "folder.old"}


def test_what_others_have_written_is_copied(folder: Path):
    """Whatever its name is, unless there is a file where a folder was."""
    (folder / "my.unfinished").write_text("mine")
    (folder / "half").write_text("half")
    with replacing_folder(folder, leave_out=["half"]) as new:
        (new / "inner").write_text("new inner")
    expected = {"a": "old a", "b": "old b", "my.unfinished": "mine", "inner": "new inner"}
    assert contents(folder) == expected


def test_nothing_else_is_kept(folder: Path):
    with replacing_folder(folder, keep_others=False) as new:
        (new / "a").write_text("new a")
    assert contents(folder) == {"a": "new a"}


def test_windows_cannot_exchange(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """There, the library of the process has no name that can be left out."""
    other = folder.parent / "other"
    other.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(files.os, "name", "nt")
        assert not files._exchange(folder, other)
    assert contents(folder)


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
def test_a_link_stays_a_link(folder: Path):
    link = folder.parent / "link"
    link.symlink_to(folder)
    with replacing_folder(link) as new:
        (new / "a").write_text("new a")
    assert link.is_symlink()
    assert contents(folder)["a"] == "new a"


@pytest.mark.skipif(os.name != "posix", reason="needs the exchange of names")
def test_names_are_exchanged(folder: Path):
    other = folder.parent / "other"
    other.mkdir()
    if not files._exchange(folder, other):
        pytest.skip("the file system can't")
    assert contents(other)["a"] == "old a"
    assert not contents(folder)
    assert not files._exchange(folder, folder.parent / "missing")
