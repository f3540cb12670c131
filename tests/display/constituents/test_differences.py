import pytest
from hypothesis import given

from spacy_perceptron.display.constituents.comparison import find_sentences
from spacy_perceptron.display.constituents.differences import mark_differences
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.tree import Tree

from ...strategies import trees
from .hand_trees import read_phrases

FLAT = "(S (A a) (B b) (C c))"


def differences(brackets: str, predicted: str) -> tuple[list[str], list[str]]:
    marked, missing = mark_differences(read_phrases(brackets), read_phrases(predicted))
    new = [f"{p.label} {p.start}-{p.end}" for p in marked if p.differs]
    return new, [f"{p.label} {p.start}-{p.end}" for p in missing]


@pytest.mark.parametrize(
    ("brackets", "predicted", "new", "missing"),
    [
        (FLAT, FLAT, [], []),
        ("(S (X (A a) (B b)) (C c))", FLAT, ["X 0-2"], []),
        (FLAT, "(S (X (A a) (B b)) (C c))", [], ["X 0-2"]),
        # Another label, another end.
        ("(S (X (A a) (B b)) (C c))", "(S (Y (A a) (B b)) (C c))", ["X 0-2"], ["Y 0-2"]),
        ("(S (X (A a) (B b)) (C c))", "(S (A a) (X (B b) (C c)))", ["X 0-2"], ["X 1-3"]),
        # One more, one less, and the same labels in another order.
        ("(S (X (X (A a))) (B b))", "(S (X (A a)) (B b))", ["X 0-1"], []),
        ("(S (X (A a)) (B b))", "(S (X (X (A a))) (B b))", [], ["X 0-1"]),
        ("(S (X (Y (A a))) (B b))", "(S (Y (X (A a))) (B b))", ["X 0-1", "Y 0-1"], []),
    ],
)
def test_differences(brackets: str, predicted: str, new: list[str], missing: list[str]):
    assert differences(brackets, predicted) == (new, missing)


@given(trees())
def test_a_tree_does_not_differ_from_itself(tree: Tree):
    brackets = to_brackets(tree)
    assert differences(brackets, brackets) == ([], [])


@pytest.mark.parametrize(
    ("starts", "phrases", "expected"),
    [
        ([], [(0, 2, "S")], [(0, 6)]),
        ([0, 3], [(0, 2, "S"), (3, 6, "S")], [(0, 3), (3, 6)]),
        # No cut within a phrase, but at its ends.
        ([0, 2, 4], [(1, 4, "S")], [(0, 4), (4, 6)]),
        ([0, 2, 4], [], [(0, 2), (2, 4), (4, 6)]),
        ([2], [(2, 6, "S")], [(0, 2), (2, 6)]),
    ],
)
def test_sentences(starts: list[int], phrases: list, expected: list[tuple[int, int]]):
    assert find_sentences(starts, [[], phrases], 6) == expected


def test_no_tokens_no_sentences():
    assert find_sentences([], [[]], 0) == []
