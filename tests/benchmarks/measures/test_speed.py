"""Speeds, ratios and growth."""

from __future__ import annotations

import pytest

from benchmarks.measures.growth import growth_exponent
from benchmarks.measures.speed import fitted_exponent, speed, speed_ratio


def test_speed_ratio_is_formed_within_a_turn() -> None:
    # The machine is ten times slower in the second turn; the ratios are 2, 2 and 4.
    timings = {
        "a": [{"cpu": seconds, "words": 100.0} for seconds in (1.0, 10.0, 1.0)],
        "b": [{"cpu": seconds, "words": 100.0} for seconds in (2.0, 20.0, 4.0)],
    }
    assert speed_ratio(timings, "a", "b", "cpu") == 2.0
    assert speed_ratio(timings, "b", "a", "cpu") == 0.5
    assert speed(timings["a"], "cpu") == 100.0


@pytest.mark.parametrize("power", [1.0, 2.5])
def test_exponent_is_that_of_the_time_per_sentence(power: float) -> None:
    timings = {
        str(length): [{"cpu": length**power * 100 / length, "words": 100.0}]
        for length in (20, 40, 160)
    }
    # Outside the fitted range, and not on the line.
    timings["10"] = timings["200"] = [{"cpu": 1.0, "words": 100.0}]
    assert fitted_exponent(timings, 20, 160) == pytest.approx(power)


def test_growth_exponent():
    rows = [{"n_sentences": n, "cpu": 0.1 * n**1.5} for n in (10, 20, 40)]
    assert growth_exponent(rows) == pytest.approx(1.5)
    assert growth_exponent(rows[:1]) is None
