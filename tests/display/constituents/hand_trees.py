"""Trees in brackets as what is shown of them."""

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answers import Answers
from spacy_perceptron.display.constituents.nodes import Node, Phrase, build_nodes
from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.constituents import tree_to_constituents
from spacy_perceptron.trees.tree import Tree


def read_tree(brackets: str) -> Tree:
    return next(iter(parse_brackets([brackets]))).tree


def read_phrases(brackets: str) -> list[Phrase]:
    rows = tree_to_constituents(read_tree(brackets))
    return [Phrase(start, end, label) for label, start, end in rows]


def to_nodes(tree: Tree) -> list[Node]:
    phrases = [Phrase(start, end, label) for label, start, end in tree_to_constituents(tree)]
    return build_nodes(tree.words(), tree.tags(), phrases)


def read_answers(*brackets: str, **options) -> Answers:
    """The first tree is predicted. Each one is half as probable as the one before."""
    tree = read_tree(brackets[0])
    candidates = [
        Candidate(-rank, 0.5 ** (rank + 1), {"constituents": [[*phrase[:3]] for phrase in phrases]})
        for rank, phrases in enumerate(map(read_phrases, brackets))
    ]
    predicted, words = candidates[0].annotation, tree.words()
    return Answers(words, predicted, [None] * len(words), candidates, tree.tags(), **options)
