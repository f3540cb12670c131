"""Rules of the house that no tool checks: small folders, and tests that do not lean on others."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
MAX_MODULES = 16


@pytest.mark.parametrize("name", ["spacy_perceptron", "tests", "benchmarks"])
def test_folders_are_small(name: str):
    modules = [path for suffix in ("py", "pyx") for path in (ROOT / name).rglob(f"*.{suffix}")]
    counts = Counter(path.parent for path in modules if path.stem != "__init__")
    assert counts
    assert {str(folder): n for folder, n in counts.items() if n > MAX_MODULES} == {}


def imported(path: Path) -> Iterator[str]:
    """The parts of all names that a module imports, or imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split("."))


def test_no_module_imports_a_test():
    """What tests share is in modules of its own, and in fixtures."""
    paths = sorted(TESTS.rglob("*.py"))
    tests = {path.stem for path in paths if path.name.startswith("test_")}
    assert Path(__file__).stem in tests
    found = {str(path.relative_to(ROOT)): tests.intersection(imported(path)) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}
