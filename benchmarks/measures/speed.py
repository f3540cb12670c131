"""The arithmetic of timings: speeds, ratios, and how time grows.

Timings of several systems are taken in turns. Ratios are formed within a turn before their median
is taken, so that a machine that slows down for a while does not favour any of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import linear_regression, median
from typing import Any

from ..processes.race import Timing

CLOCKS = ("wall", "cpu")


def speed(timings: Sequence[Timing], clock: str) -> float:
    """Median words per second by a clock (wall or cpu)."""
    return median(timing["words"] / timing[clock] for timing in timings)


def speed_ratio(timings: Mapping[str, Sequence[Timing]], key: str, base: str, clock: str) -> float:
    """How many times faster one system is than another: the median over the turns."""
    pairs = zip(timings[key], timings[base], strict=True)
    return median(theirs[clock] / ours[clock] for ours, theirs in pairs)


def seconds_per_word(timings: Sequence[Timing], clock: str) -> float:
    """Median seconds per word by a clock."""
    return median(timing[clock] / timing["words"] for timing in timings)


def speed_result(
    timings: Mapping[str, Sequence[Timing]], key: str, base: str | None
) -> dict[str, Any]:
    """Words per second by both clocks and their ratios to the base system's, with all timings."""
    result: dict[str, Any] = {clock: speed(timings[key], clock) for clock in CLOCKS}
    for clock in CLOCKS:
        ratio = speed_ratio(timings, key, base, clock) if base else None
        result[f"ratio_{clock}"] = ratio
    result["timings"] = list(timings[key])
    return result


def fitted_power(points: Iterable[tuple[float, float]]) -> float:
    """The power of x with which y grows: the slope of the least-squares line in logarithms."""
    x, y = zip(*((math.log(x), math.log(y)) for x, y in points), strict=True)
    return linear_regression(x, y).slope


def fitted_exponent(by_length: Mapping[str, Sequence[Timing]], low: int, high: int) -> float:
    """The power of its length with which the CPU time of a sentence grows.

    by_length (Mapping[str, Sequence[Timing]]): timings by sentence length.
    low (int): the least length to fit.
    high (int): the greatest.
    RETURNS (float): the power.
    """
    return fitted_power(
        (int(length), int(length) * seconds_per_word(timings, "cpu"))
        for length, timings in by_length.items()
        if low <= int(length) <= high
    )
