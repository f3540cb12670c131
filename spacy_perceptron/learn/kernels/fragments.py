"""Fragments of trees and tagged sequences as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .structures import Sequences, Structures, Trees

# How a fragment grew: the open node that was chosen, one of the candidates' nodes there, and what
# of it was taken ("tag", "word" or "shape"; "tag" for trees).
Steps = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class TreeFragment:
    """A part of a tree.

    labels (list[int]): The labels in pre-order, words among them.
    n_children (list[int]): The number of children of each node; 0 for words and where it is cut.
    cut (list[bool]): Whether the tree goes on below the node, but the fragment does not.
    weight (float): What it adds to the difference of scores.
    """

    labels: list[int]
    n_children: list[int]
    cut: list[bool]
    weight: float


@dataclass(frozen=True)
class TagFragment:
    """A run of tags.

    tags (list[int]): The tags.
    words (list[int | None]): The words, None where any word will do.
    shapes (list[int | None]): The words' shapes, None where any shape will do.
    weight (float): What it adds to the difference of scores.
    """

    tags: list[int]
    words: list[int | None]
    shapes: list[int | None]
    weight: float


Fragment = TreeFragment | TagFragment


@dataclass
class _Node:
    """A node of a tree fragment that is being spelled out."""

    label: int
    children: list[_Node] = field(default_factory=list)
    cut: bool = True


def write_fragment(
    structures: Structures, positions: np.ndarray, steps: Steps, weight: float
) -> Fragment:
    """Spell a fragment out.

    structures (Structures): The structures in which it is.
    positions (int64 array): Where their nodes stand in their arrays.
    steps (Steps): How the fragment grew, in pre-order.
    weight (float): Its weight.
    RETURNS (Fragment): The fragment.
    """
    if isinstance(structures, Trees):
        return _write_tree(structures, positions, steps, weight)
    return _write_tags(structures, positions, steps, weight)


def _write_tree(pair: Trees, positions: np.ndarray, steps: Steps, weight: float) -> TreeFragment:
    """Spell a fragment of a tree out."""
    top = _Node(int(pair.labels[positions[steps[0][1]]]))
    open_nodes = [top]
    for column, node, _ in steps:
        grown = open_nodes[column]
        child = int(positions[node]) + 1
        for _ in range(pair.n_children[positions[node]]):
            is_word = pair.n_children[child] == 0
            grown.children.append(_Node(int(pair.labels[child]), cut=not is_word))
            child = _end_of_subtree(pair.n_children, child)
        grown.cut = False
        open_nodes[: column + 1] = [written for written in grown.children if written.cut]
    stack, nodes = [top], []
    while stack:
        nodes.append(stack.pop())
        stack.extend(reversed(nodes[-1].children))
    return TreeFragment(
        [node.label for node in nodes],
        [len(node.children) for node in nodes],
        [node.cut for node in nodes],
        weight,
    )


def _end_of_subtree(n_children: np.ndarray, position: int) -> int:
    """RETURNS (int): The position after a subtree in pre-order."""
    n_missing = 1
    while n_missing:
        n_missing += int(n_children[position]) - 1
        position += 1
    return position


def _write_tags(pair: Sequences, positions: np.ndarray, steps: Steps, weight: float) -> TagFragment:
    """Spell a run of tags out."""
    places = [(int(positions[node]), what) for _, node, what in steps]
    return TagFragment(
        [int(pair.tags[i]) for i, _ in places],
        [int(pair.words[i]) if what == "word" else None for i, what in places],
        [int(pair.shapes[i]) if what == "shape" else None for i, what in places],
        weight,
    )
