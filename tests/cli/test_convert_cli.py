import re

import pytest
import spacy
from spacy.tokens import DocBin
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

from ..trees.conllu.samples import write_french

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
        ("a.mrg", ["-c", "xml"], "or 'doccano', not 'xml'"),
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


def test_documents_and_merged_tokens(tmp_path):
    target = tmp_path / "fr.spacy"
    result = run(write_french(tmp_path), target, "--documents", "-n", 0, "--merge-subtokens")
    assert result.exit_code == 0, result.output
    assert [doc.text.strip() for doc in load(target)] == [
        "Le chat du voisin dort. Il rêve.\n\nVois-le  !",
        "Fin",
    ]
    assert "multi-word tokens" not in result.output


def test_unmerged_tokens_that_change_the_text_are_warned_of(tmp_path):
    """`du` is not `dele`; `Vois-le` is `Vois` and `-le`."""
    result = run(write_french(tmp_path), tmp_path / "fr.spacy")
    assert result.exit_code == 0, result.output
    assert "fr.conllu: 1 multi-word tokens such as 'du' (de le)" in plain(result.output)


def test_tokens_are_checked(tmp_path):
    """English makes 6 tokens of the first sentence as French does, but 2 of `Vois-le`."""
    path = write_french(tmp_path)
    result = run(path, tmp_path / "fr.spacy", "-T", "--documents", "-n", 0, "--check-tokens", "en")
    assert result.exit_code == 0, result.output
    output = plain(result.output)
    # Vois-le becomes Vois - le: 11 of 12 tokens, 14 made, 22 / 26.
    assert "The tokenizer of 'en' reproduces 11 of 12 tokens" in output
    assert "precision 78.57%, recall 91.67%, F 84.62%" in output
    assert "Vois-le Vois - le 1" in output
    assert "an F of only 84.6 %" in output
    result = run(path, tmp_path / "fr.spacy", "--check-tokens", "qqq")
    assert result.exit_code == 1
    assert "qqq" in result.output


def test_back_to_conllu(tmp_path):
    source, target = write_french(tmp_path), tmp_path / "new" / "out.conllu"
    assert run(source, tmp_path / "fr.spacy", "-T", "--documents", "-n", 0).exit_code == 0
    result = run(tmp_path / "fr.spacy", target)
    assert result.exit_code == 0, result.output
    assert "out.conllu: 4 sentences, 12 words" in plain(result.output)
    assert "3\tdu\tde le\tADP\tADP_DET\t" in target.read_text(encoding="utf-8")
    result = run(tmp_path / "fr.spacy", target, "--split-subtokens", source)
    assert "out.conllu: 4 sentences, 14 words" in plain(result.output)
    text = target.read_text(encoding="utf-8")
    assert "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n3\tde\tde\tADP\t" in text
    result = run(source, target)
    assert result.exit_code == 1
    assert "only .spacy files can be written as CoNLL-U" in plain(result.output)


def test_treebanks_are_put_together_by_their_splits(tmp_path):
    folder = tmp_path / "treebank"
    (folder / "more").mkdir(parents=True)
    for name in ("x-train-a", "x-train-b", "x_dev", "more/x.test", "testing", "x"):
        (folder / f"{name}.mrg").write_text(f"(S (NN {name[-1]}))\n", encoding="utf-8")
    result = run(folder, tmp_path / "out", "--splits")
    assert result.exit_code == 0, result.output
    found = {path.name: load(path) for path in (tmp_path / "out").rglob("*")}
    assert {name: [doc.text for doc in docs] for name, docs in found.items()} == {
        "train.spacy": ["a", "b"],
        "dev.spacy": ["v"],
        "test.spacy": ["t"],
    }
    result = run(folder / "x.mrg", tmp_path / "none", "--splits")
    assert result.exit_code == 1
    assert "train, dev or test" in plain(result.output)


RECORDS = (
    '{"text": "Ada naps.", "spans": [{"start": 0, "end": 3, "label": "PER"}], "answer": "accept"}'
    '\n{"text": "No.", "spans": [], "answer": "reject"}\n'
)


def test_annotation_tools_there_and_back(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "new" / "out.spacy"
    source.write_text(RECORDS, encoding="utf-8")
    result = run(source, target)
    assert result.exit_code == 0, result.output
    assert "in.jsonl: left out records that are no gold: 1 rejected" in plain(result.output)
    (doc,) = load(target)
    assert [(ent.label_, ent.text) for ent in doc.ents] == [("PER", "Ada")]
    for tool in ("prodigy", "doccano"):
        lines = tmp_path / tool / "out.jsonl"
        result = run(target, lines, "--to", tool)
        assert result.exit_code == 0, result.output
        assert "out.jsonl: 1 sentences, 3 words, 1 entities" in plain(result.output)
        assert run(lines, tmp_path / "back.spacy", "--from", tool).exit_code == 0
        (back,) = load(tmp_path / "back.spacy")
        assert [token.text_with_ws for token in back] == ["Ada ", "naps", "."]
        assert [(ent.label_, ent.text) for ent in back.ents] == [("PER", "Ada")]


def test_a_folder_with_other_jsonl(corpus, tmp_path):
    """Only files that are clearly annotation count."""
    (corpus / "log.jsonl").write_text('{"text": "some log"}\n', encoding="utf-8")
    (corpus / "ents.jsonl").write_text(RECORDS, encoding="utf-8")
    assert run(corpus, tmp_path / "out").exit_code == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["a.spacy", "ents.spacy", "sub"]


def test_tags_as_spans(corpus, tmp_path):
    assert run(corpus / "a.mrg", tmp_path / "a.spacy").exit_code == 0
    lines = tmp_path / "a.jsonl"
    result = run(tmp_path / "a.spacy", lines, "--to", "doccano", "--spans", "tag")
    assert result.exit_code == 0, result.output
    assert "2 of 2 Docs lose: constituents" in plain(result.output)
    assert run(lines, tmp_path / "b.spacy").exit_code == 0
    first, second = load(tmp_path / "b.spacy")
    assert [token.tag_ for token in first] == ["PRP", "VBZ", "."]
    assert [token.dep_ for token in second] == ["ROOT", "VMOD"]


@pytest.mark.parametrize(
    ("name", "target", "options", "message"),
    [
        ("a.spacy", "a.jsonl", [], "a.jsonl: JSONL of which tool? Pass --to"),
        ("a.spacy", "a.jsonl", ["--to", "brat"], "`format` must be 'prodigy' or 'doccano'"),
        ("a.spacy", "a.jsonl", ["--to", "prodigy", "--spans", "x"], "`spans` must be 'auto', "),
        ("log.jsonl", "b.jsonl", ["--to", "prodigy"], "only .spacy files can be written as JSONL"),
        ("log.jsonl", "b.spacy", [], "Pass --from prodigy or --from doccano"),
        ("bad.jsonl", "b.spacy", [], "bad.jsonl:2: this line is no record in JSON"),
    ],
)
def test_failures_with_jsonl_are_named(corpus, tmp_path, name, target, options, message):
    assert run(corpus / "a.mrg", corpus / "a.spacy").exit_code == 0
    (corpus / "log.jsonl").write_text('{"text": "some log"}\n', encoding="utf-8")
    (corpus / "bad.jsonl").write_text('{"text": "a"}\n{"text": \n', encoding="utf-8")
    result = run(corpus / name, tmp_path / target, *options)
    assert result.exit_code == 1
    assert message.replace(" ", "") in plain(result.output).replace(" ", "")
    assert not (tmp_path / target).exists()
