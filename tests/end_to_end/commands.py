"""Running spaCy as a user would, and reading what it wrote."""

import os
import subprocess
import sys
from pathlib import Path

import srsly
from spacy.cli._util import app
from spacy.util import registry
from typer.testing import CliRunner

ENVIRONMENT = {"WASABI_LOG_FRIENDLY": "1", "COLUMNS": "200"}


def run(*args: object, cwd: Path, code: int = 0) -> str:
    """Run a spaCy command in this process, which takes a second less than a new one.

    *args: What stands behind `python -m spacy`.
    cwd (Path): The folder to run it in.
    code (int): The exit code that is expected.
    RETURNS (str): What it printed; of a failure, with single spaces and with the error.
    """
    registry.cli.get_all()
    before = Path.cwd()
    os.chdir(cwd)
    try:
        result = CliRunner(env=ENVIRONMENT).invoke(app, list(map(str, args)))
    finally:
        os.chdir(before)
    assert result.exit_code == code, (result.output, result.exception)
    return result.stdout if code == 0 else " ".join(f"{result.output} {result.exception}".split())


def run_process(*args: object, cwd: Path, module: str = "spacy") -> str:
    """Run a module, that of the spaCy commands or another one, in a process of its own.

    RETURNS (str): What it printed.
    """
    result = subprocess.run(
        [sys.executable, "-m", module, *map(str, args)],
        cwd=cwd,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def as_saved(value: float) -> float:
    """A number as spaCy's JSON keeps it."""
    return srsly.json_loads(srsly.json_dumps(value))


def read_files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}
