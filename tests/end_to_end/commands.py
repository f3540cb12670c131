"""Running spaCy as a user would, and reading what it wrote."""

import os
import subprocess
import sys
from pathlib import Path

import srsly


def run(*args: object, cwd: Path, code: int = 0, module: str = "spacy") -> str:
    """Run a spaCy command. RETURNS (str): What it printed, with single spaces."""
    command = [sys.executable, "-m", module, *map(str, args)]
    environment = {**os.environ, "WASABI_LOG_FRIENDLY": "1", "COLUMNS": "200"}
    result = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout if code == 0 else " ".join((result.stdout + result.stderr).split())


def as_saved(value: float) -> float:
    """A number as spaCy's JSON keeps it."""
    return srsly.json_loads(srsly.json_dumps(value))


def read_files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}
