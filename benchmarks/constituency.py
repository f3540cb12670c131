"""Phrase structure on a sample of the Wall Street Journal, by a chart and from left to right.

The tables of Collins & Roark (2004) once more, the shipped parser by beam width and with a
reranker, and other parsers by figures that were measured elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from .command.options import add_common_arguments, check_groups
from .comparisons import phrases
from .comparisons.comparison import train_and_measure
from .comparisons.phrases import (
    COLUMNS,
    LENGTHS,
    QUOTED_GROUP,
    SMALL,
    PhraseComparison,
    TreeScale,
    accuracy_note,
    length_sections,
    pair_sections,
    quoted_sections,
    speed_note,
)
from .comparisons.quoted import QUOTED
from .corpora.constituents import tree_corpus
from .plots.constituency import learning_curves
from .plots.systems import accuracy_against_speed, effect_of_beam, time_against_length
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import Section
from .systems.base import System
from .systems.own import incremental, left_to_right, reranked_trees
from .systems.own.chart import FAMILY as CHART
from .systems.own.chart import chart_systems, tagger_system

GROUPS = (
    CHART,
    *left_to_right.FAMILIES,
    left_to_right.CURVES,
    incremental.SHIPPED_GROUP,
    incremental.FAST_GROUP,
    incremental.GOLD_GROUP,
    *reranked_trees.FAMILIES,
    QUOTED_GROUP,
)
# Timed by sentence length.
LENGTH_KEYS = (
    incremental.KEY,
    incremental.FAST_KEY,
    *dict.fromkeys(key for pair in left_to_right.PAIRS for key in pair),
)

PAIRS = (
    (incremental.KEY, reranked_trees.KEY),
    (
        left_to_right.system_key(left_to_right.GENERATIVE, left_to_right.PREDICTED),
        reranked_trees.GENERATIVE_KEY,
    ),
    (incremental.FAST_KEY, incremental.KEY),
    *left_to_right.PAIRS,
)


@dataclass(frozen=True)
class TreeComparison(PhraseComparison):
    """What is compared.

    curves (Mapping[str, System]): trained for their learning curves, by the names of these.
    """

    curves: Mapping[str, System] = field(default_factory=dict)

    def train(self, workshop: Workshop) -> None:
        if CHART in self.chosen:
            workshop.train(tagger_system(small=self.small))
        super().train(workshop)
        for system in self.curves.values():
            workshop.train(system)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)


def make_systems(groups: Sequence[str], *, small: bool = False) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names from GROUPS.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): the baseline first.
    """
    systems: list[System] = []
    if CHART in groups:
        systems += chart_systems()
    systems += [s for s in left_to_right.paper_systems(small=small) if s.group in groups]
    if incremental.SHIPPED_GROUP in groups:
        shipped = incremental.shipped_system(small=small)
        systems += [shipped, *incremental.by_beam(shipped)]
    if incremental.FAST_GROUP in groups:
        systems.append(incremental.fast_system(small=small))
    if incremental.GOLD_GROUP in groups:
        systems.append(incremental.gold_tag_system(small=small))
    systems += [
        reranked_trees.reranked_trees(generative=bool(generative), small=small)
        for generative, family in enumerate(reranked_trees.FAMILIES)
        if family in groups
    ]
    return systems


def measure(how: TreeComparison, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns all parts of the results but the header."""
    found = phrases.measure(how, workshop)
    return {
        "systems": found["systems"],
        "quoted": list(QUOTED) if QUOTED_GROUP in how.chosen else [],
        "comparisons": found["comparisons"],
        "lengths": found["lengths"],
        "curves": {
            name: incremental.learning_curve(workshop.train(system))
            for name, system in how.curves.items()
        },
    }


def curve_note() -> str:
    """What the learning curves are."""
    return (
        "F1 on dev after each pass: updates on whole trees, early updates, and early updates with "
        "a cache of hypotheses"
    )


def make_sections(data: Mapping[str, Any]) -> list[Section]:
    """All tables but the first."""
    return [
        *left_to_right.paper_tables(data["systems"]),
        *pair_sections(data),
        *length_sections(data, LENGTHS),
        *quoted_sections(data),
    ]


def main_notes(data: Mapping[str, Any]) -> list[str]:
    """What the columns of the first table mean."""
    return [
        accuracy_note(data),
        speed_note(data),
        "Training includes the tagger, initialization, evaluation on dev, and jackknifing: of the "
        "tags that the shipped parsers learn from, and of the trees that rerankers learn from. The "
        "models of the paper use the tags jackknifed for the shipped parser, and rerankers are "
        "trained behind finished parsers; neither counts them again. Other beams: the same model, "
        "loaded with another setting.",
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]


def make_report(data: Mapping[str, Any]) -> Report:
    """All tables and what their columns mean."""
    return Report(data["systems"], COLUMNS, main_notes(data), make_sections(data))


def beam_results(data: Mapping[str, Any]) -> dict[int, Any]:
    """The results of the shipped model by beam width."""
    rows = {result["key"]: result for result in data["systems"]}
    by_width = {
        beam: rows[f"{incremental.KEY}-beam{beam}"]
        for beam in incremental.BEAMS
        if f"{incremental.KEY}-beam{beam}" in rows
    }
    if by_width:
        own = rows[incremental.KEY]
        by_width[int(own["setting"].split()[1])] = own
    return dict(sorted(by_width.items()))


def short_label(label: str) -> str:
    """What tells a system from others in a plot."""
    prefixes = (f"{left_to_right.NAME}, ", f"{incremental.NAME}, ")
    for prefix in prefixes:
        label = label.removeprefix(prefix)
    return label.removesuffix(" tags").removesuffix(f", {left_to_right.PREDICTED}")


def speed_points(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The systems without gold tags; only those that differ in their beams share a name."""
    return [
        dict(result)
        if result["group"] == incremental.SHIPPED_GROUP
        else {**result, "name": result["label"], "setting": short_label(result["label"])}
        for result in results
        if not result["setting"].endswith("gold tags")
    ]


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    points = speed_points(data["systems"])
    if points:
        path = directory / "constituency-speed.png"
        accuracy_against_speed(points, data["corpus"]["name"], path, title="F1")
    if data["lengths"]:
        path = directory / "constituency-length.png"
        time_against_length(data["lengths"], data["systems"], path, title=", parser alone")
    beams = beam_results(data)
    if len(beams) > 1:
        effect_of_beam(
            beams,
            directory / "constituency-beam.png",
            parts={"all": "F1 on test, %"},
            speed=("sentences", "Sentences per CPU second, parser alone"),
        )
    if data["curves"]:
        learning_curves(data["curves"], directory / "constituency-curves.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    scale = TreeScale(**SMALL) if args.quick else TreeScale()
    how = TreeComparison(
        "constituency",
        GROUPS,
        scale,
        make_systems(args.only, small=args.quick),
        make_corpus=tree_corpus,
        chosen=args.only,
        length_keys=LENGTH_KEYS,
        pairs=PAIRS,
        curves=left_to_right.curve_systems(small=args.quick)
        if left_to_right.CURVES in args.only
        else {},
    )
    data = train_and_measure(how, args, partial(measure, how))
    if data is not None:
        publish(data, args)
