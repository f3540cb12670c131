"""The figures of the easy-first benchmark: what a beam gains and costs, what length costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..processes.stages import seconds_per_word, speed_ratio
from ..systems.own.easy_first import BASE_BEAM, beam_key
from .common import CLOCKS

# Time per word of sentences of the second length is set against those of the first.
SHORT_AND_LONG = (20, 200)
# The parts of a result with timings on test, and the results with timings by length.
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
    """CPU time per word of long sentences over that of short ones, by system.

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


def figure_notes(data: Mapping[str, Any]) -> list[str]:
    """The figures in sentences."""
    made = data["figures"]
    remarks = []
    if made["beam"]:
        gain, cost = made["beam"]["gain"], made["beam"]["cost"]
        remarks.append(
            f"From a beam of 1 to one of {BASE_BEAM}: UAS {gain['uas']:+.2f}, LAS "
            f"{gain['las']:+.2f}; CPU time × {cost['pipeline']:.2f} for the whole pipeline, × "
            f"{cost['parser']:.2f} for the parser alone (median ratio within a turn)."
        )
    alone, whole = (made["long_over_short"][what] for what in ("parser", "pipeline"))
    if alone:
        labels = {system["key"]: system["label"] for system in data["systems"]}
        short, long = SHORT_AND_LONG
        parts = [f"{labels[k]} {alone[k]:.2f} (pipeline {whole[k]:.2f})" for k in alone]
        remarks.append(
            f"CPU time per word in sentences of {long} words over that in sentences of {short}, "
            f"parser alone: {', '.join(parts)}."
        )
    return remarks
