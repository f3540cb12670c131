import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.decode.search.beam import Beam

OFFERS = st.lists(st.tuples(st.integers(-4, 4).map(float), st.integers(0, 12)), max_size=60)


def brute_force(offers: list[tuple[float, int]], width: int) -> list[tuple[float, int]]:
    """Best score per signature, sorted; on ties the one that was offered first stays ahead."""
    best: dict[int, tuple[float, int]] = {}
    for time, (score, signature) in enumerate(offers):
        if signature not in best or score > -best[signature][0]:
            best[signature] = (-score, time)
    ranked = sorted((key, signature) for signature, key in best.items())
    return [(-score, signature) for (score, _), signature in ranked[:width]]


@given(OFFERS, st.integers(1, 8))
def test_equals_brute_force(offers: list[tuple[float, int]], width: int):
    beam = Beam(width)
    for n, (score, signature) in enumerate(offers, 1):
        kept = beam.add(score, signature)
        now = list(beam)
        assert now == brute_force(offers[:n], width)
        assert kept == ((score, signature) in now and now != brute_force(offers[: n - 1], width)), (
            "the answer says whether this offer went in"
        )
    assert len(beam) == min(width, len({signature for _, signature in offers}))


def test_better_duplicate_replaces_the_worse():
    beam = Beam(2)
    assert beam.add(1.0, 7)
    assert beam.add(2.0, 8)
    assert beam.add(3.0, 7)
    assert list(beam) == [(3.0, 7), (2.0, 8)]
    assert not beam.add(2.5, 7)
    assert not beam.add(2.0, 9), "of equal scores the first one stays"
    assert list(beam) == [(3.0, 7), (2.0, 8)]


@pytest.mark.parametrize("width", [1, 3])
def test_fills_up_to_its_width(width: int):
    beam = Beam(width)
    for signature in range(5):
        beam.add(0.0, signature)
    assert list(beam) == [(0.0, signature) for signature in range(width)]


@pytest.mark.parametrize("width", [0, -1])
def test_needs_a_width(width: int):
    with pytest.raises(ValueError, match="beam"):
        Beam(width)
