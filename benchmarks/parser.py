"""Dependency parsing on UD English EWT (gold tokens, predicted tags) against spaCy and UDPipe 1."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wasabi import msg

from .comparisons.common import FOOTPRINT_NOTE, QUICK, Scale, choose_systems, flagged_trainings
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
from .experiments.base import Experiment, Pair, comparison_note, make_experiments
from .options import add_common_arguments, add_training_arguments, option_name
from .plots import systems as plots
from .processes.stages import Timing, fitted_exponent
from .report.tables import Column, value_in
from .systems.base import System
from .systems.own.mira import mira_system, unpruned_mira
from .systems.peers.spacy_pipelines import SpacyParserSystem, spacy_parser_system
from .systems.peers.udpipe import udpipe_systems

GROUPS = ("ours", "spacy", "udpipe")
PEERS = ("ufal.udpipe",)
TARGET = 0.80
LENGTHS = (10, 20, 40, 80, 160, 200)
FITTED = (20, 160)
FULL = Scale(
    repetitions=7,
    lengths=LENGTHS,
    length_words=8_000,
    length_repetitions=3,
    other_words=25_000,
)
EXPERIMENTS = {
    "k_table": "train with each number of best trees; accuracy on dev",
    "learners": "train with the averaged perceptron too",
    "gold_tags": "train and test on gold tags too",
    "guide": "train with spaCy's parser as guide too",
}

COLUMNS = (
    *PARSER_COLUMNS,
    Column("pruner's recall", value_in("pruning", "oracle_recall"), "{:.4f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "LAS (spaCy's dep_las)")
    for name in ("tagger", "parser"):
        what = f"options in the training of UDPipe's {name}, such as iterations=5"
        parser.add_argument(f"--udpipe-{name}", default="", metavar="OPTIONS", help=what)
    for name, what in EXPERIMENTS.items():
        parser.add_argument(option_name(name), action="store_true", help=what)


def make_systems(
    groups: Sequence[str],
    guide: SpacyParserSystem,
    *,
    udpipe: Sequence[str] = ("", ""),
    small: bool = False,
) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names out of GROUPS.
    guide (SpacyParserSystem): spaCy's pipeline.
    udpipe (Sequence[str]): options in the training of UDPipe's tagger and parser.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): ours first.
    """
    available: list[System] = [
        mira_system(1, small=small),
        unpruned_mira(1, small=small),
        mira_system(2, small=small),
        guide,
        *udpipe_systems(tagger=udpipe[0], parser=udpipe[1], quick=small),
    ]
    return choose_systems(available, groups, GROUPS)


def _pairs(systems: Sequence[System]) -> list[Pair]:
    """Every trained parser of ours with each peer."""
    ours = [s.key for s in systems if s.group == "ours" and s.home == s.key]
    peers = [s.key for s in systems if s.group != "ours" and s.home == s.key]
    return [Pair(key, peer, labelled=True) for key in ours for peer in peers]


def length_keys(systems: Sequence[System]) -> list[str]:
    """The systems to time by sentence length: UDPipe would take longer than all others together."""
    return [system.key for system in systems if system.group != "udpipe"]


def length_result(curves: dict[str, dict[str, list[Timing]]]) -> dict[str, float]:
    """The fitted exponent of the time per sentence, by system."""
    return {key: fitted_exponent(by_length, *FITTED) for key, by_length in curves.items()}


def exponent_note(data: dict[str, Any]) -> str:
    """How time grows with length, in a sentence."""
    labels = {system["key"]: system["label"] for system in data["systems"]}
    alone, whole = data["exponents"]["parser"], data["exponents"]["pipeline"]
    parts = [f"{labels[key]} {value:.2f}" for key, value in alone.items()]
    parts += [f"{labels[key]} (pipeline) {whole[key]:.2f}" for key in whole if key not in alone]
    low, high = FITTED
    return (
        f"Time per sentence grows with its length to the power of, fitted from {low} to {high} "
        f"words: {', '.join(parts)}. The parser alone, where it can be timed alone."
    )


def notes(data: dict[str, Any], target: float) -> list[str]:
    """What the columns mean."""
    return [
        corpus_note(data),
        parser_speed_note(data),
        parser_training_note(target)
        + " Without pruning and greedy: the same trained model, loaded with another setting.",
        FOOTPRINT_NOTE,
        f"{calibration_note()} pruner's recall: share of gold arcs of test left after pruning.",
        exponent_note(data),
        *(comparison_note(comparison) for comparison in data["comparisons"]),
        *flagged_trainings(data["systems"]),
    ]


def draw(data: dict[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    systems, name = data["systems"], data["corpus"]["name"]
    plots.accuracy_against_speed(
        systems, name, directory / "parser-speed.png", part="las", title="LAS"
    )
    for curves, what in (("lengths", "length"), ("parser_lengths", "length-alone")):
        if data[curves]:
            path = directory / f"parser-{what}.png"
            alone = ", parser alone" if curves == "parser_lengths" else ""
            plots.time_against_length(data[curves], systems, path, title=alone)
    if "k_table" in data["experiments"]:
        rows = data["experiments"]["k_table"]["rows"]
        by_k = {int(row["key"].rpartition("-k")[2]): row for row in rows}
        plots.effect_of_k(by_k, directory / "parser-k.png")


def chosen_experiments(
    args: argparse.Namespace, guide: SpacyParserSystem, *, small: bool
) -> list[Experiment]:
    """The experiments that the command line asks for."""
    experiments = make_experiments(guide, small=small)
    return [experiments[name] for name in EXPERIMENTS if getattr(args, name)]


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = Scale(**{**QUICK, "lengths": LENGTHS}) if args.quick else FULL
    scale = scale.limit_spacy(args.max_steps_spacy)
    guide = spacy_parser_system(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy)
    udpipe = {"--udpipe-tagger": args.udpipe_tagger, "--udpipe-parser": args.udpipe_parser}
    systems = make_systems(args.only, guide, udpipe=[*udpipe.values()], small=args.quick)
    experiments = chosen_experiments(args, guide, small=args.quick)
    options = [option_name(experiment.name) for experiment in experiments]
    options += [word for option in udpipe.items() if option[1] for word in option]
    how = ParsingRun(
        "parser",
        GROUPS,
        scale,
        systems,
        experiments,
        _pairs(systems),
        PEERS,
        options,
        length_keys=length_keys(systems),
    )
    data = run_parsing(how, args)
    if data is None:
        return
    data["exponents"] = {
        "pipeline": length_result(data["lengths"]),
        "parser": length_result(data["parser_lengths"]),
    }
    output = publish_parsing(data, args, COLUMNS, notes(data, args.target))
    draw(data, output)
    msg.good(f"results in {output}")
