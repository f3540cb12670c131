"""The machine and the software that a benchmark ran on, for its report."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = (
    "spacy-perceptron",
    "spacy",
    "thinc",
    "blis",
    "numpy",
)
CPU_INFO = Path("/proc/cpuinfo")


def cpu_name() -> str:
    """The processor's name, as the system gives it."""
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def package_version(name: str) -> str | None:
    """The version of a package, if it is installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def describe(
    command: Sequence[str], peers: Sequence[str], *, cores_used: str = "one"
) -> dict[str, Any]:
    """Everything worth knowing about this run.

    command (Sequence[str]): the words of the command that repeats it.
    peers (Sequence[str]): packages of the peers, apart from spaCy.
    cores_used (str): how many cores were used, in a word.
    RETURNS (dict[str, Any]): plain data.
    """
    return {
        "date": time.strftime("%Y-%m-%d"),
        "command": " ".join(command),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "cores_used": cores_used,
        "load_average": list(os.getloadavg()),
        "platform": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: package_version(name) for name in (*PACKAGES, *peers)},
    }


def describe_cores(environment: Mapping[str, Any]) -> str:
    """How many cores there were and were used."""
    return f"{environment['cores']} cores, {environment.get('cores_used', 'one')} used"
