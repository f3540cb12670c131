"""The best derivation, the k best ones and the probabilities of items, on random forests, against
enumeration of all derivations."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.decode.search.forest import Forest
from spacy_perceptron.decode.search.kbest import KBest
from spacy_perceptron.decode.search.marginals import Marginals

# Left node, right node, score, item.
Edge = tuple[int, int, float, int]
# Score and items.
Derivation = tuple[float, tuple[int, ...]]

N_ITEMS = 4
MOST_DERIVATIONS = 300


@st.composite
def forests(draw: st.DrawFn) -> list[list[Edge]]:
    """The edges of each node. Scores are multiples of 1/4: sums are exact, and there are ties. A
    node may be used several times in a derivation, and so may an item."""
    nodes: list[list[Edge]] = []
    n_derivations = [1]
    for v in range(draw(st.integers(1, 6))):
        edges: list[Edge] = []
        total = 0
        for _ in range(draw(st.integers(1, 3))):
            left, right = (draw(st.integers(-1, v - 1)) for _ in range(2))
            if n_derivations[left + 1] * n_derivations[right + 1] > MOST_DERIVATIONS:
                right = -1
            total += n_derivations[left + 1] * n_derivations[right + 1]
            score = draw(st.integers(-6, 6)) / 4
            edges.append((left, right, score, draw(st.integers(-1, N_ITEMS - 1))))
        nodes.append(edges)
        n_derivations.append(total)
    return nodes


def make(nodes: list[list[Edge]]) -> Forest:
    forest = Forest()
    for v, edges in enumerate(nodes):
        assert forest.add(edges) == v
    return forest


def derivations(nodes: list[list[Edge]], v: int) -> list[Derivation]:
    """All derivations of a node, from the definition."""
    if v < 0:
        return [(0.0, ())]
    return [
        (score + left_score + right_score, ((item,) if item >= 0 else ()) + more + still_more)
        for left, right, score, item in nodes[v]
        for left_score, more in derivations(nodes, left)
        for right_score, still_more in derivations(nodes, right)
    ]


def as_set(found: list[tuple[float, list[int]]]) -> Counter[Derivation]:
    return Counter((score, tuple(sorted(items))) for score, items in found)


@settings(max_examples=300, deadline=None)
@given(forests())
def test_best(nodes: list[list[Edge]]):
    expected = derivations(nodes, len(nodes) - 1)
    score, items = make(nodes).derivation()
    assert score == max(score for score, _ in expected)
    assert (score, sorted(items)) in [(score, sorted(items)) for score, items in expected]


@settings(max_examples=300, deadline=None)
@given(forests(), st.integers(1, 20))
def test_best_ones(nodes: list[list[Edge]], k: int):
    """All of them, each as often as it is there; and the first k are those of a longer list."""
    expected = derivations(nodes, len(nodes) - 1)
    forest, kbest = make(nodes), KBest()
    found = kbest.derivations(forest, 10_000)
    assert as_set(found) == as_set([(score, list(items)) for score, items in expected])
    scores = [score for score, _ in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0] == forest.derivation()
    assert kbest.derivations(forest, k) == found[:k]


@settings(max_examples=300, deadline=None)
@given(forests(), st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_probabilities(nodes: list[list[Edge]], scale: float):
    expected = derivations(nodes, len(nodes) - 1)
    masses = np.exp([scale * score for score, _ in expected])
    found, log_z = Marginals().probabilities(make(nodes), scale)
    assert log_z == pytest.approx(math.log(masses.sum()))
    assert len(found) == 1 + max(item for edges in nodes for *_, item in edges)
    for item, probability in enumerate(found):
        counts = np.array([items.count(item) for _, items in expected])
        assert probability == pytest.approx((masses * counts).sum() / masses.sum(), abs=1e-12)


def test_spans_with_symbols():
    """A grammar in miniature: "saw her duck" as [saw [her duck]] or [[saw her] duck], scored by the
    spans. Derivations have items for spans of more than one word only, so their numbers differ:
    the third way has the three words side by side, in a span without an inner one."""
    forest = Forest()
    saw, her, duck = (forest.add([(-1, -1, score, -1)]) for score in (0.0, 1.0, 2.0))
    object_ = forest.add([(her, duck, 1.0, 0), (her, duck, 0.5, 1)])
    clause = forest.add([(saw, her, 2.0, 2)])
    flat = forest.add([(saw, her, 0.0, -1)])
    forest.add([(saw, object_, 1.0, 3), (clause, duck, 1.0, 3), (flat, duck, 0.25, 3)])
    assert len(forest) == 7
    assert forest.derivation() == (6.0, [3, 2])
    assert KBest().derivations(forest, 9) == [
        (6.0, [3, 2]),
        (5.0, [3, 0]),
        (4.5, [3, 1]),
        (3.25, [3]),
    ]
    masses = np.exp([5.0, 4.5, 6.0])
    total = masses.sum() + math.exp(3.25)
    probabilities, log_z = Marginals().probabilities(forest)
    assert probabilities == pytest.approx([*masses / total, 1.0])
    assert log_z == pytest.approx(math.log(total))


def test_no_nodes():
    forest = Forest()
    assert len(forest) == forest.n_edges == 0
    assert forest.derivation() == (-math.inf, [])
    assert KBest().derivations(forest, 3) == []
    probabilities, log_z = Marginals().probabilities(forest)
    assert (len(probabilities), log_z) == (0, -math.inf)


@pytest.mark.parametrize(("left", "right"), [(1, -1), (-1, 1), (0, 7), (-2, 0)])
def test_edges_lead_to_earlier_nodes(left: int, right: int):
    forest = Forest()
    forest.add([(-1, -1, 0.0, 0)])
    with pytest.raises(ValueError, match=f"earlier nodes, not to {left} and {right}"):
        forest.add([(0, -1, 0.0, 0), (left, right, 0.0, 1)])
    assert len(forest) == forest.n_edges == 1
