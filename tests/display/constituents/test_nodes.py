import pytest
from hypothesis import given

from spacy_perceptron.display.constituents.nodes import Excerpt, Phrase, build_nodes, find_tops
from spacy_perceptron.trees.constituents import tree_to_constituents
from spacy_perceptron.trees.tree import Tree

from ...strategies import trees
from .hand_trees import to_nodes


def test_whitespace_is_left_out():
    """Tokens 2 to 6 of `a _ b _ c _ d`, in which every second one is a space."""
    excerpt = Excerpt(["a", " ", "b", "\n", "c", " ", "d"], 2, 6)
    assert excerpt.tokens == [2, 4]
    assert excerpt.words == ["b", "c"]
    rows = [(4, 5, "C"), (2, 6, "S"), (2, 5, "VP"), (3, 4, "NONE"), (0, 3, "OUT"), (4, 7, "OUT")]
    # Without spaces, S and VP are a unary chain, in the order in which they were given.
    assert excerpt.phrases(rows, {(2, 5, "VP"): 0.5}) == [
        Phrase(0, 2, "S"),
        Phrase(0, 2, "VP", 0.5),
        Phrase(1, 2, "C"),
    ]


@given(trees())
def test_nodes_form_the_tree(tree: Tree):
    nodes = to_nodes(tree)
    inner = [(n.phrase.label, n.phrase.start, n.phrase.end) for n in nodes if n.word is None]
    assert inner == tree_to_constituents(tree)
    assert [node.word for node in nodes if node.word is not None] == tree.words()
    assert [node.phrase.label for node in nodes if node.word is not None] == tree.tags()
    shown = [[child.phrase.label for child in node.children] for node in nodes]
    given_nodes = list(tree.preorder())[1:]
    assert shown == [[child.label for child in node.children] for node in given_nodes]
    tops = [node.phrase.label for node in find_tops(nodes)]
    assert tops == [child.label for child in tree.children]


def test_differing_tags_are_marked():
    nodes = build_nodes(["a", "b"], ["X", "Y"], [Phrase(0, 2, "S")], {1})
    assert [node.phrase.differs for node in nodes] == [False, False, True]


def test_crossing_phrases_are_refused():
    with pytest.raises(ValueError, match="cross each other"):
        build_nodes(["a", "b", "c"], [""] * 3, [Phrase(0, 2, "A"), Phrase(1, 3, "B")])
