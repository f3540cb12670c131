"""Writing files so that whoever reads them finds the old ones or the new ones, never half of one.

What is written gets another name first, goes to the disk and is renamed. On Linux and macOS a whole
folder changes places with the old one in a single step; elsewhere there is a moment between two
renames in which neither has the name.
"""

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

UNFINISHED = ".unfinished"
# AT_FDCWD, and the flag that exchanges two names (RENAME_EXCHANGE, RENAME_SWAP).
_AT_CURRENT_FOLDER = -100
_EXCHANGE = 2


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace files, one after the other, once all of them are safely on the disk.

    folder (Path): Where; it exists.
    files (Mapping[str, bytes]): Names and contents, in the order in which they are renamed. After a
        kill between two of them, the later ones are there under `unfinished_path`.
    """
    renamed: list[str] = []
    try:
        for name, data in files.items():
            with unfinished_path(folder / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for name in files:
            unfinished_path(folder / name).replace(folder / name)
            renamed.append(name)
    except BaseException:
        # Once one file is new, the others are needed.
        if not renamed:
            for name in files:
                unfinished_path(folder / name).unlink(missing_ok=True)
        raise
    _flush(folder)


def publish(unfinished: Path, path: Path) -> None:
    """Give a complete file its name, in place of a file that has it, once it is safely on the disk.

    unfinished (Path): The file.
    path (Path): Its name, in the same folder.
    """
    if os.name == "posix":
        handle = os.open(unfinished, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    unfinished.replace(path)
    _flush(path.parent)


def unfinished_path(path: Path) -> Path:
    """RETURNS (Path): Where a file or folder is written before it gets its name."""
    return path.with_name(path.name + UNFINISHED)


@contextmanager
def replacing_folder(
    path: Path, *, keep_others: bool = True, leave_out: Collection[str] = ()
) -> Iterator[Path]:
    """Fill a new folder that takes the place of an old one when the block ends, or not at all.

    path (Path): The folder to replace, or to make.
    keep_others (bool): Copy files that the old folder alone has, so that nothing but what is
        written changes.
    leave_out (Collection[str]): Names of files that need not be copied, in any folder.
    YIELDS (Path): An empty folder beside it, to write to.
    """
    # A link stays a link.
    path = path.resolve()
    new = unfinished_path(path)
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        yield new
        if path.exists():
            if keep_others:
                _copy_missing(path, new, leave_out=leave_out)
            shutil.copymode(path, new)
        _flush_tree(new)
        _put_in_place(new, path)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _copy_missing(old: Path, new: Path, *, leave_out: Collection[str] = ()) -> None:
    """Copy what one folder has and another one has not.

    old (Path): The folder to copy from.
    new (Path): The folder to copy to.
    leave_out (Collection[str]): Names of files to pass over.
    """
    for source in old.iterdir():
        target = new / source.name
        is_there = os.path.lexists(target)
        if not source.is_dir() or source.is_symlink():
            if not is_there and source.name not in leave_out:
                shutil.copy2(source, target, follow_symlinks=False)
        elif not is_there or (target.is_dir() and not target.is_symlink()):
            target.mkdir(exist_ok=True)
            _copy_missing(source, target, leave_out=leave_out)


def _put_in_place(new: Path, path: Path) -> None:
    """Give a folder the name of another one, which is removed afterwards."""
    if not path.exists():
        new.rename(path)
    elif not _exchange(new, path):
        beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            old = path.rename(beside / path.name)
            try:
                new.rename(path)
            except BaseException:
                old.rename(path)
                raise
        finally:
            if path.exists():
                shutil.rmtree(beside, ignore_errors=True)
    _flush(path.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change names in one step; whether the system can do that."""
    if os.name != "posix":
        return False
    names = os.fsencode(one), os.fsencode(other)
    # No such function, or a file system that can't.
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return library.renamex_np(*names, _EXCHANGE) == 0
        here = _AT_CURRENT_FOLDER
        return library.renameat2(here, names[0], here, names[1], _EXCHANGE) == 0
    return False


def _flush_tree(folder: Path) -> None:
    """Let all files below a folder reach the disk."""
    for root, _, names in os.walk(folder):
        for name in names:
            _flush(Path(root, name))
        _flush(Path(root))


def _flush(path: Path) -> None:
    """Let what others have written to a file, or the names in a folder, reach the disk.

    Windows allows neither, and some file systems not the latter. A kill does no harm without it.
    """
    if os.name == "posix" and not path.is_symlink():
        handle = os.open(path, os.O_RDONLY)
        try:
            with suppress(OSError):
                os.fsync(handle)
        finally:
            os.close(handle)
