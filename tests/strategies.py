"""Hypothesis strategies shared by the tests."""

from hypothesis import strategies as st

from spacy_perceptron.trees.tree import ROOT, Tree

TAGS = ["DT", "NN", "NNS", "NNP", "PRP", "PRP$", "VBD", "MD", "VB", "IN", "CC", ",", ".", "-LRB-"]
LABELS = ["S", "NP", "VP", "PP", "SBAR", "ADJP", "NP-SBJ", "NP-TMP", "PP-LOC-PRD", "X"]


def words() -> st.SearchStrategy[str]:
    """Words with all the characters that brackets escape, without names of brackets and spaces."""
    return st.text("ab'-.()[]{}/*\\é", min_size=1, max_size=5)


def leaves() -> st.SearchStrategy[Tree]:
    return st.builds(lambda tag, word: Tree(tag, word=word), st.sampled_from(TAGS), words())


def phrases(max_leaves: int = 12) -> st.SearchStrategy[Tree]:
    """Phrases of any shape, unary chains included; at the least, a label over a leaf."""

    def phrase(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        labels = st.sampled_from(LABELS)
        return st.builds(Tree, labels, st.lists(children, min_size=1, max_size=4))

    return phrase(st.recursive(leaves(), phrase, max_leaves=max_leaves))


def trees(max_leaves: int = 12) -> st.SearchStrategy[Tree]:
    """Trees under a ROOT with one to three children."""
    children = st.lists(phrases(max_leaves), min_size=1, max_size=3)
    return st.builds(lambda nodes: Tree(ROOT, nodes), children)
