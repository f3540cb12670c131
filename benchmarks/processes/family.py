"""The CPU time of a process with all the processes that it has started, directly or not.

Workers of Ray are children of a process that Ray starts, and are still alive when they have done
their work: `resource.getrusage` does not know them, the kernel's table of processes does.
"""

from __future__ import annotations

import os
from pathlib import Path

PROCESSES = Path("/proc")
# Fields of /proc/PID/stat behind the name: the parent, and the ticks of the process and of those of
# its children that have ended, in user and in kernel mode.
_PARENT = 1
_TICKS = slice(11, 15)


def family_seconds(process: int | None = None) -> float | None:
    """CPU seconds that a process and its descendants have used.

    Descendants that have ended count if their parent has waited for them.

    process (int | None): the process; None for this one.
    RETURNS (float | None): seconds; None where there is no table of processes to read.
    """
    if not (PROCESSES / "self" / "stat").exists():
        return None
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in PROCESSES.iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                # It has just ended.
                continue
            # A name can have spaces and brackets.
            fields = text.rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[_PARENT])
            ticks[int(entry.name)] = sum(map(int, fields[_TICKS]))
    head = os.getpid() if process is None else process
    members = (number for number in ticks if _descends(number, head, parents))
    return sum(ticks[number] for number in members) / os.sysconf("SC_CLK_TCK")


def _descends(process: int, head: int, parents: dict[int, int]) -> bool:
    """Whether a process is another one or has been started by it."""
    while process != head:
        if process not in parents:
            return False
        process = parents[process]
    return True
