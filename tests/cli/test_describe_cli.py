import json
import re
from pathlib import Path

import pytest
import spacy
from spacy.cli.package import package
from typer.testing import CliRunner

import spacy_perceptron
from spacy_perceptron.cli import perceptron_cli

from .small_tagger import train

ABOUT = {
    "name": "small",
    "description": "Knows three sentences.",
    "author": "Ada",
    "license": "CC0 1.0",
    "sources": [{"name": "Three sentences", "license": "CC0 1.0"}],
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    train("tag").to_disk(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    """Options that name a description and figures."""
    write(tmp_path / "about.json", ABOUT)
    write(tmp_path / "raw.json", {"tag_acc": 0.875, "ents_f": None, "speed": 5000.0})
    return ["--about", tmp_path / "about.json", "--metrics", tmp_path / "raw.json"]


def write(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf8")
    return path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, ["describe", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return re.sub(r"\s+", " ", result.output)


def test_a_copy_is_described_and_packaged(model: Path, files: list[object], tmp_path: Path):
    output = tmp_path / "described"
    before = {path: path.read_bytes() for path in model.rglob("*") if path.is_file()}
    printed = run(model, *files, "--output", output)
    assert f"en_small {spacy_perceptron.__version__}, CC0 1.0, 2 figures" in printed
    assert {path: path.read_bytes() for path in model.rglob("*") if path.is_file()} == before
    nlp = spacy.load(output)
    assert nlp.meta["name"] == "small"
    assert nlp.meta["performance"] == {"tag_acc": 0.875, "speed": 5000.0}
    assert [token.tag_ for token in nlp("We bite.")] == ["PRP", "VBP", "."]
    (tmp_path / "packages").mkdir()
    package(output, tmp_path / "packages", create_sdist=False)
    folder = tmp_path / "packages" / f"en_small-{spacy_perceptron.__version__}"
    card = (folder / "README.md").read_text(encoding="utf8")
    assert "| `TAG_ACC` | 87.50 |" in card
    assert "| **License** | `CC0 1.0` |" in card
    assert "| **Author** | Ada |" in card
    assert "ENTS_F" not in card
    assert "Three sentences" in (folder / "LICENSES_SOURCES").read_text(encoding="utf8")
    requirements = json.loads((folder / "meta.json").read_text(encoding="utf8"))["requirements"]
    major, minor, *_ = spacy_perceptron.__version__.split(".")
    assert requirements == [
        f"spacy-perceptron>={spacy_perceptron.__version__},<{major}.{int(minor) + 1}.0"
    ]


def test_in_place_and_once_more(model: Path, files: list[object], tmp_path: Path):
    """The card is that of the latest figures. Other files stay."""
    (model / "notes.txt").write_text("mine", encoding="utf8")
    run(model, *files)
    assert "87.50" in (model / "README.md").read_text(encoding="utf8")
    better = write(tmp_path / "better.json", {"tag_acc": 0.9375})
    run(model, "--about", tmp_path / "about.json", "--metrics", better, "--version", "2.0.0")
    card = (model / "README.md").read_text(encoding="utf8")
    assert "93.75" in card
    assert "87.50" not in card
    assert "| **Version** | `2.0.0` |" in card
    assert (model / "notes.txt").read_text(encoding="utf8") == "mine"
    assert [token.tag_ for token in spacy.load(model)("We bite.")] == ["PRP", "VBP", "."]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "does not hold a JSON object"),
        ("[]", "does not hold a JSON object"),
        ('{"tag_acc": null}', "There is no figure in"),
    ],
)
def test_damaged_figures(
    model: Path, files: list[object], tmp_path: Path, content: str, message: str
):
    (tmp_path / "raw.json").write_text(content, encoding="utf8")
    before = (model / "meta.json").read_bytes()
    printed = run(model, *files, code=1)
    assert "The pipeline was not described" in printed
    assert message in printed
    assert (model / "meta.json").read_bytes() == before


def test_a_folder_without_a_pipeline(files: list[object], tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert "meta.json" in run(tmp_path / "empty", *files, code=1)
