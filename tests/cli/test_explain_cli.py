import re
from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner

from spacy_perceptron.answers.explanation import Explanation, FeatureWeight
from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.cli.explain import describe

from .by_hand.parser import SAW
from .small_tagger import train

TEXT = "The flies bite. Time flies."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explain") / "model"
    train("tag").to_disk(path)
    return path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, ["explain", *map(str, arguments)])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def explained(output: str) -> list[tuple[str, str]]:
    """Word and chosen tag of every explanation."""
    return re.findall(r"'(\S+)': (\S+) rather than", output)


def test_every_word_is_listed(model: Path):
    doc = spacy.load(model)(TEXT)
    rows = re.findall(r"^ +(\d+) +(\S+) +(\S+) +(\d\.\d{3})$", run(model, TEXT), re.MULTILINE)
    expected = [(str(t.i), t.text, t.tag_, f"{t._.tag_confidence:.3f}") for t in doc]
    assert rows == expected


def test_least_confident_word_is_explained(model: Path):
    doc = spacy.load(model)(TEXT)
    least = min(doc, key=lambda token: token._.tag_confidence)
    assert explained(run(model, TEXT)) == [(least.text, least.tag_)]


def test_token_and_word(model: Path):
    tags = [token.tag_ for token in spacy.load(model)(TEXT)]
    assert explained(run(model, TEXT, "--token", 4)) == [("Time", tags[4])]
    both = [("flies", tags[1]), ("flies", tags[5])]
    assert explained(run(model, TEXT, "--word", "flies")) == both


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--word", "bees"], "There is no word 'bees' in the text"),
        (["--token", "99"], "There is no token 99"),
        (["--token", "1", "--word", "flies"], "both --token and --word"),
        (["--component", "ner"], "no component 'ner'"),
    ],
)
def test_failures_are_named(model: Path, options: list[str], message: str):
    assert message in re.sub(r"\s+", " ", run(model, TEXT, *options, code=1))


def test_blank_text(model: Path):
    assert "There is no text" in run(model, " ", code=1)


def test_heads(tmp_path: Path):
    """The parser comes last and is asked; `with` is the word of least confidence."""
    nlp = train("tag")
    nlp.add_pipe("test_hand_parser", name="parser")
    nlp.to_disk(tmp_path / "both")
    output = run(tmp_path / "both", SAW)
    assert "Asking 'parser', the last one of tag_pipe, parser" in output
    rows = [line.split() for line in output.splitlines()]
    assert ["Token", "Word", "Head", "Dep", "Confidence"] in rows
    assert ["4", "with", "saw", "prep", "0.550"] in rows
    assert "'with': head saw rather than man\n" in output
    assert ["feature", "value", "saw", "man", "for", "saw"] in rows
    # Each head has an arc of its own, so a template can see different things.
    words = next(row for row in rows if "p.word" in row)
    assert words[2:] == ["saw", "with", "|", "man", "with", "+1.50", "+0.50", "+1.00"]
    assert ["c.tag", "IN", "+1.00", "+1.00", "+0.00"] in rows
    assert "'a-5': head telescope rather" in run(tmp_path / "both", SAW, "--token", 5)
    tagged = run(tmp_path / "both", SAW, "--component", "tag_pipe")
    assert "Asking" not in tagged
    assert ["Token", "Word", "Tag", "Confidence"] in [line.split() for line in tagged.splitlines()]


def test_top_keeps_the_weightiest_and_sums_up_the_rest():
    weights = [("a", 5.0, 1.0), ("b", 1.5, 1.0), ("c", 1.0, 0.75), ("d", -2.0, 1.0)]
    features = [FeatureWeight(name, "x", *pair) for name, *pair in weights]
    text = describe(Explanation("go", "VB", "NN", 5.5, 3.75, 2, features, rows=2))
    # Differences are 4, 0.5, 0.25 and -3: a and d stay, b and c make 2.5 against 1.75.
    rows = [line.split() for line in text.splitlines()]
    assert ["a", "x", "+5.00", "+1.00", "+4.00"] in rows
    assert ["d", "x", "-2.00", "+1.00", "-3.00"] in rows
    assert ["2", "others", "+2.50", "+1.75", "+0.75"] in rows
    assert ["total", "+5.50", "+3.75", "+1.75"] in rows
    assert not any(row[:1] == ["b"] for row in rows)
    assert "others" not in describe(Explanation("go", "VB", "NN", 5.5, 3.75, 2, features, rows=4))


def test_dictionary_word():
    text = describe(Explanation("the", "DT", "DT", 0.0, 0.0, 0, []))
    assert text.strip() == "'the': DT, given by the dictionary"
