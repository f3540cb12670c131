"""Which documents a process was at work on when it died.

A worker that dies leaves its unit to another one, and a document that kills every worker must not
keep the rest of the unit from being done. So each attempt writes into a file beside the output what
it has in hand: a batch of documents, by the positions of the first and the last. An attempt that
ends in order, also by an error, takes this back. Later attempts take documents of such batches one
by one, and leave out a document that was alone in hand when the process died, twice.
"""

import os
from contextlib import suppress
from pathlib import Path

# Two numbers of fixed width, so that a line can be overwritten in place.
_LINE = "{first:020d} {last:020d}\n"
_N_BYTES = len(_LINE.format(first=0, last=0))
_DEATHS_OF_A_DOCUMENT = 2
# A unit that kills more processes than this is given up until the next run.
MOST_DEATHS = 24


class Journal:
    """The attempts at one unit. Nothing is written before the first batch.

    path (Path): The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ranges = _read(path)
        self._place = len(self._ranges) * _N_BYTES
        self._handle: int | None = None

    @property
    def n_deaths(self) -> int:
        """RETURNS (int): The number of processes that have died with documents in hand."""
        return len(self._ranges)

    def is_suspect(self, position: int) -> bool:
        """RETURNS (bool): Whether a document was in hand when a process died."""
        return any(first <= position <= last for first, last in self._ranges)

    def is_fatal(self, position: int) -> bool:
        """RETURNS (bool): Whether it was in hand alone, as often as it takes to leave it out."""
        return self._ranges.count((position, position)) >= _DEATHS_OF_A_DOCUMENT

    def take(self, first: int, last: int) -> None:
        """Write down a batch before work on it begins.

        first (int): Position of its first document.
        last (int): Position of its last document.
        """
        if self._handle is None:
            self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o666)
        os.lseek(self._handle, self._place, os.SEEK_SET)
        os.write(self._handle, _LINE.format(first=first, last=last).encode("ascii"))

    def withdraw(self) -> None:
        """Take back this attempt, which did not end in death."""
        if self._handle is not None:
            with suppress(OSError):
                os.ftruncate(self._handle, self._place)
            self._close()
        if not self._ranges:
            self.path.unlink(missing_ok=True)

    def end(self) -> None:
        """Remove the file: the unit is done, or given up."""
        self._close()
        self.path.unlink(missing_ok=True)

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _read(path: Path) -> list[tuple[int, int]]:
    """The batches that processes have left, the earliest first."""
    try:
        lines = path.read_bytes()
    except FileNotFoundError:
        return []
    rows = [lines[i : i + _N_BYTES].split() for i in range(0, len(lines), _N_BYTES)]
    return [(int(row[0]), int(row[1])) for row in rows if len(row) == 2]
