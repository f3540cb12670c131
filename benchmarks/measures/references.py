"""Plain ways to compute what the package computes fast: a full table, and a list of supports."""

from __future__ import annotations

import numpy as np

from spacy_perceptron.learn.kernels.pairwise import kernel_matrix
from spacy_perceptron.learn.kernels.settings import KernelSettings
from spacy_perceptron.learn.kernels.structures import Trees


def full_table_kernel(first: Trees, second: Trees, decay: float) -> float:
    """The subset-tree kernel of two trees as the paper gives it: a table of all pairs of nodes.

    first (Trees): one tree.
    second (Trees): another one.
    decay (float): λ.
    RETURNS (float): the kernel.
    """
    productions, other_productions = _productions(first), _productions(second)
    values = [[0.0] * len(other_productions) for _ in productions]
    for i in range(len(productions) - 1, -1, -1):
        for j in range(len(other_productions) - 1, -1, -1):
            labels, children = productions[i]
            other_labels, other_children = other_productions[j]
            if not children or labels != other_labels:
                continue
            value = decay
            for child, other_child in zip(children, other_children, strict=True):
                value *= 1 + values[child][other_child]
            values[i][j] = value
    return sum(map(sum, values))


def _productions(tree: Trees) -> list[tuple[list[tuple[int, bool]], list[int]]]:
    """For each node its label and its children's, each with whether it is a word; the children."""
    waiting: list[int] = []
    found = []
    is_word = (tree.n_children == 0).tolist()
    labels = tree.labels.tolist()
    for i in range(len(labels) - 1, -1, -1):
        children = [waiting.pop() for _ in range(tree.n_children[i])]
        waiting.append(i)
        parts = [(labels[node], is_word[node]) for node in (i, *children)]
        found.append((parts, children))
    return found[::-1]


def list_scores(settings: KernelSettings, supports: Trees, candidates: Trees) -> np.ndarray:
    """Scores by pairwise kernels with a list of support trees.

    settings (KernelSettings): the kernel.
    supports (Trees): the target and the chosen tree of each mistake in turns.
    candidates (Trees): what to score.
    RETURNS (np.ndarray): a score per candidate.
    """
    signs = np.tile([1.0, -1.0], len(supports) // 2)
    return signs @ kernel_matrix(settings, supports, candidates)
