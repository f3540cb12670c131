"""NLTK's trees as a convenience, and NLTK as an oracle."""

import builtins

import pytest
from hypothesis import given, settings

import spacy_perceptron
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.nltk_trees import to_nltk
from spacy_perceptron.trees.transforms.binarization import binarize
from spacy_perceptron.trees.tree import Tree

from ..strategies import trees
from ..treebank_docs import GO, SAID, make_doc, parse

nltk = pytest.importorskip("nltk", reason="nltk is not installed")


@settings(deadline=None)
@given(trees())
def test_nltk_reads_our_brackets(tree):
    ours = to_nltk(tree)
    assert ours.leaves() == tree.words()
    assert [tag for _, tag in ours.pos()] == tree.tags()
    if not any(set("()[]{}/*\\") & set(word) for word in tree.words()):
        assert nltk.Tree.fromstring(to_brackets(tree)) == ours


@settings(deadline=None)
@given(trees())
def test_binarization_is_that_of_nltk(tree):
    theirs = to_nltk(tree)
    theirs.chomsky_normal_form("right", horzMarkov=2)
    found = to_nltk(binarize(tree, "right", horizontal=2))
    for node in theirs.subtrees():
        # NLTK writes NP|<DT-NN> where we write @NP|DT|NN.
        label, intermediate, siblings = node.label().partition("|<")
        if intermediate:
            node.set_label(f"@{label}|{siblings}")
    for node in found.subtrees():
        if node.label().startswith("@"):
            label, *siblings = node.label().split("|")
            node.set_label(f"{label}|{'-'.join(siblings)}>")
    assert found == theirs


def test_constituents_of_docs():
    doc = make_doc(GO, SAID)
    assert to_nltk(doc[2:6]) == nltk.Tree.fromstring(SAID)[0]
    assert to_nltk(doc[4]) == nltk.Tree.fromstring("(SBAR (S (VP (VB go))))")
    assert spacy_perceptron.to_nltk(parse(SAID)) == nltk.Tree.fromstring(SAID)
    with pytest.raises(spacy_perceptron.NonConstituentException, match="no tree"):
        to_nltk(doc[2:4])


def test_without_nltk(monkeypatch):
    real = builtins.__import__

    def fail(name, *args, **kwargs):
        if name == "nltk":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(ImportError, match="pip install nltk"):
        to_nltk(Tree("NN", word="a"))
