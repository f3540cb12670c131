"""The files of a unit: an output that is there as a whole or not at all, and its error file.

What is being written has a hidden name with the host and the process that writes it, such as
`.part.txt.spacy.node7.4711.unfinished`. So it can be told from what a dead process has left.
"""

import os
import re
import socket
import time
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import IO, Any

import srsly

from ..files import UNFINISHED, publish
from .sources import Source

ERRORS = ".errors.jsonl"
_TRIED = ".tried"
_OWNER = re.compile(r"\.([^.]+)\.(\d+)" + re.escape(UNFINISHED))
# Whether a process of another host is alive can't be known. One that has not written for so many
# seconds is taken for dead.
_PATIENCE = 24 * 3600


def host_name() -> str:
    """RETURNS (str): The name of this host, without its domain."""
    return socket.gethostname().split(".")[0] or "host"


def unfinished_name(target: Path) -> Path:
    """RETURNS (Path): Where this process writes a file before it gets its name."""
    return target.with_name(f".{target.name}.{host_name()}.{os.getpid()}{UNFINISHED}")


def errors_path(target: Path) -> Path:
    """RETURNS (Path): The error file of an output."""
    return target.with_name(target.name + ERRORS)


def journal_path(target: Path) -> Path:
    """RETURNS (Path): Where attempts at an output are written down."""
    return target.with_name(f".{target.name}{_TRIED}")


def sweep(folder: Path, target: Path | None = None) -> int:
    """Remove what dead processes have left unfinished.

    folder (Path): Where to look, in this folder alone.
    target (Optional[Path]): The only output to look for; None for all.
    RETURNS (int): How many files were removed.
    """
    n_removed = 0
    name = "" if target is None else escape(target.name)
    for path in folder.glob(f".{name}*{UNFINISHED}"):
        owner = _OWNER.search(path.name)
        if owner and not _is_alive(owner[1], int(owner[2]), path):
            path.unlink(missing_ok=True)
            n_removed += 1
    return n_removed


def _is_alive(host: str, process: int, path: Path) -> bool:
    """Whether the process that writes a file may be alive."""
    if host != host_name():
        try:
            return time.time() - path.stat().st_mtime < _PATIENCE
        except FileNotFoundError:
            return False
    if process == os.getpid():
        # Its earlier attempt: a process writes one file of a name at a time.
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class ErrorFile:
    """The documents of a unit that could not be annotated, an object a line: `source`, `position`,
    `reason`, and `text` and `id` where they are known.

    source (Source): What the unit reads.
    target (Path): Its output.
    """

    def __init__(self, source: Source, target: Path) -> None:
        self.path = errors_path(target)
        self.n_errors = 0
        self._source = source
        self._unfinished = unfinished_name(self.path)
        self._file: IO[str] | None = None

    def add(
        self, position: int | None, reason: str, *, text: str = "", name: str | None = None
    ) -> None:
        """Write an error.

        position (Optional[int]): Where the document is; None for all of the source.
        reason (str): What is wrong.
        text (str): The document.
        name (Optional[str]): Its ID.
        """
        record: dict[str, Any] = {"source": self._source.path, "position": position}
        if position is None:
            record |= {"start": self._source.start, "end": self._source.end}
        record["reason"] = reason
        if name is not None:
            record["id"] = name
        if text:
            record["text"] = text
        if self._file is None:
            self._file = self._unfinished.open("w", encoding="utf-8")
        self._file.write(srsly.json_dumps(record) + "\n")
        self.n_errors += 1

    def publish(self) -> None:
        """Let it have its name. Without errors there is none, nor one from an earlier attempt."""
        if self._file is None:
            self.path.unlink(missing_ok=True)
        else:
            self._file.close()
            self._file = None
            publish(self._unfinished, self.path)

    def discard(self) -> None:
        """Remove it, unless it has its name."""
        if self._file is not None:
            # On a full disk, closing fails again.
            with suppress(OSError):
                self._file.close()
            self._file = None
        self._unfinished.unlink(missing_ok=True)
