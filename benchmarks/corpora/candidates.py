"""Candidate lists for measuring kernels: gold trees among small random changes of them.

They stand in for the n-best list of a constituency parser: the same words and tags, with trees that
differ from the gold one in one to three places. A change relabels a phrase, puts two neighbours
under a new phrase, or removes a phrase and keeps its children. A base model is imitated too: its
score falls with the number of changes, plus noise, and lists are in its order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from spacy_perceptron.learn.kernels.structures import Trees
from spacy_perceptron.trees.brackets import read_brackets
from spacy_perceptron.trees.tree import Tree

from .corpus import find_data

LABELS = ("NP", "VP", "PP", "S", "SBAR", "ADJP", "ADVP")
MAX_CHANGES = 3
NOISE = 1.5


@dataclass(frozen=True)
class CandidateList:
    """The candidates for a sentence.

    trees (Trees): the candidates, best first by the base model.
    base_scores (np.ndarray): the base model's scores.
    target (int): the place of the gold tree.
    """

    trees: Trees
    base_scores: np.ndarray
    target: int


def read_trees(data: Path, lengths: range) -> list[Tree]:
    """The WSJ training trees of some lengths, without function tags.

    data (Path): directory that contains `wsj/train.mrg`.
    lengths (range): their numbers of words.
    RETURNS (list[Tree]): the trees, in file order.
    """
    sentences = read_brackets(find_data(data, "wsj", "train.mrg"), keep_function_tags=False)
    return [s.tree for s in sentences if len(s.tree.words()) in lengths]


def tree_arrays(trees: Sequence[Tree]) -> Trees:
    """Trees in the form that kernels take: tags and words are nodes of their own."""
    labels: list[int] = []
    n_children: list[int] = []
    offsets = [0]
    for tree in trees:
        for node in tree.preorder():
            labels.append(hash_string(node.label))
            n_children.append(len(node.children) if node.word is None else 1)
            if node.word is not None:
                labels.append(hash_string(node.word))
                n_children.append(0)
        offsets.append(len(labels))
    return Trees(np.array(labels, np.uint64), np.array(n_children), np.array(offsets))


def candidate_list(tree: Tree, n: int, rng: Random) -> CandidateList:
    """A gold tree among changed ones.

    tree (Tree): the gold tree.
    n (int): the number of candidates.
    rng (Random): where the changes come from.
    RETURNS (CandidateList): the candidates.
    """
    n_changes = [0, *(rng.randint(1, MAX_CHANGES) for _ in range(n - 1))]
    trees = [changed(tree, k, rng) for k in n_changes]
    scores = [rng.gauss(-k, NOISE) for k in n_changes]
    order = sorted(range(n), key=lambda i: -scores[i])
    base_scores = np.array([scores[i] for i in order])
    return CandidateList(tree_arrays([trees[i] for i in order]), base_scores, order.index(0))


def changed(tree: Tree, n_changes: int, rng: Random) -> Tree:
    """A copy of a tree with some changes."""
    tree = _copy(tree)
    for _ in range(n_changes):
        rng.choice((_relabel, _group, _flatten))(tree, rng)
    return tree


def _copy(tree: Tree) -> Tree:
    return Tree(tree.label, [_copy(child) for child in tree.children], tree.word)


def _phrases(tree: Tree) -> list[Tree]:
    return [node for node in tree.preorder() if node.word is None]


def _relabel(tree: Tree, rng: Random) -> None:
    phrase = rng.choice(_phrases(tree)[1:])
    phrase.label = rng.choice([label for label in LABELS if label != phrase.label])


def _group(tree: Tree, rng: Random) -> None:
    phrases = [phrase for phrase in _phrases(tree) if len(phrase.children) > 2]
    if phrases:
        phrase = rng.choice(phrases)
        i = rng.randrange(len(phrase.children) - 1)
        phrase.children[i : i + 2] = [Tree(rng.choice(LABELS), phrase.children[i : i + 2])]


def _flatten(tree: Tree, rng: Random) -> None:
    places = [
        (parent, i)
        for parent in _phrases(tree)[1:]
        for i, child in enumerate(parent.children)
        if len(child.children) > 1
    ]
    if places:
        parent, i = rng.choice(places)
        parent.children[i : i + 1] = parent.children[i].children
