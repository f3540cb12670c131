"""Who may import what (docs/architecture.md): import-linter for Python files, and the same rules
for compiled modules, whose cimports it cannot see."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import spacy_perceptron

PACKAGE = Path(spacy_perceptron.__file__).parent
ROOT = PACKAGE.parent
COMPILED = sorted([*PACKAGE.rglob("*.pyx"), *PACKAGE.rglob("*.pxd")])
# Compiled floors, from the top down.
FLOORS = ["decode", "learn", "features", "values", "errors"]
# Rooms of decode that a room may import.
ROOMS = {
    "search": [],
    "arcs": ["search"],
    "attachments": ["search", "arcs"],
    "choices": ["search"],
    "constituents": ["search"],
    "sequences": ["search"],
}
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """The modules that a file imports, by their full names."""
    package = path.relative_to(ROOT).parts[:-1]
    for match in IMPORT.finditer(path.read_text(encoding="utf8")):
        name = match[1] or match[2]
        dots = len(name) - len(name.lstrip("."))
        base = package[: len(package) - dots + 1] if dots else ()
        yield (*base, *name.lstrip(".").split("."))


def rule_broken(path: Path, module: tuple[str, ...]) -> str:
    """What is wrong with an import; nothing if it is allowed."""
    floor = path.relative_to(PACKAGE).parts[0]
    if module[0] in ("spacy", "thinc"):
        return "compiled modules know nothing of spaCy"
    if module[0] != "spacy_perceptron":
        return ""
    if module[1] not in FLOORS or FLOORS.index(module[1]) < FLOORS.index(floor):
        return f"{floor} is below {module[1]}"
    if floor == module[1] == "decode":
        room = path.relative_to(PACKAGE).parts[1]
        if module[2] not in {room, *ROOMS[room]}:
            return f"the room {room} may not import the room {module[2]}"
    return ""


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="not a source checkout")
def test_python_modules():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "0 broken" in found.stdout


def test_compiled_modules():
    assert len(COMPILED) > 60
    broken = [
        f"{path.relative_to(ROOT)} imports {'.'.join(module)}: {reason}"
        for path in COMPILED
        for module in imports(path)
        if (reason := rule_broken(path, module))
    ]
    assert not broken


@pytest.mark.parametrize(
    ("path", "module", "is_broken"),
    [
        ("decode/arcs/parsing.pyx", "spacy_perceptron.decode.search.forest", False),
        ("decode/attachments/parsing.pyx", "spacy_perceptron.decode.arcs.labeler", False),
        ("decode/arcs/parsing.pyx", "spacy_perceptron.decode.attachments.search", True),
        ("decode/search/beam.pyx", "spacy_perceptron.decode.arcs.parts", True),
        ("learn/mira.pyx", "spacy_perceptron.decode.search.beam", True),
        ("learn/mira.pyx", "spacy_perceptron.features.hashing", False),
        ("decode/arcs/parsing.pyx", "spacy_perceptron.components._shared.base", True),
        ("features/lexemes.pyx", "spacy.strings", True),
        ("features/lexemes.pyx", "numpy", False),
    ],
)
def test_the_rules_themselves(path: str, module: str, is_broken: bool):
    assert bool(rule_broken(PACKAGE / path, tuple(module.split(".")))) == is_broken
