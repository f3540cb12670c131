"""Trees that a transform and its inverse must give back."""

from collections.abc import Callable

from spacy_perceptron.corpus.sample import SPLITS
from spacy_perceptron.trees.brackets import parse_brackets, read_brackets, to_brackets
from spacy_perceptron.trees.tree import Tree

from ...real_data import data_path
from ...sample import read_sentences

Transform = Callable[[Tree], Tree]


def read(text: str) -> Tree:
    """RETURNS (Tree): The tree in some brackets, without the ROOT that the reader adds."""
    (sentence,) = parse_brackets([text])
    return sentence.tree if text.startswith("(ROOT") else sentence.tree.children[0]


def check_round_trip(tree: Tree, transform: Transform, inverse: Transform) -> Tree:
    """Check that the inverse restores a tree and that neither changes what it is given.

    tree (Tree): The tree.
    RETURNS (Tree): The transformed tree.
    """
    nodes = [(id(node), node.label, node.word, *map(id, node.children)) for node in tree.preorder()]
    transformed = transform(tree)
    written = to_brackets(transformed)
    assert inverse(transformed) == tree
    assert to_brackets(transformed) == written
    after = [(id(node), node.label, node.word, *map(id, node.children)) for node in tree.preorder()]
    assert nodes == after
    assert transformed.words() == tree.words()
    return transformed


def sample_trees() -> list[Tree]:
    """RETURNS (list[Tree]): All trees of the sample treebank."""
    return [sentence.tree for split in SPLITS for sentence in read_sentences(split)]


def wsj_trees() -> list[Tree]:
    """RETURNS (list[Tree]): The trees of the WSJ sample; skips the test without them."""
    files = sorted(data_path("wsj").glob("*.mrg"))
    return [sentence.tree for file in files for sentence in read_brackets(file)]


def deep_trees(depth: int = 5_000) -> list[Tree]:
    """RETURNS (list[Tree]): A unary chain, a left-branching and a right-branching tree of this
    depth, and a flat tree of this width.
    """
    chain, left, right = (Tree("A", [Tree("T", word="w")]) for _ in range(3))
    for _ in range(depth):
        chain = Tree("A", [chain])
        left = Tree("A", [left, Tree("T", word="w")])
        right = Tree("A", [Tree("T", word="w"), right])
    flat = Tree("A", [Tree("T", word="w") for _ in range(depth)])
    return [chain, left, right, flat]
