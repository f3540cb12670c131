"""Where the nodes of a tree stand. Words stand on one line in columns of their own. A phrase stands
one level above the highest of its children and within the columns of its words, and so does its
label. Lines go along the level of a phrase and straight down from there: none crosses another one
or a label. Time: linear in the nodes times the depth.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..doubt import printed
from .nodes import Node
from .widths import (
    FIGURE_SIZE,
    MAX_LABEL,
    MAX_WORD,
    TAG_SIZE,
    label_width,
    shorten,
    word_width,
)

# What is left free between neighbours, in pixels.
GAP = 14.0


class Place(NamedTuple):
    """Where a node stands.

    x (float): Its centre, in pixels.
    level (int): 0 for words; for a phrase, one more than the highest of its children.
    """

    x: float
    level: int


def find_columns(trees: Sequence[Sequence[Node]]) -> NDArray[np.float64]:
    """How wide columns must be, so that trees over the same words can be compared.

    trees (Sequence[Sequence[Node]]): The nodes of each tree in pre-order.
    RETURNS (NDArray[np.float64]): The width of each word's column.
    """
    n_words = sum(node.word is not None for node in trees[0])
    columns = np.zeros(n_words)
    for nodes in trees:
        # Words first: a phrase only widens its columns if they have not room enough.
        for node in sorted(nodes, key=lambda node: node.phrase.end - node.phrase.start):
            covered = columns[node.phrase.start : node.phrase.end]
            covered += max(0.0, node_width(node) - covered.sum()) / len(covered)
    return columns


def place_nodes(nodes: Sequence[Node], columns: NDArray[np.float64]) -> dict[Node, Place]:
    """Find a place for each node.

    nodes (Sequence[Node]): The nodes in pre-order.
    columns (NDArray[np.float64]): The width of each word's column.
    RETURNS (dict[Node, Place]): The places.
    """
    edges = np.concatenate([[0.0], np.cumsum(columns)])
    # Labels of a unary chain stand above each other: the widest decides where.
    widths = {node: node_width(node) for node in nodes}
    for node in nodes:
        if len(node.children) == 1:
            widths[node.children[0]] = max(widths[node], widths[node.children[0]])
    places: dict[Node, Place] = {}
    for node in reversed(nodes):
        left, right = float(edges[node.phrase.start]), float(edges[node.phrase.end])
        below = [places[child] for child in node.children]
        level = 1 + max(place.level for place in below) if below else 0
        x = (below[0].x + below[-1].x) / 2 if below else (left + right) / 2
        if len(below) > 1:
            x = min(max(x, left + widths[node] / 2), right - widths[node] / 2)
        places[node] = Place(x, level)
    return places


def node_width(node: Node) -> float:
    """RETURNS (float): What a node needs: room for its label, or for a word and its tag."""
    label, confidence = shorten(node.phrase.label, MAX_LABEL), node.phrase.confidence
    if node.word is not None:
        word = word_width(shorten(node.word, MAX_WORD))
        return GAP + max(word, label_width(label, TAG_SIZE))
    figure = printed(confidence)
    return GAP + label_width(label) + (label_width(" " + figure, FIGURE_SIZE) if figure else 0.0)
