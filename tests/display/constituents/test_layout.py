import itertools
import re

import numpy as np
import pytest
import spacy
from hypothesis import given

from spacy_perceptron.corpus.sample import load_sample
from spacy_perceptron.display.constituents.layout import (
    GAP,
    find_columns,
    node_width,
    place_nodes,
)
from spacy_perceptron.display.constituents.nodes import Node
from spacy_perceptron.display.constituents.svg import ABOVE, BELOW, render_svg
from spacy_perceptron.display.constituents.widths import label_width, shorten, word_width
from spacy_perceptron.trees.constituents import doc_to_tree
from spacy_perceptron.trees.tree import Tree

from ...strategies import trees
from .hand_trees import read_tree, to_nodes

# Left, top, right, bottom.
Box = tuple[float, float, float, float]


def boxes_of_lines(path: str) -> list[Box]:
    """The boxes around the pieces of a path. All coordinates are absolute."""
    boxes, x, y = [], 0.0, 0.0
    for command, text in re.findall(r"([MVHQ])([^MVHQ]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
        new_x = x if command == "V" else numbers[0] if command == "H" else numbers[-2]
        new_y = y if command == "H" else numbers[-1]
        if command != "M":
            boxes.append((min(x, new_x), min(y, new_y), max(x, new_x), max(y, new_y)))
        x, y = new_x, new_y
    return boxes


def meet(a: Box, b: Box) -> bool:
    """Whether boxes have something in common; touching counts."""
    return all(min(a[i + 2], b[i + 2]) >= max(a[i], b[i]) for i in (0, 1))


def connected(boxes: list[Box]) -> bool:
    """Whether all boxes can be reached from the first, from one to another that it meets."""
    reached, left = [boxes[0]], boxes[1:]
    for box in reached:
        reached += [other for other in left if meet(box, other)]
        left = [other for other in left if not meet(box, other)]
    return not left


def boxes_of_labels(svg: str, nodes: list[Node]) -> list[Box]:
    """The boxes of labels of phrases, as wide as they are meant to be."""
    places = re.findall(r'class="constituents-label" x="([\d.]+)" y="([\d.]+)"', svg)
    widths = [node_width(node) - GAP for node in nodes if node.word is None]
    return [
        (float(x) - width / 2, float(y) - ABOVE + 1, float(x) + width / 2, float(y) + BELOW - 1)
        for (x, y), width in zip(places, widths, strict=True)
    ]


def check(tree: Tree) -> None:
    """No line crosses a line of another phrase or a label; no labels meet; lines hold together."""
    nodes = to_nodes(tree)
    svg = render_svg(nodes, find_columns([nodes]), name="Tree")
    lines = [boxes_of_lines(path) for path in re.findall(r' d="([^"]+)"', svg)]
    labels = boxes_of_labels(svg, nodes)
    width, height = (float(x) for x in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
    assert all(map(connected, lines))
    assert len(lines) == len(labels) == sum(node.word is None for node in nodes)
    for first, second in itertools.combinations(lines, 2):
        assert not any(meet(a, b) for a in first for b in second)
    for a, b in itertools.combinations(labels, 2):
        assert not meet(a, b)
    for box in labels:
        assert not any(meet(box, line) for pieces in lines for line in pieces)
        assert 0 <= box[0] < box[2] <= width + 0.1
        assert 0 <= box[1] < box[3] <= height


@given(trees())
def test_nothing_crosses(tree: Tree):
    check(tree)


def test_nothing_crosses_in_the_sample_treebank():
    for doc in load_sample(spacy.blank("en").vocab, "dev", keep_function_tags=True):
        check(doc_to_tree(doc))


@pytest.mark.parametrize(
    "brackets",
    [
        # Between its children, a long label would begin left of its first word,
        "(S (LABEL-WITH-TWENTY-AA (A a) (B bbbbbbbbbbbbbbbbbbbbbb)) (C c))",
        # also as a member of a unary chain.
        "(S (LABEL-WITH-TWENTY-AA (X (A a) (B bbbbbbbbbbbbbbbbbbbbbb))) (C c))",
        # Moved to the right, it stands beside its children.
        "(LABEL-WITH-TWENTY-AA (A a) (M (B b) (Q (C c) (D ddddddddd))))",
    ],
)
def test_nothing_crosses_below_long_labels(brackets: str):
    check(read_tree(brackets))


def test_crossing_lines_would_be_found():
    """The helpers of this test: an upright line through a level one, beside it, below it."""
    assert boxes_of_lines("M1,2V5H9M3,4Q3,1 6,1") == [(1, 2, 1, 5), (1, 5, 9, 5), (3, 1, 6, 4)]
    level = (0.0, 10.0, 20.0, 10.0)
    assert meet((5.0, 0.0, 5.0, 20.0), level)
    assert not meet((25.0, 0.0, 25.0, 20.0), level)
    assert not meet((5.0, 11.0, 5.0, 20.0), level)
    assert connected(boxes_of_lines("M1,2V5H9M4,5V8"))
    assert not connected(boxes_of_lines("M1,2V5H9M4,6V8"))


def test_levels_and_centres():
    """Words of equal width: columns of w. S stands between NP and VP, VP between its words."""
    nodes = to_nodes(read_tree("(S (NP (A xx)) (VP (B xx) (C xx)))"))
    columns = find_columns([nodes])
    w = columns[0]
    assert columns.tolist() == [w, w, w]
    places = place_nodes(nodes, columns)
    found = {node.phrase.label: places[node] for node in nodes}
    assert {label: place.level for label, place in found.items()} == {
        **{"S": 2, "NP": 1, "VP": 1, "A": 0, "B": 0, "C": 0}
    }
    expected = {"A": w / 2, "B": 1.5 * w, "C": 2.5 * w, "NP": w / 2, "VP": 2 * w, "S": 1.25 * w}
    assert {label: place.x for label, place in found.items()} == pytest.approx(expected)


def test_long_labels_widen_columns():
    label = "NP-SBJ-LONG"
    nodes = to_nodes(read_tree(f"(S ({label} (A a) (B b)) (C c))"))
    columns = find_columns([nodes])
    assert columns[:2].sum() == pytest.approx(GAP + label_width(label))
    assert columns[2] == pytest.approx(GAP + word_width("c"))
    # Trees that are compared stand on the same columns, those of the widest labels.
    flat = to_nodes(read_tree("(S (A a) (B b) (C c))"))
    np.testing.assert_allclose(find_columns([flat, nodes]), columns)


def test_unary_chains_are_upright():
    """The widest label of the chain decides where all stand, the last one included."""
    nodes = to_nodes(read_tree("(X (VERY-LONG-LABEL-1-2 (Y (Z (A a) (B bbbbbbbbbbbb)))) (C c))"))
    places = place_nodes(nodes, find_columns([nodes]))
    assert len({places[node].x for node in nodes[1:4]}) == 1


def test_widths():
    """Combining marks have none; capitals and East Asian characters are wider than letters."""
    assert word_width("e\u0301") == word_width("e")
    assert word_width("ill") < word_width("eee") < word_width("EEE") < word_width("東京都")
    assert label_width("NP") == 2 * label_width("N")
    assert shorten("telescope", 9) == "telescope"
    assert shorten("telescope", 5) == "tele…"
