import re

import pytest

from spacy_perceptron.trees.conllu.reading import read_conllu, write_conllu
from spacy_perceptron.trees.conllu.sentences import MultiWord, Word

from .samples import FRENCH, write_french


def test_read(tmp_path):
    first, second, third, fourth = read_conllu(write_french(tmp_path))
    assert first.words[3] == Word("le", "le", "DET", "_", "Definite=Def|Gender=Masc", 4, "det", "_")
    assert [word.head for word in first.words] == [1, 5, 4, 4, 1, -1, 5]
    assert first.multiwords == [MultiWord(2, 4, "du", "_")]
    assert [s.starts_document for s in (first, second, third, fourth)] == [True, False, False, True]
    assert [s.starts_paragraph for s in (first, second, third, fourth)] == [True, False, True, True]
    assert third.spaces() == ["", "  ", " "]
    # The first has 3 comments and 8 lines, the second 2 and 3, each with a blank line behind.
    assert (first.line, second.line, third.line) == (1, 13, 19)


def test_what_is_read_is_written(tmp_path):
    write_conllu(read_conllu(write_french(tmp_path)), tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_text(encoding="utf-8") == FRENCH


def test_empty_nodes_and_missing_heads(tmp_path):
    rows = "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n1.1\tb\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
    path = tmp_path / "a.conllu"
    path.write_text(rows, encoding="utf-8")
    (sentence,) = read_conllu(path)
    assert sentence.words == [Word("a", upos="X", xpos="X")]


@pytest.mark.parametrize("name", ["2-1", "1-3", "x-2", "0-1", "1-"])
def test_bad_ranges_are_named(tmp_path, name):
    rows = [f"{name}\tab{'	_' * 7}\t_"]
    rows += [f"{i}\ta\t_\tX\tX\t_\t{i - 1}\troot\t_\t_" for i in (1, 2)]
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"a.conllu:1: the multi-word token '{name}'")):
        list(read_conllu(path))


def test_overlapping_ranges_are_named(tmp_path):
    rows = [f"1-2\tab{'	_' * 8}", f"2-3\tbc{'	_' * 8}"]
    rows += [f"{i}\ta\t_\tX\tX\t_\t{i - 1}\troot\t_\t_" for i in (1, 2, 3)]
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.conllu:2: the multi-word token '2-3'"):
        list(read_conllu(path))
