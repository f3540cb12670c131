from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

from .small_tagger import train

TEXT = "The flies bite. Time flies."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("correct") / "model"
    train("tag").to_disk(path)
    return path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, ["correct", *map(str, arguments)])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def test_another_answer_becomes_the_prediction(model: Path, tmp_path: Path):
    nlp = spacy.load(model)
    candidates = nlp.get_pipe("tag_pipe").nbest(nlp(TEXT), 3)
    right = candidates[2].annotation["tag"]
    assert right != [token.tag_ for token in nlp(TEXT)]
    printed = run(model, TEXT, "--answer", 3, "--output", tmp_path / "corrected")
    assert f"3: {candidates[2].probability:.1%}" in printed
    assert "steps to learn answer 3" in printed
    assert [token.tag_ for token in spacy.load(tmp_path / "corrected")(TEXT)] == right
    # What was corrected is as it was.
    assert [t.tag_ for t in spacy.load(model)(TEXT)] == candidates[0].annotation["tag"]


def test_corrections_follow_each_other(model: Path, tmp_path: Path):
    """The second one goes back to where the first one came from."""
    before = [token.tag_ for token in spacy.load(model)(TEXT)]
    run(model, TEXT, "--answer", 2, "-o", tmp_path)
    nlp = spacy.load(tmp_path)
    ranks = [c.annotation["tag"] for c in nlp.get_pipe("tag_pipe").nbest(nlp(TEXT), 20)]
    run(tmp_path, TEXT, "--answer", ranks.index(before) + 1, "-o", tmp_path)
    assert [token.tag_ for token in spacy.load(tmp_path)(TEXT)] == before


def test_nothing_to_learn(model: Path, tmp_path: Path):
    assert "'tag_pipe' gave answer 1 already" in run(model, TEXT, "--answer", 1, "-o", tmp_path)
    weights = Path("tag_pipe") / "model"
    assert (tmp_path / weights).read_bytes() == (model / weights).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([" ", "--answer", 1], "There is no text"),
        (["flies", "--answer", 100_000], "`answer` must be between 1 and 10000"),
        (["flies", "--answer", 0], "`answer` must be between 1 and 10000"),
        ([".", "--answer", 50], "There is no answer 50 to this text, only"),
        (["flies", "--answer", 2, "--component", "parser"], "There is no component 'parser'"),
        (["flies", "--answer", 2, "--margin", -1], "margin"),
    ],
)
def test_what_can_not_be_corrected(
    model: Path, tmp_path: Path, arguments: list[object], message: str
):
    printed = run(model, *arguments, "-o", tmp_path / "none", code=1)
    assert message in " ".join(printed.split())
    assert not (tmp_path / "none").exists()
