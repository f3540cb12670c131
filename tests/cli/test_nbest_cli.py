import json
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

SENTENCES = [
    (["Time", "flies", "."], ["NN", "VBZ", "."]),
    (["The", "flies", "bite", "."], ["DT", "NNS", "VBP", "."]),
    (["We", "bite", "."], ["PRP", "VBP", "."]),
]


def train(*attributes: str) -> spacy.Language:
    """A pipeline with a tagger for each attribute that knows a handful of words."""
    nlp = spacy.blank("en")
    for attribute in attributes:
        name = f"{attribute}_pipe"
        nlp.add_pipe("easy_first_tagger", name=name, config={"attribute": attribute})
    pos = {"NN": "NOUN", "NNS": "NOUN", "VBZ": "VERB", "VBP": "VERB", "DT": "DET", "PRP": "PRON"}
    examples = []
    for words, tags in SENTENCES:
        coarse = [pos.get(tag, "PUNCT") for tag in tags]
        gold = Doc(nlp.vocab, words=words, tags=tags, pos=coarse)
        examples.append(Example(Doc(nlp.vocab, words=words), gold))
    nlp.initialize(lambda: examples)
    for _ in range(5):
        nlp.update(examples)
    return nlp


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nbest") / "model"
    train("tag").to_disk(path)
    return path


def run(*arguments: object, code: int = 0, stdin: str | None = None) -> str:
    result = CliRunner().invoke(perceptron_cli, ["nbest", *map(str, arguments)], input=stdin)
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def columns(output: str) -> dict[str, list[str]]:
    """Cells of a table by word; columns are three spaces apart at least."""
    lines = [line for line in output.splitlines() if line.strip()]
    starts = [0]
    for rule in lines[1].split("   ")[:-1]:
        starts.append(starts[-1] + len(rule) + 3)
    ends = [*starts[1:], None]
    cells = [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]
    return {row[0]: row[1:] for row in cells if "---" not in row[0]}


def test_table_shows_the_prediction_and_what_differs(model: Path):
    nlp = spacy.load(model)
    doc = nlp("Time flies.")
    candidates = nlp.get_pipe("tag_pipe").nbest(doc, 3)
    table = columns(run(model, "Time flies.", "-k", 3))
    shares = [f"{i}: {c.probability:.1%}" for i, c in enumerate(candidates, start=1)]
    assert table["Word"] == ["Label", "Confidence", *shares]
    for i, token in enumerate(doc):
        answers = [candidate.annotation["tag"][i] for candidate in candidates]
        marked = [tag if tag != token.tag_ else "" for tag in answers]
        assert table[token.text] == [token.tag_, f"{token._.tag_confidence:.3f}", *marked]
    assert [table[word][0] for word in ("Time", "flies", ".")] == ["NN", "VBZ", "."]
    assert any(table[word][3] for word in ("Time", "flies", "."))


def test_texts_files_and_standard_input(model: Path, tmp_path: Path):
    path = tmp_path / "texts.txt"
    path.write_text("We bite.\n\n  Time flies.\n", encoding="utf-8")
    given = run(model, "We bite.", "Time flies.")
    assert given.count("Confidence") == 2
    assert run(model, path) == given
    assert run(model, stdin="We bite.\nTime flies.\n") == given
    assert run(model, "-", stdin="We bite.\nTime flies.\n") == given


def test_jsonl_and_page(model: Path, tmp_path: Path):
    jsonl, html = tmp_path / "new" / "out.jsonl", tmp_path / "pages" / "page.html"
    output = run(model, "We bite.", "Time flies.", "-k", 2, "--jsonl", jsonl, "--html", html)
    assert "Wrote" in output
    records = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert [record["words"] for record in records] == [["We", "bite", "."], ["Time", "flies", "."]]
    first = records[0]
    assert first["predicted"] == ["PRP", "VBP", "."]
    assert [len(record["candidates"]) for record in records] == [2, 2]
    assert sum(candidate["probability"] for candidate in first["candidates"]) == pytest.approx(1)
    assert first["candidates"][0]["tag"] == first["predicted"]
    assert html.read_text(encoding="utf-8").count("<section>") == 2


def test_jsonl_to_standard_output_is_nothing_but_jsonl(model: Path, tmp_path: Path):
    output = run(model, "We bite.", "--jsonl", "-", "--html", tmp_path / "page.html")
    assert json.loads(output)["words"] == ["We", "bite", "."]
    assert (tmp_path / "page.html").exists()


def test_component_is_chosen(tmp_path: Path):
    train("tag", "pos").to_disk(tmp_path / "two")
    spacy.blank("en").to_disk(tmp_path / "none")
    assert columns(run(tmp_path / "two", "We bite.", "--component", "pos_pipe"))["We"][0] == "PRON"
    assert "tag_pipe, pos_pipe" in run(tmp_path / "two", "We bite.", code=1)
    assert "no component 'ner'" in run(tmp_path / "two", "Go", "--component", "ner", code=1)
    assert "no component with the method" in run(tmp_path / "none", "Go", code=1)


def test_failures_are_named(model: Path, tmp_path: Path):
    assert "There is no text" in run(model, stdin="\n", code=1)
    assert "must be 1 or more, not 0" in run(model, "Go", "-k", 0, code=1)
    assert "missing" in run(tmp_path / "missing", "Go", code=1)
