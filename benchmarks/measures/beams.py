"""What a beam gains and costs, and what the length of sentences costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..systems.own.easy_first import BASE_BEAM, beam_key
from .speed import CLOCKS, seconds_per_word, speed_ratio

# The time per word in sentences of the second length is compared with that in the first.
SHORT_AND_LONG = (20, 200)
# The parts of a system's result that have timings on test, and those of the data by length.
SPEEDS = {"pipeline": "speed", "parser": "parser_speed"}
CURVES = {"pipeline": "lengths", "parser": "parser_lengths"}


def add_sentence_speeds(data: dict[str, Any]) -> None:
    """Add sentences per second to the speeds of all systems, in place.

    data (dict[str, Any]): the results; the accuracy has the numbers of words and sentences.
    """
    for system in data["systems"]:
        counts = system["accuracy"]
        per_word = counts["exact"]["total"] / counts["uas"]["total"]
        for speed in (system[part] for part in SPEEDS.values() if system[part]):
            speed.update({f"sentences_{clock}": speed[clock] * per_word for clock in CLOCKS})


def beam_figures(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the shipped beam width gains and costs over no beam.

    data (Mapping[str, Any]): the results.
    RETURNS (dict[str, Any] | None): gains in percentage points, and the median ratio of CPU times
        within a turn; None unless both widths take part.
    """
    systems = {system["key"]: system for system in data["systems"]}
    greedy, beam = (systems.get(beam_key(width)) for width in (1, BASE_BEAM))
    if greedy is None or beam is None:
        return None
    return {
        "beams": [1, BASE_BEAM],
        "gain": {
            name: 100 * (beam["accuracy"][name]["share"] - greedy["accuracy"][name]["share"])
            for name in ("uas", "las")
        },
        "cost": {
            what: speed_ratio(
                {"greedy": greedy[part]["timings"], "beam": beam[part]["timings"]},
                "greedy",
                "beam",
                "cpu",
            )
            for what, part in SPEEDS.items()
        },
    }


def length_figures(data: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """CPU time per word in long sentences divided by that in short ones, by system.

    data (Mapping[str, Any]): the results.
    RETURNS (dict[str, dict[str, float]]): the ratios of the whole pipeline and the parser alone.
    """
    short, long = map(str, SHORT_AND_LONG)
    return {
        what: {
            key: seconds_per_word(by_length[long], "cpu")
            / seconds_per_word(by_length[short], "cpu")
            for key, by_length in data[part].items()
        }
        for what, part in CURVES.items()
    }


def figures(data: Mapping[str, Any]) -> dict[str, Any]:
    """All figures as plain data."""
    return {"beam": beam_figures(data), "long_over_short": length_figures(data)}
