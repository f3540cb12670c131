"""Easy-first parsing on UD English EWT by beam width, against mira_parser and spaCy.

Gold tokens, predicted tags. Every beam width is trained separately. The fast config has no beam,
one tagger and fewer templates.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .command.options import add_common_arguments, add_training_arguments
from .comparisons import parsing
from .comparisons.comparison import BASE, choose_systems
from .experiments.base import Pair
from .experiments.easy_first import EXPERIMENTS, make_experiments
from .measures.beams import SHORT_AND_LONG, add_sentence_speeds, figures
from .plots.systems import effect_of_beam
from .report import notes
from .report.files import Report, publish
from .report.tables import Column, value_in
from .systems.base import System
from .systems.own.easy_first import (
    BASE_BEAM,
    FAMILY,
    FAST_KEY,
    beam_key,
    easy_first_parser,
    fast_easy_first_parser,
)
from .systems.own.mira import mira_system
from .systems.peers.spacy_pipelines import SpacySystem

MIRA = "mira"
GROUPS = (FAMILY, MIRA, BASE)
BEAMS = (1, 2, 4, 8, 16, 32)
ORDERS = (1, 2)
TIMED_BEAMS = (1, BASE_BEAM)
LENGTHS = (SHORT_AND_LONG[0], 40, 80, 120, 160, SHORT_AND_LONG[1])
COLUMNS = (
    *parsing.COLUMNS,
    Column("sentences/s", value_in("speed", "sentences_wall"), "{:,.0f}"),
    Column("sentences/CPU s", value_in("speed", "sentences_cpu"), "{:,.0f}"),
    Column("parser alone, sentences/CPU s", value_in("parser_speed", "sentences_cpu"), "{:,.0f}"),
)


def parse_beams(text: str) -> list[int]:
    """The beam widths of `--beams`, in rising order."""
    beams = sorted({int(part) for part in text.split(",")})
    if beams[0] < 1:
        raise argparse.ArgumentTypeError(f"beam widths are at least 1, got {text}")
    return beams


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, parsing.TARGET, parsing.TARGET_SCORE)
    widths = ",".join(map(str, BEAMS))
    parser.add_argument(
        "--beams",
        type=parse_beams,
        default=list(BEAMS),
        metavar=widths,
        help="beam widths to train and compare (default: all of these)",
    )
    parsing.add_experiment_arguments(parser, EXPERIMENTS)


def make_systems(
    groups: Sequence[str],
    beams: Sequence[int],
    peer: SpacySystem,
    *,
    small: bool = False,
) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names from GROUPS.
    beams (Sequence[int]): beam widths of the easy-first parser.
    peer (SpacySystem): spaCy's pipeline.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): the systems, the easy-first ones first.
    """
    available: list[System] = [
        fast_easy_first_parser(small=small),
        *(easy_first_parser(beam, small=small) for beam in beams),
        *(replace(mira_system(order, small=small), family=MIRA) for order in ORDERS),
        peer,
    ]
    return choose_systems(available, groups, GROUPS)


def length_keys(systems: Sequence[System]) -> list[str]:
    """The systems to time by sentence length: greedy and shipped easy-first ones, mira_parser."""
    wanted = {FAST_KEY, *(beam_key(beam) for beam in TIMED_BEAMS)}
    return [s.key for s in systems if s.key in wanted or s.group == MIRA]


def make_pairs(systems: Sequence[System]) -> list[Pair]:
    """The shipped beam width against the greedy parser and against all other parsers."""
    keys = [system.key for system in systems]
    ours = beam_key(BASE_BEAM)
    if ours not in keys:
        return []
    peers = [s.key for s in systems if s.group != FAMILY]
    peers += [beam_key(1)] if beam_key(1) in keys else []
    return [Pair(ours, peer, labelled=True) for peer in peers]


def figure_notes(data: Mapping[str, Any]) -> list[str]:
    """What a beam and long sentences cost, in words."""
    made = data["figures"]
    remarks = []
    if made["beam"]:
        gain, cost = made["beam"]["gain"], made["beam"]["cost"]
        remarks.append(
            f"A beam of {BASE_BEAM} against none: UAS {gain['uas']:+.2f}, LAS {gain['las']:+.2f}; "
            f"{cost['pipeline']:.2f} times the CPU time for the whole pipeline, "
            f"{cost['parser']:.2f} times for the parser alone (median ratio within a turn)."
        )
    alone, whole = (made["long_over_short"][what] for what in ("parser", "pipeline"))
    if alone:
        labels = {system["key"]: system["label"] for system in data["systems"]}
        short, long = SHORT_AND_LONG
        parts = [f"{alone[k]:.2f} for {labels[k]} (pipeline {whole[k]:.2f})" for k in alone]
        remarks.append(
            f"CPU time per word in sentences of {long} words divided by that in sentences of "
            f"{short}, parser alone: {'; '.join(parts)}."
        )
    return remarks


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    explanations = [
        parsing.corpus_note(data),
        parsing.speed_note(data),
        f"{parsing.training_note(data)} The times of easy_first_parser with other beams than "
        f"{BASE_BEAM} leave that out: they learn from the tags jackknifed for {BASE_BEAM}.",
        notes.FOOTPRINT_NOTE,
        parsing.calibration_note(),
        *figure_notes(data),
        *(notes.comparison_note(comparison) for comparison in data["comparisons"]),
        *notes.flagged_trainings(data["systems"]),
    ]
    return parsing.make_report(data, COLUMNS, explanations)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    parsing.draw(data, directory)
    prefix = beam_key(0).removesuffix("0")
    beams = {
        int(s["key"].removeprefix(prefix)): s
        for s in data["systems"]
        if s["group"] == FAMILY and s["key"] != FAST_KEY
    }
    if len(beams) > 1:
        effect_of_beam(
            beams,
            directory / "easy_first-beam.png",
            parts={"uas": "UAS on test, %", "las": "LAS on test, %"},
            speed=("sentences_cpu", "Sentences per CPU second"),
        )


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = parsing.make_scale(args, LENGTHS)
    systems = make_systems(args.only, args.beams, parsing.make_peer(args, scale), small=args.quick)
    beams = ",".join(map(str, args.beams))
    how = parsing.ParsingRun(
        "easy_first",
        GROUPS,
        scale,
        systems,
        options=["--beams", beams] if args.beams != list(BEAMS) else [],
        experiments=parsing.chosen_experiments(make_experiments(small=args.quick), args),
        pairs=make_pairs(systems),
        length_keys=length_keys(systems),
    )
    data = parsing.run(how, args)
    if data is not None:
        add_sentence_speeds(data)
        data["figures"] = figures(data)
        publish(data, args)
