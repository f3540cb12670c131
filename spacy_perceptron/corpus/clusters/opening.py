"""Open text files, packed or not."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ...errors import Errors


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file for reading, and say which one it is if it can't be read.

    path (Path): The file, packed if its name ends in .gz. Only \\n ends a line.
    YIELDS (TextIO): The file.
    """
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8-sig", newline="\n") as file:
                yield file
        else:
            with path.open(encoding="utf-8-sig", newline="\n") as file:
                yield file
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(Errors.CLUSTERS_UNREADABLE.format(path=path, error=error)) from error


def kind_of(path: Path) -> str:
    """RETURNS (str): The suffix of a file, without that of a packed one."""
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()
