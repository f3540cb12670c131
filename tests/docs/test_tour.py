"""The tour: a notebook, run cell by cell as Jupyter would do it."""

import ast
import contextlib
import io
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ..display.html_elements import read
from ..real_data import REPOSITORY
from .links import find_links, is_dead

TOUR = REPOSITORY / "docs" / "tour.ipynb"
NOTEBOOK = json.loads(TOUR.read_text(encoding="utf8"))
CELLS = {cell["id"]: cell for cell in NOTEBOOK["cells"]}


@dataclass
class Session:
    """What cells leave behind.

    names (dict[str, Any]): The variables that they share.
    values (dict[str, Any]): For each cell the value of its last line, if that is an expression.
    printed (dict[str, str]): For each cell what it prints.
    page (str): The file that is written.
    """

    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    values: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    page: str = ""

    def run(self, name: str, code: str) -> None:
        """Run a cell."""
        tree = ast.parse(code, filename=name)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, name, "exec"), self.names)
            if isinstance(last, ast.Expr):
                value = compile(ast.Expression(last.value), name, "eval")
                self.values[name] = eval(value, self.names)
        self.printed[name] = printed.getvalue()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """All cells, in order, in an empty folder."""
    session, before = Session(), Path.cwd()
    os.chdir(tmp_path_factory.mktemp("tour"))
    try:
        for name, cell in CELLS.items():
            if cell["cell_type"] == "code":
                session.run(name, "".join(cell["source"]))
        session.page = Path("tour.html").read_text(encoding="utf8")
    finally:
        os.chdir(before)
    return session


def test_format():
    """As nbformat 4.5 wants it, and without outputs of anybody's machine."""
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert len(CELLS) == len(NOTEBOOK["cells"]) > 12
    for cell in NOTEBOOK["cells"]:
        fields = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            fields |= {"execution_count", "outputs"}
            assert cell["execution_count"] is None
            assert cell["outputs"] == []
        assert set(cell) == fields
        assert "".join(cell["source"]).strip()


def test_links(tmp_path: Path):
    texts = ["".join(c["source"]) for c in CELLS.values() if c["cell_type"] == "markdown"]
    (tmp_path / "tour.md").write_text("\n\n".join(texts), encoding="utf8")
    links = find_links(tmp_path / "tour.md")
    assert len(links) >= 5
    assert [target for target in links if is_dead(TOUR, target)] == []


def test_pictures(session: Session):
    for name in ("text", "worst", "nbest", "phrases", "correction"):
        read(session.values[name])
    names = "".join(read(session.values["text"]).texts["p"])
    assert all(kind in names for kind in ("tags", "entities", "dependencies", "constituents"))
    assert session.values["nbest"].count("<figcaption>") == 3
    assert session.values["phrases"].count("<figcaption>") == 2


def test_confidences_are_of_use(session: Session):
    """What is sure is right more often."""
    accuracy = session.names["accuracy"]
    assert accuracy[0] < accuracy[2] < accuracy[3]
    assert accuracy[3] > 0.95
    assert len(session.printed["doubt"].splitlines()) == 4


def test_explanation(session: Session):
    explanation = session.values["explanation"]
    assert explanation.subject == "head"
    assert {explanation.chosen, explanation.runner_up} == {"man", "saw"}
    assert "<table>" in explanation._repr_html_()


def test_correction_and_going_back(session: Session):
    docs = (session.names[name] for name in ("doc", "corrected", "undone"))
    first, corrected, undone = (doc[7].head.i for doc in docs)
    assert {first, corrected} == {4, 6}
    assert undone == first
    heads = {4: "saw", 6: "man"}
    told = f"with <- {heads[first]}, corrected: {heads[corrected]}, undone: {heads[first]}\n"
    assert session.printed["undo"] == told


def test_what_is_kept(session: Session):
    assert session.page.startswith("<!DOCTYPE html>")
    assert "telescope" in session.page
    assert [token.head.i for token in session.names["again"]] == [
        token.head.i for token in session.names["undone"]
    ]
