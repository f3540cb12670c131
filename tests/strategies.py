"""Hypothesis strategies shared by the tests."""

from collections.abc import Sequence

from hypothesis import strategies as st

from spacy_perceptron.trees.tree import ROOT, Tree

TAGS = ["DT", "NN", "NNS", "NNP", "PRP", "PRP$", "VBD", "MD", "VB", "IN", "CC", ",", ".", "-LRB-"]
LABELS = ["S", "NP", "VP", "PP", "SBAR", "ADJP", "NP-SBJ", "NP-TMP", "PP-LOC-PRD", "X"]
# Labels that look like those of transformed trees, and often equal ones, one below the other.
NASTY_LABELS = [
    "A",
    "A/A",
    "A\\/A",
    "A/A/A/A",
    "\\",
    "A\\",
    "/",
    "A+B",
    "+",
    "A\\+A",
    "@A",
    "@",
    "A^A",
]
NASTY_LABELS += ["^", "A|B", "@A|B", "@A^B|<A|B", "", ROOT]


def words() -> st.SearchStrategy[str]:
    """Words with all the characters that brackets escape, without names of brackets and spaces."""
    return st.text("ab'-.()[]{}/*\\é", min_size=1, max_size=5)


def leaves(tags: Sequence[str] = TAGS) -> st.SearchStrategy[Tree]:
    return st.builds(lambda tag, word: Tree(tag, word=word), st.sampled_from(tags), words())


def phrases(
    max_leaves: int = 12, labels: Sequence[str] = LABELS, tags: Sequence[str] = TAGS
) -> st.SearchStrategy[Tree]:
    """Phrases of any shape, unary chains included; at the least, a label over a leaf."""

    def phrase(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        nodes = st.lists(children, min_size=1, max_size=4)
        return st.builds(Tree, st.sampled_from(labels), nodes)

    return phrase(st.recursive(leaves(tags), phrase, max_leaves=max_leaves))


def nasty_phrases(max_leaves: int = 12) -> st.SearchStrategy[Tree]:
    """Phrases whose labels and tags are hard to tell from those of transformed trees: either many
    different ones, or few that often meet themselves.
    """
    few = phrases(max_leaves, ["A", "A/A"], ["A", "A/A"])
    return few | phrases(max_leaves, NASTY_LABELS, NASTY_LABELS)


def trees(max_leaves: int = 12) -> st.SearchStrategy[Tree]:
    """Trees under a ROOT with one to three children."""
    children = st.lists(phrases(max_leaves), min_size=1, max_size=3)
    return st.builds(lambda nodes: Tree(ROOT, nodes), children)
