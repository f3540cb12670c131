"""Easy-first parsing on UD English EWT by beam width, against mira_parser and spaCy.

Gold tokens, predicted tags. Every beam width is trained for itself. The fast config has no beam,
one tagger and fewer templates.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wasabi import msg

from .comparisons.common import (
    BASE,
    FOOTPRINT_NOTE,
    QUICK,
    Scale,
    choose_systems,
    flagged_trainings,
)
from .comparisons.parsing import (
    PARSER_COLUMNS,
    ParsingRun,
    calibration_note,
    corpus_note,
    parser_speed_note,
    parser_training_note,
    publish_parsing,
    run_parsing,
)
from .experiments.base import Pair, comparison_note
from .experiments.easy_first import EXPERIMENTS, make_experiments
from .measures.beams import SHORT_AND_LONG, add_sentence_speeds, figure_notes, figures
from .options import add_common_arguments, add_training_arguments, option_name
from .plots import systems as plots
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
from .systems.peers.spacy_pipelines import SpacyParserSystem, spacy_parser_system

MIRA = "mira"
GROUPS = (FAMILY, MIRA, BASE)
TARGET = 0.80
BEAMS = (1, 2, 4, 8, 16, 32)
ORDERS = (1, 2)
TIMED_BEAMS = (1, BASE_BEAM)
LENGTHS = (SHORT_AND_LONG[0], 40, 80, 120, 160, SHORT_AND_LONG[1])
FULL = Scale(
    repetitions=7,
    lengths=LENGTHS,
    length_words=8_000,
    length_repetitions=3,
    other_words=25_000,
)
COLUMNS = (
    *PARSER_COLUMNS,
    Column("sentences/s", value_in("speed", "sentences_wall"), "{:,.0f}"),
    Column("sentences/CPU s", value_in("speed", "sentences_cpu"), "{:,.0f}"),
    Column("parser alone, sentences/CPU s", value_in("parser_speed", "sentences_cpu"), "{:,.0f}"),
)


def parse_beams(text: str) -> list[int]:
    """The beam widths of `--beams`, rising."""
    beams = sorted({int(part) for part in text.split(",")})
    if beams[0] < 1:
        raise argparse.ArgumentTypeError(f"beam widths are at least 1, got {text}")
    return beams


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "LAS (spaCy's dep_las)")
    widths = ",".join(map(str, BEAMS))
    parser.add_argument(
        "--beams",
        type=parse_beams,
        default=list(BEAMS),
        metavar=widths,
        help="beam widths to train and compare (default: all of these)",
    )
    for name, what in EXPERIMENTS.items():
        parser.add_argument(option_name(name), action="store_true", help=what)


def make_systems(
    groups: Sequence[str],
    beams: Sequence[int],
    peer: SpacyParserSystem,
    *,
    small: bool = False,
) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names out of GROUPS.
    beams (Sequence[int]): beam widths of the easy-first parser.
    peer (SpacyParserSystem): spaCy's pipeline.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): the systems, easy-first ones first.
    """
    available: list[System] = [
        fast_easy_first_parser(small=small),
        *(easy_first_parser(beam, small=small) for beam in beams),
        *(replace(mira_system(order, small=small), family=MIRA) for order in ORDERS),
        peer,
    ]
    return choose_systems(available, groups, GROUPS)


def length_keys(systems: Sequence[System]) -> list[str]:
    """The systems to time by sentence length: easy-first greedy and as shipped, mira_parser."""
    wanted = {FAST_KEY, *(beam_key(beam) for beam in TIMED_BEAMS)}
    return [s.key for s in systems if s.key in wanted or s.group == MIRA]


def make_pairs(systems: Sequence[System]) -> list[Pair]:
    """The shipped beam width with the greedy parser and with all other parsers."""
    keys = [system.key for system in systems]
    ours = beam_key(BASE_BEAM)
    if ours not in keys:
        return []
    peers = [s.key for s in systems if s.group != FAMILY]
    peers += [beam_key(1)] if beam_key(1) in keys else []
    return [Pair(ours, peer, labelled=True) for peer in peers]


def notes(data: Mapping[str, Any], target: float) -> list[str]:
    """What the columns mean, and the figures."""
    return [
        corpus_note(data),
        parser_speed_note(data),
        f"{parser_training_note(target)} Only of easy_first_parser with a beam of {BASE_BEAM} and "
        "of the fast config, though: the other widths learn from the same jackknifed tags as the "
        "first, and their time is without them. Every width is trained for itself.",
        FOOTPRINT_NOTE,
        calibration_note(),
        *figure_notes(data),
        *(comparison_note(comparison) for comparison in data["comparisons"]),
        *flagged_trainings(data["systems"]),
    ]


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    systems, name = data["systems"], data["corpus"]["name"]
    path = directory / "easy_first-speed.png"
    plots.accuracy_against_speed(systems, name, path, part="las", title="LAS")
    for curves, what, title in (
        ("lengths", "length", ""),
        ("parser_lengths", "length-alone", ", parser alone"),
    ):
        if data[curves]:
            path = directory / f"easy_first-{what}.png"
            plots.time_against_length(data[curves], systems, path, title=title)
    prefix = beam_key(0).removesuffix("0")
    beams = {
        int(s["key"].removeprefix(prefix)): s
        for s in systems
        if s["group"] == FAMILY and s["key"] != FAST_KEY
    }
    if len(beams) > 1:
        plots.effect_of_beam(
            beams,
            directory / "easy_first-beam.png",
            parts={"uas": "UAS on test, %", "las": "LAS on test, %"},
            speed=("sentences_cpu", "Sentences per CPU second"),
        )


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = Scale(**{**QUICK, "lengths": LENGTHS}) if args.quick else FULL
    scale = scale.limit_spacy(args.max_steps_spacy)
    peer = spacy_parser_system(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy)
    systems = make_systems(args.only, args.beams, peer, small=args.quick)
    experiments = [e for e in make_experiments(small=args.quick).values() if getattr(args, e.name)]
    options = [option_name(experiment.name) for experiment in experiments]
    if args.beams != list(BEAMS):
        options += ["--beams", ",".join(map(str, args.beams))]
    how = ParsingRun(
        "easy_first",
        GROUPS,
        scale,
        systems,
        experiments,
        make_pairs(systems),
        options=options,
        length_keys=length_keys(systems),
    )
    data = run_parsing(how, args)
    if data is None:
        return
    add_sentence_speeds(data)
    data["figures"] = figures(data)
    output = publish_parsing(data, args, COLUMNS, notes(data, args.target))
    draw(data, output)
    msg.good(f"results in {output}")
