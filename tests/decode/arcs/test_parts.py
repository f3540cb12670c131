import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.arcs.parts import Parts
from tests.decode.arcs.projective.reference import all_arcs, make_parts, random_parts

SEEDS = st.integers(0, 2**32)


def expected_members(arcs: list[tuple[int, int]]) -> dict[str, set]:
    """All parts by the definition."""
    lower = [arc for arc in arcs if arc[0] != 0]
    siblings = {
        (inner, outer)
        for inner, outer in itertools.permutations(lower, 2)
        if inner[0] == outer[0]
        and (inner[1] > inner[0]) == (outer[1] > outer[0])
        and abs(inner[1] - inner[0]) < abs(outer[1] - outer[0])
    }
    return {
        "arc": set(arcs),
        "sibling": siblings,
        "grand": {(upper, arc) for upper in arcs for arc in lower if upper[1] == arc[0]},
        "grand_sibling": {
            (upper, *pair) for upper in arcs for pair in siblings if upper[1] == pair[0][0]
        },
    }


@given(SEEDS, st.integers(1, 7), st.sampled_from([0.3, 0.7, 1.0]))
def test_every_part_has_its_own_id(seed: int, n: int, density: float):
    parts = random_parts(np.random.default_rng(seed), n, 3, density=density)
    members = expected_members(parts.arcs())
    ids = parts.ids()
    for kind, expected in members.items():
        assert set(ids[kind]) == expected
        assert sorted(ids[kind].values()) == list(range(len(expected)))
        assert len(parts.get_scores()[kind]) == len(expected)
    assert len(parts.get_scores()["first"]) == len(parts.get_scores()["last"]) == len(parts.arcs())
    assert len(parts.get_scores()["childless"]) == 2 * n + 2


def test_arcs_are_numbered_by_child_and_head():
    parts = Parts(3, [3, 0, 1, 0], [2, 1, 2, 3])
    assert parts.arcs() == [(0, 1), (1, 2), (3, 2), (0, 3)]


@pytest.mark.parametrize(
    ("order", "empty"),
    [
        (1, {"first", "last", "childless", "sibling", "grand", "grand_sibling"}),
        (2, {"grand_sibling"}),
        (3, set()),
    ],
)
def test_order_decides_which_parts_there_are(order: int, empty: set[str]):
    scores = make_parts(4, all_arcs(4), order).get_scores()
    assert {kind for kind, values in scores.items() if len(values) == 0} == empty


@pytest.mark.parametrize(
    ("heads", "children"),
    [([0, 0], [1, 1]), ([2], [2]), ([0], [3]), ([3], [1]), ([-1], [1]), ([1], [0]), ([0, 1], [1])],
)
def test_refuses_other_arcs(heads: list[int], children: list[int]):
    with pytest.raises(ValueError, match=r"Arcs go from|longer"):
        Parts(2, heads, children)


def test_keeps_scores():
    parts = make_parts(4, all_arcs(4), 3)
    scores = {
        kind: np.arange(len(old), dtype=np.float32) + i
        for i, (kind, old) in enumerate(parts.get_scores().items())
    }
    parts.set_scores(**scores)
    parts.set_scores(arc=-scores["arc"])
    for kind, values in parts.get_scores().items():
        assert values.tolist() == (-scores[kind] if kind == "arc" else scores[kind]).tolist()


def test_refuses_other_scores():
    parts = make_parts(2, all_arcs(2), 2)
    with pytest.raises(ValueError, match="'arc'"):
        parts.set_scores(arc=[0.0] * 5)
    with pytest.raises(ValueError, match="'cousin'"):
        parts.set_scores(cousin=[])
