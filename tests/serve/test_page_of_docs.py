"""docs/playground.md against the server."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

from ..docs.blocks import Runner, read_blocks
from ..real_data import REPOSITORY
from .served import serving

PAGE = REPOSITORY / "docs" / "playground.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="not a source checkout")


def test_the_example(model: Path, tmp_path: Path):
    blocks = [block for block in read_blocks(PAGE) if block.language == "python"]
    assert len(blocks) == 1
    with serving(tmp_path, model, "--output", tmp_path / "out") as server:
        server.wait()
        for block in blocks:
            assert "http://127.0.0.1:8000" in block.code
            block.code = block.code.replace("http://127.0.0.1:8000", server.address.rstrip("/"))
            Runner(tmp_path).run(block)
    assert (tmp_path / "out" / "corrections.spacy").exists()


def test_all_options_have_a_row():
    printed = CliRunner().invoke(perceptron_cli, ["serve", "--help"], env={"COLUMNS": "300"}).output
    options = {*re.findall(r"--[a-z-]+", printed)} - {"--help", "--no-open"}
    text = PAGE.read_text(encoding="utf8")
    assert options == {*re.findall(r"^\| `(--[a-z-]+)", text, re.MULTILINE)}


def test_all_requests_have_a_row(model: Path, tmp_path: Path):
    with serving(tmp_path, model, "--output", tmp_path / "out") as server:
        paths = server.get("openapi.json")["paths"]
    documented = {
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method in methods
        if path != "/" and not path.startswith("/assets")
    }
    rows = re.findall(r"^\| `((?:GET|POST) [^`]+)` \|", PAGE.read_text("utf8"), re.MULTILINE)
    assert {*rows} == documented
    codes = {
        code for methods in paths.values() for one in methods.values() for code in one["responses"]
    }
    listed = re.findall(r"^\| (\d+(?:, \d+)*) \|", PAGE.read_text("utf8"), re.MULTILINE)
    assert {code for row in listed for code in row.split(", ")} == codes - {"200"}
