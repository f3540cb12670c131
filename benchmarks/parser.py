"""Dependency parsing on UD English EWT (gold tokens, predicted tags) against spaCy and UDPipe 1."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .command.options import add_common_arguments, add_training_arguments
from .comparisons import parsing
from .comparisons.comparison import choose_systems
from .experiments.base import Pair
from .experiments.parser import EXPERIMENTS, make_experiments
from .measures.speed import fitted_exponent
from .plots.systems import effect_of_k
from .processes.race import Timing
from .report import notes
from .report.files import Report, publish
from .report.tables import Column, value_in
from .systems.base import System
from .systems.own.mira import mira_system, unpruned_mira
from .systems.peers.spacy_pipelines import SpacySystem
from .systems.peers.udpipe import udpipe_systems

GROUPS = ("ours", "spacy", "udpipe")
PEERS = ("ufal.udpipe",)
LENGTHS = (10, 20, 40, 80, 160, 200)
FITTED = (20, 160)
COLUMNS = (
    *parsing.COLUMNS,
    Column("pruner's recall", value_in("pruning", "oracle_recall"), "{:.4f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, parsing.TARGET, parsing.TARGET_SCORE)
    for name in ("tagger", "parser"):
        what = f"options for training UDPipe's {name}, such as iterations=5"
        parser.add_argument(f"--udpipe-{name}", default="", metavar="OPTIONS", help=what)
    parsing.add_experiment_arguments(parser, EXPERIMENTS)


def make_systems(
    groups: Sequence[str],
    guide: SpacySystem,
    *,
    udpipe: Sequence[str] = ("", ""),
    small: bool = False,
) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names from GROUPS.
    guide (SpacySystem): spaCy's pipeline.
    udpipe (Sequence[str]): options for training UDPipe's tagger and parser.
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


def make_pairs(systems: Sequence[System]) -> list[Pair]:
    """Every trained parser of ours with each peer."""
    ours = [s.key for s in systems if s.group == "ours" and s.home == s.key]
    peers = [s.key for s in systems if s.group != "ours" and s.home == s.key]
    return [Pair(key, peer, labelled=True) for key in ours for peer in peers]


def length_keys(systems: Sequence[System]) -> list[str]:
    """The systems to time by sentence length: UDPipe would take longer than all others together."""
    return [system.key for system in systems if system.group != "udpipe"]


def length_result(curves: Mapping[str, Mapping[str, list[Timing]]]) -> dict[str, float]:
    """The fitted exponent of the time per sentence, by system."""
    return {key: fitted_exponent(by_length, *FITTED) for key, by_length in curves.items()}


def exponent_note(data: Mapping[str, Any]) -> str:
    """How time grows with length, in a sentence."""
    labels = {system["key"]: system["label"] for system in data["systems"]}
    alone, whole = data["exponents"]["parser"], data["exponents"]["pipeline"]
    parts = [f"{value:.2f} for {labels[key]}" for key, value in alone.items()]
    parts += [f"{whole[key]:.2f} for {labels[key]} (pipeline)" for key in whole if key not in alone]
    low, high = FITTED
    return (
        f"The power of its length with which the time per sentence grows, fitted from {low} to "
        f"{high} words (of the parser alone, where it can be timed alone): {'; '.join(parts)}."
    )


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    explanations = [
        parsing.corpus_note(data),
        parsing.speed_note(data),
        f"{parsing.training_note(data)} No pruning, and UDPipe's greedy: the same trained model, "
        "loaded with another setting.",
        notes.FOOTPRINT_NOTE,
        f"{parsing.calibration_note()} Pruner's recall: the share of the gold arcs of test that "
        "survive pruning.",
        exponent_note(data),
        *(notes.comparison_note(comparison) for comparison in data["comparisons"]),
        *notes.flagged_trainings(data["systems"]),
    ]
    return parsing.make_report(data, COLUMNS, explanations)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    parsing.draw(data, directory)
    if "k_table" in data["experiments"]:
        rows = data["experiments"]["k_table"]["rows"]
        by_k = {int(row["key"].rpartition("-k")[2]): row for row in rows}
        effect_of_k(by_k, directory / "parser-k.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = parsing.make_scale(args, LENGTHS)
    guide = parsing.make_peer(args, scale)
    udpipe = {"--udpipe-tagger": args.udpipe_tagger, "--udpipe-parser": args.udpipe_parser}
    systems = make_systems(args.only, guide, udpipe=[*udpipe.values()], small=args.quick)
    how = parsing.ParsingRun(
        "parser",
        GROUPS,
        scale,
        systems,
        PEERS,
        options=[word for option in udpipe.items() if option[1] for word in option],
        experiments=parsing.chosen_experiments(make_experiments(guide, small=args.quick), args),
        pairs=make_pairs(systems),
        length_keys=length_keys(systems),
    )
    data = parsing.run(how, args)
    if data is not None:
        data["exponents"] = {
            "pipeline": length_result(data["lengths"]),
            "parser": length_result(data["parser_lengths"]),
        }
        publish(data, args)
