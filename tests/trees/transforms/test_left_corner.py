import pytest
from hypothesis import given, settings

from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.transforms.left_corner import (
    from_left_corner,
    is_slashed,
    plain_label,
    to_left_corner,
)
from spacy_perceptron.trees.tree import Tree

from ...strategies import nasty_phrases, phrases, trees
from .round_trip import check_round_trip, deep_trees, read, sample_trees, wsj_trees


@pytest.mark.parametrize(
    ("text", "transformed"),
    [
        # Figure 3 of the paper, and its first child as a phrase.
        ("(A (A (A (T b)) (T a1)) (T a2))", "(A (T b) (A/A (T a1)) (A/A (T a2)))"),
        ("(A (A (B (T b)) (T c)) (T a1) (T a2))", "(A (B (T b)) (T c) (A/A (T a1) (T a2)))"),
        # Only the left corner is recursive here, not the right one.
        ("(A (A (T b)) (A (T c)))", "(A (T b) (A/A (A (T c))))"),
        ("(A (T b) (A (T c) (T d)))", "(A (T b) (A (T c) (T d)))"),
        # An A over nothing but an A stays, above, between and below.
        ("(A (A (T b)))", "(A (A (T b)))"),
        ("(A (A (A (T b)) (T a1)))", "(A (A (T b) (A/A (T a1))))"),
        ("(A (A (A (T b))) (T a1))", "(A (A (T b)) (A/A (T a1)))"),
        # Function tags make different labels, and a tag is no phrase.
        ("(NP-SBJ (NP (T a)) (T b))", "(NP-SBJ (NP (T a)) (T b))"),
        ("(A (A a) (T b))", "(A (A a) (T b))"),
        # A label that looks slashed.
        ("(A (T b) (A/A (T c)))", r"(A (T b) (A\/A (T c)))"),
        ("(A/A (A/A (T b)) (T c))", r"(A\/A (T b) (A\/A/A\/A (T c)))"),
        (r"(A\/A (A\ (T b)) (T/T c))", r"(A\\\/A (A\\ (T b)) (T/T c))"),
    ],
)
def test_left_recursion_is_flattened(text, transformed):
    tree = check_round_trip(read(text), to_left_corner, from_left_corner)
    assert to_brackets(tree, escape=False) == transformed


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        # Nothing to extend: an ordinary A.
        ("(A (A/A (T a)) (T b))", "(A (A (T a)) (T b))"),
        ("(A/A (T a))", "(A (T a))"),
        # Not the parent it needs.
        ("(B (T b) (A/A (T a)))", "(B (T b) (A (T a)))"),
        ("(A (T b) (A/A (T c) (A/A (T d))))", "(A (A (T b)) (T c) (A (T d)))"),
        # What follows a slashed node belongs to the phrase that it makes.
        ("(A (T b) (A/A (T a)) (T c) (A/A (T d)))", "(A (A (A (T b)) (T a) (T c)) (T d))"),
    ],
)
def test_trees_that_no_transform_makes_are_repaired(text, tree):
    assert to_brackets(from_left_corner(read(text))) == tree


def test_labels():
    assert is_slashed("NP/NP")
    assert not is_slashed(r"S\/NP")
    assert is_slashed(r"S\/NP/S\/NP")
    assert not is_slashed(r"A\\\/A")
    assert is_slashed(r"A\\/A\\")
    assert plain_label(r"S\/NP/S\/NP") == plain_label(r"S\/NP") == "S/NP"


@settings(deadline=None)
@given(trees() | nasty_phrases() | phrases(20, ["A", "B"]))
def test_transform_is_undone(tree):
    transformed = check_round_trip(tree, to_left_corner, from_left_corner)
    for node in transformed.preorder():
        if node.word is None and is_slashed(node.label):
            assert node.children
        # What is left of A -> A alpha is an A over nothing but an A, extended by slashed nodes.
        base = [c for c in node.children if c.word is not None or not is_slashed(c.label)]
        if len(base) > 1 and base[0].word is None:
            assert base[0].label != node.label


@settings(deadline=None)
@given(nasty_phrases())
def test_any_tree_can_be_read_back(tree):
    """A parser may put nodes together in ways that no transformed tree shows."""
    restored = from_left_corner(tree)
    assert [(leaf.label, leaf.word) for leaf in restored.leaves()] == [
        (leaf.label, leaf.word) for leaf in tree.leaves()
    ]
    assert all(node.children or node.word is not None for node in restored.preorder())


def left_recursive(tree: Tree) -> int:
    """RETURNS (int): The number of phrases A -> A alpha."""
    return sum(
        len(node.children) > 1
        and node.children[0].word is None
        and node.children[0].label == node.label
        for node in tree.preorder()
    )


def test_sample_treebank():
    found = [
        (tree, check_round_trip(tree, to_left_corner, from_left_corner)) for tree in sample_trees()
    ]
    assert sum(left_recursive(tree) for tree, _ in found) > 0
    assert sum(left_recursive(transformed) for _, transformed in found) == 0


@pytest.mark.slow
def test_real_treebank():
    for tree in wsj_trees():
        transformed = check_round_trip(tree, to_left_corner, from_left_corner)
        slashed = sum(is_slashed(n.label) for n in transformed.preorder() if n.word is None)
        assert slashed == left_recursive(tree)


def test_depth_is_no_limit():
    for tree in deep_trees():
        assert from_left_corner(to_left_corner(tree)) == tree
