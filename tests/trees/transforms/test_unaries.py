import pytest
from hypothesis import given, settings

from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.transforms.unaries import (
    fold_unaries,
    folded_head_child,
    join_labels,
    split_label,
    unfold_unaries,
)
from spacy_perceptron.trees.tree import Tree

from ...strategies import nasty_phrases, trees
from .round_trip import check_round_trip, deep_trees, read, sample_trees, wsj_trees


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("(ROOT (S (VP (VB Go))))", "(ROOT (S+VP (VB Go)))"),
        (
            "(S (NP-SBJ (NN a)) (VP-X (S-NOM (VP (VB b) (NN c)))))",
            "(S (NP-SBJ (NN a)) (VP-X+S-NOM+VP (VB b) (NN c)))",
        ),
        ("(ROOT (S (NN a)) (S (S (NN b))))", "(ROOT (S (NN a)) (S+S (NN b)))"),
        # The plus of the label is escaped, the one between labels is not.
        (r"(A+B (A\ (NN b)))", r"(A\+B+A\\ (NN b))"),
        # ROOT is an ordinary label where it is not on top; the tag over a word is no phrase.
        ("(A (NP (NP+ a)) (B b))", "(A (NP (NP+ a)) (B b))"),
    ],
)
def test_chains_are_folded(text, folded):
    assert to_brackets(check_round_trip(read(text), fold_unaries, unfold_unaries)) == folded


def test_root_below_the_top_is_an_ordinary_label():
    inner = Tree("ROOT", [Tree("ROOT", [Tree("S", [Tree("NN", word="a")])])])
    assert to_brackets(fold_unaries(inner)) == "(ROOT (ROOT+S (NN a)))"
    assert unfold_unaries(fold_unaries(inner)) == inner


@settings(deadline=None)
@given(trees() | nasty_phrases())
def test_folding_is_undone(tree):
    folded = check_round_trip(tree, fold_unaries, unfold_unaries)
    for node in folded.preorder():
        assert node is folded or len(node.children) != 1 or node.children[0].word is not None


def test_labels_are_joined_and_split():
    labels = ["A", "+", "", "B\\", "\\+"]
    assert split_label(join_labels(labels)) == labels


def test_heads_of_folded_chains():
    rules = load_head_rules()
    tree = fold_unaries(read("(S (VP (ADVP (RB so)) (VP (VBD ran)) (NP (QP (CD 2) (CD 3)))))"))
    # The head of a VP is its first VP; an S+VP and an NP+QP would be unknown to the rules.
    assert tree.label == "S+VP"
    assert folded_head_child(tree, rules) == 1
    # In an NP the last noun phrase counts, whatever is folded into it.
    noun = fold_unaries(read("(NP (NP (QP (CD 2))) (PP (IN of) (NP (NN b))))"))
    assert folded_head_child(noun, rules) == 0


def test_sample_treebank():
    found = sample_trees()
    folded = [check_round_trip(tree, fold_unaries, unfold_unaries) for tree in found]
    assert folded != found


@pytest.mark.slow
def test_real_treebank():
    for tree in wsj_trees():
        check_round_trip(tree, fold_unaries, unfold_unaries)


def test_depth_is_no_limit():
    for tree in deep_trees():
        assert unfold_unaries(fold_unaries(tree)) == tree
