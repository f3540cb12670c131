"""Places of labels in plots."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plots.labels import AROUND, BESIDE, Box, choose_places

EDGE = Box(0, 0, 500, 300)
SIZE = (60.0, 11.0)


def test_first_place_is_above():
    ((number, box),) = choose_places([(100, 100)], [SIZE], [], EDGE)
    assert AROUND[number] == (0, 1)
    # Above the point by the gap of 6, in its middle.
    assert box == Box(70, 106, 130, 117)


def test_labels_stay_inside_and_off_lines():
    ((number, box),) = choose_places([(100, 295)], [SIZE], [], EDGE)
    assert AROUND[number] == (0, -1)
    assert box.overlap(EDGE) == pytest.approx(box.area)
    # A line straight up from the point: below it is free.
    ((number, _),) = choose_places([(100, 100)], [SIZE], [[(100, 100), (100, 200)]], EDGE)
    assert AROUND[number] == (0, -1)


def test_what_is_taken():
    legend = Box(0, 100, 500, 300)
    ((_, box),) = choose_places([(100, 95)], [SIZE], [], EDGE, taken=[legend])
    assert box.overlap(legend) == 0


@given(
    st.lists(
        st.tuples(st.integers(100, 400), st.integers(80, 220)), min_size=1, max_size=4, unique=True
    )
)
def test_few_labels_never_overlap(points: list[tuple[int, int]]):
    boxes = [box for _, box in choose_places(points, [SIZE] * len(points), [], EDGE)]
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))


def test_labels_at_the_ends_of_lines():
    """Three lines that end in the same place: labels one above the other, to the right."""
    found = choose_places([(400, 150)] * 3, [(80.0, 11.0)] * 3, [], EDGE, steps=BESIDE)
    boxes = [box for _, box in found]
    assert all(one.overlap(other) == 0 for one, other in combinations(boxes, 2))
    assert {box.x0 for box in boxes} == {406.0}
