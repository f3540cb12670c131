"""Everything public has an entry in the reference."""

import ast
import re
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
import spacy
import typer
from spacy.tokens.underscore import Underscore

import spacy_perceptron
from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.components._shared.saving import SavedPipe

from ..real_data import REPOSITORY
from .blocks import read_blocks

DOCS = REPOSITORY / "docs"
PACKAGE = REPOSITORY / "spacy_perceptron"
PAGES = {page.stem: page.read_text(encoding="utf8") for page in (DOCS / "reference").glob("*.md")}
ENTRIES = [name for text in PAGES.values() for name in re.findall(r"^::: (\S+)$", text, re.M)]
ENTRY_POINTS = distribution("spacy-perceptron").entry_points


def has_entry(name: str) -> bool:
    """Its own, or that of its module or class."""
    parts = name.split(".")
    return any(".".join(parts[:n]) in ENTRIES for n in range(2, len(parts) + 1))


def test_entries_are_there_once():
    assert len(ENTRIES) > 100
    assert len(set(ENTRIES)) == len(ENTRIES)
    assert not [name for name in ENTRIES if has_entry(name.rpartition(".")[0])]
    assert not has_entry("spacy_perceptron.none")


def test_registered_functions():
    registered = [entry for entry in ENTRY_POINTS if entry.group != "spacy_cli"]
    assert len(registered) > 25
    for entry in registered:
        assert has_entry(entry.value.replace(":", ".")), entry.value
        if entry.group != "spacy_factories":
            assert f"`{entry.name}`" in PAGES["registry"]


def test_components():
    factories = [entry for entry in ENTRY_POINTS if entry.group == "spacy_factories"]
    assert len(factories) == 9
    nlp = spacy.blank("en")
    for entry in factories:
        pipe = type(nlp.add_pipe(entry.name))
        assert f"\n## {entry.name}\n" in PAGES["components"]
        bases = [base for base in pipe.__mro__ if issubclass(base, SavedPipe)]
        public = [b for b in bases if any(not name.startswith("_") for name in vars(b))]
        assert SavedPipe in public
        for base in public:
            assert has_entry(f"{base.__module__}.{base.__qualname__}"), base


def test_names_of_the_package():
    names = set(spacy_perceptron.__all__) - {"__version__"}
    assert len(names) >= 6
    for name in names:
        value = getattr(spacy_perceptron, name)
        assert f"::: {value.__module__}.{name}\n" in PAGES["package"]


def test_attributes():
    nlp = spacy.blank("en")
    for entry in ENTRY_POINTS:
        if entry.group == "spacy_factories":
            nlp.add_pipe(entry.name)
    held = (Underscore.doc_extensions, Underscore.token_extensions, Underscore.span_extensions)
    ours = {
        name
        for extensions in held
        for name, (_, _, getter, _) in extensions.items()
        if "spacy_perceptron" in getattr(getattr(getter, "func", getter), "__module__", "")
        # Other tests have components with names of their own.
        and not name.startswith(("x_", "y_"))
    }
    assert ours >= {"nbest", "confidence", "head_confidence", "labels"}
    assert not [name for name in ours if f"`_.{name}`" not in PAGES["index"]]


def test_commands():
    group = typer.main.get_command(perceptron_cli)
    headings = re.findall(r"^## (\S+)$", (DOCS / "cli.md").read_text(encoding="utf8"), re.M)
    assert len(group.commands) >= 9
    for name, command in group.commands.items():
        assert f"[`{name}`](../cli.md#{name})" in PAGES["index"]
        assert name in headings
        for part in getattr(command, "commands", ()):
            assert f"`{part}`" in PAGES["index"]


@pytest.mark.parametrize("stub", sorted(PACKAGE.rglob("*.pyi")), ids=lambda path: path.stem)
def test_compiled_modules(stub: Path):
    assert has_entry(".".join(stub.relative_to(REPOSITORY).with_suffix("").parts))


def imported(page: Path) -> Iterator[str]:
    """What the Python blocks of a page import from the package."""
    for block in read_blocks(page):
        if block.language == "python":
            for node in ast.walk(ast.parse(block.code)):
                if isinstance(node, ast.ImportFrom) and "spacy_perceptron" in (node.module or ""):
                    yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_what_the_docs_import():
    pages = [*sorted(DOCS.glob("*.md")), REPOSITORY / "README.md"]
    names = {name for page in pages for name in imported(page)}
    assert len(names) > 15
    assert sorted(name for name in names if not has_entry(name)) == []
