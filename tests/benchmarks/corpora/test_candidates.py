"""Candidate lists: changes, targets, order."""

from __future__ import annotations

from random import Random

from benchmarks.corpora.candidates import candidate_list, changed, tree_arrays
from spacy_perceptron.trees.tree import Tree


def test_changes_keep_words(trees: list[Tree]):
    rng = Random(1)
    for tree in trees:
        other = changed(tree, 2, rng)
        assert (other.words(), other.tags()) == (tree.words(), tree.tags())
    assert changed(trees[0], 0, rng) == trees[0]
    assert any(changed(tree, 2, rng) != tree for tree in trees)


def test_candidates(trees: list[Tree]):
    """The gold tree is the target, and the base model's order is that of the list."""
    found = candidate_list(trees[0], 8, Random(2))
    gold = tree_arrays([trees[0]])
    assert len(found.trees) == 8
    assert found.trees.select([found.target]).labels.tolist() == gold.labels.tolist()
    assert found.base_scores.tolist() == sorted(found.base_scores, reverse=True)
