"""Archives of this package, built from a copy of the sources and of what is compiled already: a
wheel takes seconds in place of minutes, and any attempt to compile fails."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from ..real_data import REPOSITORY

PACKAGE = "spacy_perceptron"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
WITHOUT_COMPILER = {"CC": "false", "CXX": "false"}


def copy_sources(folder: Path) -> Path:
    """Copy all that an archive is made of, so that setup.py finds nothing to compile.

    folder (Path): A new folder.
    RETURNS (Path): The same.
    """
    compiled = REPOSITORY / "build" / "cython_settings"
    missing = [
        path
        for path in (REPOSITORY / PACKAGE).rglob("*.pyx")
        if not path.with_suffix(SUFFIX).exists()
    ]
    if missing or not compiled.exists():
        pytest.skip("needs a checkout with compiled modules: pip install -e .")
    ignore = shutil.ignore_patterns("__pycache__", "results")
    for name in (PACKAGE, "tests", "configs", "docs", "benchmarks", ".github", ".ci"):
        shutil.copytree(REPOSITORY / name, folder / name, ignore=ignore)
    for path in REPOSITORY.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy2(path, folder / path.name)
    (folder / "build").mkdir()
    shutil.copy2(compiled, folder / "build")
    # Cython compares dates with those of its own declarations too, and these are younger if Cython
    # was installed after the modules were compiled.
    for written in ("*.c", "*.cpp"):
        for path in (folder / PACKAGE).rglob(written):
            path.touch()
    # Where setuptools would put them.
    target = folder / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    for path in (REPOSITORY / PACKAGE).rglob(f"*{SUFFIX}"):
        copy = target / path.relative_to(REPOSITORY)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return folder


def build(sources: Path, kind: str) -> Path:
    """Build an archive.

    sources (Path): What `copy_sources` made.
    kind (str): `wheel` or `sdist`.
    RETURNS (Path): The archive.
    """
    folder = sources / "dist" / kind
    run("-m", "build", f"--{kind}", "--no-isolation", "--outdir", folder, sources, cwd=sources)
    (archive,) = folder.iterdir()
    return archive


def run(
    *args: object, cwd: Path, python: Path | str = sys.executable, path: str | None = None
) -> str:
    """Run Python without a compiler.

    *args: Its arguments.
    cwd (Path): The folder to run it in.
    python (Union[Path, str]): Which one.
    path (Optional[str]): The search path of programs, None for the usual one.
    RETURNS (str): What it printed.
    """
    env = {**os.environ, **WITHOUT_COMPILER, "WASABI_LOG_FRIENDLY": "1"}
    if path is not None:
        env["PATH"] = path
    result = subprocess.run(
        [str(python), *map(str, args)], cwd=cwd, env=env, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout
