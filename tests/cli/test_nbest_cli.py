import json
import re
from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

from .by_hand.constituents import CANDIDATES, SHE
from .by_hand.parser import CONFIDENCES, NAPS, SAW, TREES
from .small_tagger import train

SHARES = ["1: 50.0%", "2: 30.0%", "3: 15.0%", "4: 5.0%"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nbest") / "model"
    train("tag").to_disk(path)
    return path


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger and a parser."""
    nlp = train("tag")
    nlp.add_pipe("test_hand_parser", name="parser")
    path = tmp_path_factory.mktemp("nbest") / "both"
    nlp.to_disk(path)
    return path


def run(*arguments: object, code: int = 0, stdin: str | None = None) -> str:
    """Standard output; where a failure is expected, messages too."""
    result = CliRunner().invoke(perceptron_cli, ["nbest", *map(str, arguments)], input=stdin)
    assert result.exit_code == code, (result.output, result.exception)
    return result.output if code else result.stdout


def columns(output: str) -> dict[str, list[str]]:
    """Cells of a table by word, without those of token numbers; columns are three spaces apart."""
    lines = [line for line in output.splitlines() if line.strip()]
    starts = [0]
    for rule in lines[1].split("   ")[:-1]:
        starts.append(starts[-1] + len(rule) + 3)
    ends = [*starts[1:], None]
    cells = [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]
    return {row[1]: row[2:] for row in cells if "---" not in row[0]}


def test_table_shows_the_prediction_and_what_differs(model: Path):
    nlp = spacy.load(model)
    doc = nlp("Time flies.")
    candidates = nlp.get_pipe("tag_pipe").nbest(doc, 3)
    table = columns(run(model, "Time flies.", "-k", 3))
    shares = [f"{i}: {c.probability:.1%}" for i, c in enumerate(candidates, start=1)]
    assert table["Word"] == ["Tag", "Confidence", *shares]
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
    assert first["predicted"] == {"tag": ["PRP", "VBP", "."]}
    assert [len(record["candidates"]) for record in records] == [2, 2]
    assert sum(candidate["probability"] for candidate in first["candidates"]) == pytest.approx(1)
    assert first["candidates"][0]["tag"] == first["predicted"]["tag"]
    assert html.read_text(encoding="utf-8").count("<section") == 2


def test_jsonl_to_standard_output_is_nothing_but_jsonl(model: Path, tmp_path: Path):
    output = run(model, "We bite.", "--jsonl", "-", "--html", tmp_path / "page.html")
    assert json.loads(output)["words"] == ["We", "bite", "."]
    assert (tmp_path / "page.html").exists()


def test_component_is_chosen(tmp_path: Path):
    train("tag", "pos").to_disk(tmp_path / "two")
    spacy.blank("en").to_disk(tmp_path / "none")
    assert columns(run(tmp_path / "two", "We bite.", "--component", "tag_pipe"))["We"][0] == "PRP"
    assert columns(run(tmp_path / "two", "We bite."))["We"][0] == "PRON"
    assert "no component 'ner'" in run(tmp_path / "two", "Go", "--component", "ner", code=1)
    assert "no component with the method" in run(tmp_path / "none", "Go", code=1)


def test_choice_is_said_beside_the_output(both: Path):
    result = CliRunner().invoke(perceptron_cli, ["nbest", str(both), SAW, "--jsonl", "-"])
    assert "Asking 'parser', the last one of tag_pipe, parser" in result.stderr
    assert set(json.loads(result.stdout)["predicted"]) == {"head", "dep"}
    named = ["nbest", str(both), SAW, "--component", "parser"]
    assert CliRunner().invoke(perceptron_cli, named).stderr == ""


def test_trees_as_tables(both: Path):
    table = columns(run(both, SAW))
    assert table["Word"] == ["Head", "Dep", "Confidence", *SHARES]
    assert table["I"] == ["saw", "nsubj", "0.990", "", "", "", "ROOT ← <root>"]
    assert table["saw"] == ["<root>", "ROOT", "0.950", "", "", "", "ccomp ← I"]
    assert table["with"] == ["saw", "prep", "0.550", "", "← man", "nmod ← man", ""]
    assert table["telescope"] == ["with", "pobj", "0.980", "", "", "", ""]
    rows = [line.split() for line in run(both, SAW, "-k", 1).splitlines()]
    assert ["5", "a", "telescope", "det", "1.000"] in rows


def test_trees_of_standard_input(both: Path):
    output = run(both, "-k", 2, stdin=f"{SAW}\n{NAPS}\n")
    assert output.count("Confidence") == 2
    second = columns(output[output.rindex("Token") :])
    # The space token has no row, and counts.
    assert list(second) == ["Word", "He", "naps", ".", "Go", "now"]
    assert second["now"] == ["Go", "advmod", "0.900", "", "obj"]
    assert "    5   now" in output


def test_trees_as_jsonl_and_page(both: Path, tmp_path: Path):
    jsonl, html = tmp_path / "out.jsonl", tmp_path / "page.html"
    run(both, SAW, NAPS, "--jsonl", jsonl, "--html", html)
    first, second = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert first["predicted"] == TREES[SAW][0].annotation
    assert first["confidences"] == CONFIDENCES[SAW]
    assert first["candidates"] == [candidate.to_dict() for candidate in TREES[SAW]]
    assert len(second["candidates"]) == 2
    page = html.read_text(encoding="utf-8")
    # Four trees; two sentences, of which one differs in the second answer.
    assert page.count("<svg") == 4 + 2 + 1
    assert page.count("<figure>") == 4 + 2
    # Tags of the tagger stand under the words.
    tags = [token.tag_ for token in spacy.load(both)(SAW)]
    assert re.findall(r'class="displacy-tag"[^>]*>([^<]*)<', page)[:8] == tags


def test_constituents(tmp_path: Path):
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hand_constituents", name="parser")
    nlp.to_disk(tmp_path / "model")
    jsonl, html = tmp_path / "out.jsonl", tmp_path / "page.html"
    output = run(tmp_path / "model", SHE, "-k", 2, "--jsonl", jsonl, "--html", html)
    lines = [line.rstrip() for line in output.splitlines()]
    assert "        ├─ VP" in lines
    assert "    4   │     ├─ IN with" in lines
    assert "2: 37.5%   + NP: the man with the telescope" in lines
    record = json.loads(jsonl.read_text(encoding="utf-8"))
    assert record["candidates"] == [candidate.to_dict() for candidate in CANDIDATES[:2]]
    assert html.read_text(encoding="utf-8").count("<svg") == 2


def test_failures_are_named(model: Path, tmp_path: Path):
    assert "There is no text" in run(model, stdin="\n", code=1)
    assert "`k` must be between 1 and 10000, not 0" in run(model, "Go", "-k", 0, code=1)
    assert "missing" in run(tmp_path / "missing", "Go", code=1)
    assert "`k` must be between 1 and 10000" in run(model, "Go", "-k", 1_000_000, code=1)


@pytest.mark.parametrize("option", ["--html", "--jsonl"])
def test_what_cannot_be_written_is_named(model: Path, tmp_path: Path, option: str):
    # Where the message is wrapped depends on the length of the path.
    output = run(model, "Go", option, tmp_path, code=2)
    assert "is a directory" in " ".join(output.replace("│", " ").split())
    (tmp_path / "file").touch()
    failure = run(model, "Go", option, tmp_path / "file" / "page", code=1)
    assert "Can't use" in failure
    assert "Traceback" not in failure
