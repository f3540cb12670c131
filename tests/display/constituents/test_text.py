from dataclasses import replace

import pytest

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answer_table import print_answers
from spacy_perceptron.display.answers import Answers
from spacy_perceptron.display.constituents.nodes import Phrase, build_nodes
from spacy_perceptron.display.constituents.outline import outline_tree

from .hand_trees import read_answers, read_tree, to_nodes

BEST = "(S (NP (PRP We)) (VP (VBD saw) (NP (PRP her)) (. .)))"
OTHER = "(S (NP (PRP We)) (VP (VBD saw) (S (PRP her)) (. .)))"


def test_outline():
    lines = list(outline_tree(to_nodes(read_tree(BEST))))
    assert lines == [
        (None, "S"),
        (0, "├─ NP ─ PRP We"),
        (None, "└─ VP"),
        (1, "   ├─ VBD saw"),
        (2, "   ├─ NP ─ PRP her"),
        (3, "   └─ . ."),
    ]


def test_outline_without_tags_and_without_one_tree():
    nodes = build_nodes(["Well", ",", "go", "on"], [""] * 4, [Phrase(2, 4, "VP", 0.5)])
    assert [line for _, line in outline_tree(nodes)] == ["Well", ",", "VP 50%", "├─ go", "└─ on"]


def test_deep_outlines_stay_narrow():
    n = 300
    nodes = build_nodes(["w"] * n, ["T"] * n, [Phrase(i, n, "X") for i in range(n)])
    lines = [line for _, line in outline_tree(nodes)]
    # A line per word and per phrase, but the last phrase is on the line of its word.
    assert len(lines) == 2 * n - 1
    assert max(map(len, lines)) < 80
    assert lines[-1].startswith("…  ")


def test_table(capsys: pytest.CaptureFixture[str]):
    answers = read_answers(BEST, OTHER)
    print_answers(replace(answers, item_confidences={(0, 1, "NP"): 0.75}))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[2:8] == [
        "        S",
        "    0   ├─ NP 75% ─ PRP We",
        "        └─ VP",
        "    1      ├─ VBD saw",
        "    2      ├─ NP ─ PRP her",
        "    3      └─ . .",
    ]
    assert lines[10:] == ["1: 50.0%", "2: 25.0%   + S: her", "           - NP: her"]


def test_tokens_are_numbered_with_spaces(capsys: pytest.CaptureFixture[str]):
    best = {"constituents": [[0, 1, "INTJ"], [2, 3, "VP"]]}
    print_answers(Answers(["Yes", " ", "go"], best, [None] * 3, [], sentence_starts=[0, 2]))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[2:] == ["    0   INTJ ─ Yes", "    2   VP ─ go"]


def test_other_tags_are_told(capsys: pytest.CaptureFixture[str]):
    """A parser may overrule the tagger."""
    best = {"constituents": [[0, 2, "S"]], "tag": ["NN", "VBZ"]}
    other = {"constituents": [[0, 2, "S"]], "tag": ["NN", "NNS"]}
    candidates = [Candidate(1.0, 0.75, best), Candidate(0.0, 0.25, other)]
    print_answers(Answers(["Time", "flies"], best, [None] * 2, candidates))
    output = capsys.readouterr().out
    assert "└─ VBZ flies" in output
    assert output.split("2: 25.0%")[1].split() == ["+", "NNS:", "flies", "-", "VBZ:", "flies"]
