import re

import pytest
import spacy
from spacy.tokens import DocBin
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

TREES = (
    "(ROOT (S (NP-SBJ (PRP He)) (VP (VBZ naps)) (. .)))\n(ROOT (S (VP (VB Go) (ADVP (RB now)))))\n"
)
COLUMNS = "Ada B-PER\nnaps O\n"


def run(*arguments):
    return CliRunner().invoke(perceptron_cli, ["convert", *map(str, arguments)])


def load(path):
    return list(DocBin().from_disk(path).get_docs(spacy.blank("en").vocab))


def plain(text):
    """The text without line breaks and repeated spaces: messages are wrapped to the terminal."""
    return re.sub(r"\s+", " ", text)


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.mrg").write_text(TREES, encoding="utf-8")
    (folder / "sub" / "b.iob").write_text(COLUMNS, encoding="utf-8")
    (folder / "readme.txt").write_text("nothing", encoding="utf-8")
    return folder


def test_file_to_file(corpus, tmp_path):
    target = tmp_path / "new" / "out.spacy"
    result = run(corpus / "a.mrg", target)
    assert result.exit_code == 0, result.output
    docs = load(target)
    assert [doc.text for doc in docs] == ["He naps.", "Go now"]
    assert [span.label_ for span in docs[0].spans["constituents"]] == ["S", "NP", "VP"]
    assert [token.dep_ for token in docs[0]] == ["SBJ", "ROOT", "P"]
    # 5 words with the tags PRP VBZ . VB RB; S NP VP ADVP; SBJ ROOT P VMOD.
    assert "2 sentences, 5 words, 5 tags, 4 constituent labels, 4 dependency labels" in plain(
        result.output
    )


def test_folder_to_folder(corpus, tmp_path):
    target = tmp_path / "out"
    result = run(corpus, target)
    assert result.exit_code == 0, result.output
    files = sorted(path.relative_to(target).as_posix() for path in target.rglob("*.*"))
    assert files == ["a.spacy", "sub/b.spacy"]
    (doc,) = load(target / "sub" / "b.spacy")
    assert [(ent.label_, ent.text) for ent in doc.ents] == [("PER", "Ada")]
    assert "3 sentences, 7 words" in plain(result.output)


def test_folder_to_one_file(corpus, tmp_path):
    target = tmp_path / "all.spacy"
    assert run(corpus, target).exit_code == 0
    assert [len(doc) for doc in load(target)] == [3, 2, 2]


def test_options(corpus, tmp_path):
    target = tmp_path / "all.spacy"
    result = run(corpus, target, "-c", "ptb", "-n", 2, "--keep-function-tags", "--no-deps")
    assert result.exit_code == 0, result.output
    (doc,) = load(target)
    assert doc.text == "He naps. Go now"
    assert [sent.text for sent in doc.sents] == ["He naps.", "Go now"]
    assert doc.spans["constituents"][1].label_ == "NP-SBJ"
    assert not doc.has_annotation("DEP")


def test_own_head_rules(corpus, tmp_path):
    rules = tmp_path / "rules.json"
    rules.write_text(
        '{"rules": {"S": ["left: NP"]}, "default": ["left: X"], "punctuation": ["."], '
        '"coordinators": [], "separators": [], "openers": [], "base_phrases": [], '
        '"conjunct_classes": []}',
        encoding="utf-8",
    )
    target = tmp_path / "out.spacy"
    assert run(corpus / "a.mrg", target, "--head-rules", rules).exit_code == 0
    # The noun phrase heads the first clause; in the second, the last word heads its phrase.
    assert [next(doc.sents).root.text for doc in load(target)] == ["He", "now"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("missing", [], "no such file or folder"),
        ("readme.txt", [], "can't tell the format from the suffix '.txt'"),
        ("a.mrg", ["-c", "xml"], "or 'iob', not 'xml'"),
        ("a.mrg", ["-l", "de"], "no head rules for the language 'de'"),
        ("readme.txt", ["-c", "ptb"], "the text 'nothing' stands outside any tree"),
    ],
)
def test_failures_are_named(corpus, tmp_path, name, options, message):
    result = run(corpus / name, tmp_path / "out.spacy", *options)
    assert result.exit_code == 1
    assert message in plain(result.output)
    assert not (tmp_path / "out.spacy").exists()


def test_nothing_to_convert(tmp_path):
    path = tmp_path / "empty.mrg"
    path.write_text("# only a comment\n", encoding="utf-8")
    result = run(path, tmp_path / "out.spacy")
    assert result.exit_code == 0
    assert "No sentences found" in plain(result.output)
    assert load(tmp_path / "out.spacy") == []


def test_cycles_are_warned_of(tmp_path):
    rows = [f"{i}\tw\t_\tX\tX\t_\t{head}\tdep\t_\t_" for i, head in ((1, 2), (2, 1))]
    (tmp_path / "a.conllu").write_text("\n".join(rows), encoding="utf-8")
    result = run(tmp_path / "a.conllu", tmp_path / "a.spacy")
    assert result.exit_code == 0, result.output
    assert "a.conllu:1: the heads of this sentence form a cycle: w -> w -> w." in plain(
        result.output
    )


def test_what_cannot_be_written_is_named(corpus, tmp_path):
    (tmp_path / "file").touch()
    result = run(corpus / "a.mrg", tmp_path / "file" / "out.spacy")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "Conversion failed" in result.output
    assert str(tmp_path / "file") in plain(result.output).replace(" ", "")
