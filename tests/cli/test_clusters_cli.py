import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.corpus.clusters.carrier import load_table
from spacy_perceptron.corpus.clusters.lists import read_clustered_words

# Three kinds of words that stand in three places.
NOUNS, VERBS, ENDS = ("cat", "dog", "cow"), ("sees", "likes", "hears"), ("1 .", "2 !", "3 ?")
TEXT = [f"{noun} {verb} {end}" for noun in NOUNS for verb in VERBS for end in ENDS]
CHEAP = """
import sys
import spacy_perceptron.cli
assert "sklearn" not in sys.modules
"""


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(perceptron_cli, ["clusters", *map(str, arguments)])
    # Messages are wrapped to the terminal.
    return result.exit_code, re.sub(r"\s+", " ", result.output)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT), encoding="utf-8")
    return path


def test_learn_and_show(text: Path, tmp_path: Path):
    output = tmp_path / "new" / "clusters.txt.gz"
    code, printed = run("learn", text, "--output", output, "--tokenized", "--n-clusters", 4)
    assert code == 0, printed
    # 27 sentences of 4 words. Three digits are folded to one word, three marks are kept.
    assert "108 words read, 10 types kept, 4 clusters" in printed
    assert re.search(r"\d\.\d CPU seconds", printed)
    entries = {entry.word: entry for entry in read_clustered_words(output)}
    assert entries["0"].count == 27
    for kind in (NOUNS, VERBS, ".!?"):
        assert len({entries[word].path for word in kind}) == 1
    code, printed = run("show", output, "--words", 2)
    assert code == 0
    assert f"{entries['cat'].path} 3 27 cat dog" in printed
    assert "cow" not in printed
    assert "4 of 4 clusters" in printed
    code, printed = run("show", output, "--clusters", 1, "--prefix", entries["0"].path)
    assert "1 of 1 clusters" in printed
    assert "cat" not in printed
    code, printed = run("show", output, "--prefix", "000000")
    assert code == 1
    assert "no cluster" in printed


def test_text_is_cut_into_words(tmp_path: Path):
    path = tmp_path / "text.txt"
    path.write_text("I don't.\n" * 4, encoding="utf-8")
    output = tmp_path / "clusters.txt"
    code, printed = run("learn", path, "--output", output, "--n-clusters", 2)
    assert code == 0, printed
    assert {entry.word for entry in read_clustered_words(output)} == {"I", "do", "n't", "."}


def test_sentences_are_left_out(text: Path, tmp_path: Path):
    test, other = tmp_path / "test.txt", tmp_path / "other.txt"
    test.write_text(f"{TEXT[0]}\n{TEXT[5]}\n", encoding="utf-8")
    other.write_text(f"{TEXT[7]}\nNot in the text.\n", encoding="utf-8")
    arguments = ["--output", tmp_path / "c.txt", "--tokenized", "--n-clusters", 3]
    code, printed = run("learn", text, *arguments, "--exclude", test, "--exclude", other)
    assert code == 0, printed
    assert "Left out 3 sentences" in printed
    assert "96 words read" in printed
    code, printed = run("learn", text, *arguments, "--exclude", text)
    assert code == 1
    assert "There are no words to learn from" in printed


def test_from_vectors(tmp_path: Path):
    path, output = tmp_path / "glove.txt", tmp_path / "clusters.txt"
    path.write_text("a 0 1\nb 9 1\nc 0 1.1\nd 9 1.1\ne 5 5\n", encoding="utf-8")
    code, printed = run("from-vectors", path, "-o", output, "-n", 2, "--max-words", 4)
    assert code == 0, printed
    assert "4 vectors of 2 dimensions, 4 types kept, 2 clusters" in printed
    assert {entry.word for entry in read_clustered_words(output)} == {*"abcd"}


def test_from_lookups(tmp_path: Path):
    pytest.importorskip("spacy_lookups_data")
    output = tmp_path / "clusters.txt.gz"
    code, printed = run("from-lookups", "--lang", "es", "-o", output)
    assert code == 0, printed
    assert len(read_clustered_words(output)) > 10_000
    code, printed = run("from-lookups", "--lang", "fr", "-o", output)
    assert code == 1
    assert "no lexeme_cluster for the language" in printed


def test_from_lexicon(tmp_path: Path):
    pytest.importorskip("spacy_lookups_data")
    output = tmp_path / "clusters.bin"
    code, printed = run("from-lexicon", "--lang", "en", "-o", output)
    assert code == 0, printed
    assert "lemmas of 'en'" in printed
    assert len(load_table(output)) > 200_000
    code, printed = run("from-lexicon", "--lang", "sv", "-o", output)
    assert code == 1
    assert "for the language 'sv'" in printed


def test_what_cannot_be_done_is_said(text: Path, tmp_path: Path):
    code, printed = run("learn", text, "--output", tmp_path / "c.csv")
    assert code == 1
    assert "should end in .txt, .txt.gz or .bin" in printed
    code, printed = run("learn", text, "--output", tmp_path / "c.txt", "--tokenized")
    assert code == 1
    assert "10 different words to make 1,000 clusters" in printed
    code, printed = run("learn", text, "--output", tmp_path / "c.txt", "--lang", "xyz")
    assert code == 1
    assert "xyz" in printed
    code, printed = run("from-vectors", tmp_path / "no", "--output", tmp_path / "c.txt")
    assert code == 1
    assert "neither a file of word vectors nor a pipeline" in printed
    assert not (tmp_path / "c.txt").exists()


@pytest.mark.parametrize(("package", "name"), [("sklearn", "scikit-learn"), ("scipy", "SciPy")])
def test_the_missing_extra_is_named(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str
):
    for module in ("learning", "cooccurrence", "tree", "vectors"):
        monkeypatch.delitem(sys.modules, f"spacy_perceptron.corpus.clusters.{module}", False)
    for module in [*sys.modules]:
        if module.partition(".")[0] == package:
            monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, package, None)
    code, printed = run("learn", text, "--output", tmp_path / "c.txt")
    assert code == 1
    assert f"made by {name}, which is missing" in printed
    assert "pip install spacy-perceptron[clusters]" in printed


def test_the_command_line_starts_without_scikit_learn():
    subprocess.run([sys.executable, "-c", CHEAP], check=True)
