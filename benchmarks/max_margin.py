"""Max-margin parsing of phrases on a sample of the Wall Street Journal.

The shipped parser, the exact one and its two learners beside `incremental_parser`; what pruning
loses, how well confidences are calibrated, and how time grows with the length of sentences. Other
parsers are there by figures that were measured elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from wasabi import msg

from .command.options import add_common_arguments, check_groups
from .comparisons import phrases
from .comparisons.comparison import train_and_measure
from .comparisons.phrases import (
    COLUMNS,
    QUOTED_GROUP,
    SMALL,
    PhraseComparison,
    TreeScale,
    accuracy_note,
    bin_name,
    length_sections,
    pair_sections,
    quoted_sections,
    speed_note,
)
from .comparisons.quoted import QUOTED
from .corpora.constituents import tree_corpus
from .corpora.sentences import Sentence
from .measures.calibration import confidence_calibration
from .measures.pruning import phrase_pruning
from .plots.max_margin import gap_and_score
from .plots.systems import accuracy_against_speed, time_against_length
from .processes.children import run_in_child
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import Column, Section, used_columns, value_in
from .systems.base import System
from .systems.own import incremental, max_margin
from .systems.own.parser import OwnParser

INCREMENTAL_GROUP = "incremental"
GROUPS = (
    max_margin.SHIPPED_GROUP,
    max_margin.EXACT_GROUP,
    max_margin.SMO_GROUP,
    max_margin.SMALL_C_GROUP,
    max_margin.GOLD_GROUP,
    INCREMENTAL_GROUP,
    max_margin.RERANKED_GROUP,
    QUOTED_GROUP,
)
LENGTHS = (20, 40, 80, 160, 500)
# Real sentences of dev and test that are timed apart; few are longer.
BINS = ((8, 12), (18, 22), (23, 27), (36, 44), (45, 60))
LENGTH_KEYS = (max_margin.KEY, max_margin.EXACT_KEY, incremental.KEY)
PAIRS = (
    (max_margin.EXACT_KEY, max_margin.KEY),
    (max_margin.SMO_KEY, max_margin.EXACT_KEY),
    (max_margin.SMALL_C_KEY, max_margin.EXACT_KEY),
    (incremental.KEY, max_margin.KEY),
    (max_margin.EXACT_KEY, max_margin.RERANKED_KEY),
)
# Whose pruning is measured: all learners and features have the same pruner.
PRUNED_KEYS = (max_margin.KEY, max_margin.EXACT_KEY, max_margin.GOLD_KEY)
CALIBRATED_KEYS = (max_margin.KEY, max_margin.EXACT_KEY)
# The trainings whose curves are drawn.
CURVES = {
    max_margin.EXACT_KEY: "MIRA",
    max_margin.SMO_KEY: "SMO",
    max_margin.SMALL_C_KEY: f"SMO, C {max_margin.SMALL_C:g}",
}
PRUNING_COLUMNS = (
    Column("gold phrases lost, %", lambda result: 100 * (1 - result["pruning"]["oracle_recall"])),
    Column("oracle F1", lambda result: 100 * result["pruning"]["oracle"]["share"]),
)
CALIBRATION_COLUMNS = (
    Column("ECE as trained", value_in("calibration", "as_trained"), "{:.4f}"),
    Column("ECE", value_in("calibration", "calibrated"), "{:.4f}"),
)


@dataclass(frozen=True)
class MarginScale(TreeScale):
    """How much a run trains and measures: see `Scale`."""

    lengths: tuple[int, ...] = LENGTHS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)


def make_systems(groups: Sequence[str], *, small: bool = False) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names from GROUPS.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): the shipped one first.
    """
    systems: list[System] = [
        max_margin.shipped_system(small=small),
        max_margin.exact_system(small=small),
        max_margin.smo_system(small=small),
        max_margin.small_c_system(small=small),
        *max_margin.gold_tag_systems(small=small),
        replace(incremental.shipped_system(small=small), family=INCREMENTAL_GROUP),
        max_margin.reranked_system(small=small),
    ]
    return [system for system in systems if system.group in groups]


def own_result(system: System, workshop: Workshop, test: Sequence[Sentence]) -> dict[str, Any]:
    """What is measured of some systems only: pruning and calibration."""
    result: dict[str, Any] = {"pruning": None, "calibration": None}
    directory, corpus = workshop.directory(system), workshop.corpus
    if not isinstance(system, OwnParser):
        return result
    if system.key in PRUNED_KEYS:
        msg.text(f"{system.label}: pruning ...")
        result["pruning"] = run_in_child(phrase_pruning, system, directory, corpus, "test")
    if system.key in CALIBRATED_KEYS:
        msg.text(f"{system.label}: calibration ...")
        args = (system.model_path(directory), corpus.path("dev"), test, "phrase")
        result["calibration"] = run_in_child(confidence_calibration, *args)
    return result


def measure(how: PhraseComparison, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns all parts of the results but the header."""
    found = phrases.measure(how, workshop)
    test = workshop.corpus.sentences("test")
    for system, result in zip(how.systems, found["systems"], strict=True):
        result.update(own_result(system, workshop, test))
    return {
        **found,
        "quoted": list(QUOTED) if QUOTED_GROUP in how.chosen else [],
        "curves": {
            CURVES[system.key]: max_margin.margin_curve(workshop.train(system))
            for system in how.systems
            if system.key in CURVES
        },
    }


def curve_rows(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """A row per pass: what each training has reached by then, by its name."""
    rows: dict[int, dict[str, Any]] = {}
    for name, points in curves.items():
        for point in points:
            epoch = point["epoch"]
            rows.setdefault(epoch, {"label": str(epoch)})[name] = point
    return [rows[epoch] for epoch in sorted(rows)]


def curve_columns(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Column]:
    """F1 on dev and the duality gap, where there is one, of each training."""
    rows = curve_rows(curves)
    columns = [Column(f"{name}: dev F1", value_in(name, "score", 100)) for name in curves]
    columns += [Column(f"{name}: gap, %", value_in(name, "gap", 100)) for name in curves]
    return used_columns(rows, columns)


def rows_with(data: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    """The systems of which a part of the results was measured."""
    return [result for result in data["systems"] if result.get(part)]


def own_sections(data: Mapping[str, Any]) -> list[Section]:
    """The tables that other parsers have not, as far as there is something in them."""
    sections = [
        Section(
            "Duality gap and F1 by pass",
            curve_rows(data["curves"]),
            curve_columns(data["curves"]),
            (gap_note(),),
            head="pass",
        ),
        Section(
            "Sentences per CPU second by length",
            rows_with(data, "real_lengths"),
            bin_columns(data["systems"]),
            (bin_note(),),
        ),
        Section("Pruning", rows_with(data, "pruning"), PRUNING_COLUMNS, (pruning_note(),)),
        Section("Calibration", rows_with(data, "calibration"), CALIBRATION_COLUMNS, (ece_note(),)),
    ]
    return [section for section in sections if section.results]


def bin_columns(results: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Sentences per CPU second in each bin that has sentences."""

    def column(name: str) -> Column:
        def value(result: Mapping[str, Any]) -> float | None:
            return value_in(name, "sentences")(result.get("real_lengths") or {})

        return Column(name, value, "{:,.0f}")

    return used_columns(results, [column(bin_name(bounds)) for bounds in BINS])


def bin_note() -> str:
    """What is timed by length."""
    return (
        "Real sentences of dev and test: the parser alone on one thread, pruning included, tagging "
        "not."
    )


def cut_note() -> str:
    """Why the time of sentences that are cut anew is not a matter of length alone."""
    return (
        "For some pieces of text cut anew, the grammar has no tree. The max-margin parser then "
        "gives words other tags and, if that does not help, prunes less and less, which takes many "
        "times as long: these times depend on the number of such pieces, too."
    )


def gap_note() -> str:
    """What the duality gap is."""
    return (
        "The exact parser. Duality gap: by which share of the objective SMO's weights can be away "
        "from the optimum. It is an estimate that counts each sentence as it was when it was last "
        "visited. C is 1 where the name does not say otherwise. The last pass is not shown: it is "
        "evaluated when training is over, and the model of the first table can be its."
    )


def pruning_note() -> str:
    """What the columns on pruning mean."""
    return (
        "On test. Gold phrases lost: those of several words that the pruner does not leave at the "
        "threshold of the config. Oracle F1: that of the gold trees without these."
    )


def ece_note() -> str:
    """What the columns on calibration mean."""
    return (
        "ECE: the expected calibration error of `span._.confidence` on test, as trained and after "
        "calibration on dev."
    )


def main_notes(data: Mapping[str, Any]) -> list[str]:
    """What the columns of the first table mean."""
    return [
        accuracy_note(data),
        "head features: the shipped config. exact: without head features, so that the search is "
        "exact, given what the pruner leaves. Both are trained by MIRA. SMO: the same model as "
        "exact, trained towards the optimum of the paper's objective, without dropout. C: what a "
        "violated margin costs, compared with the size of the weights; 1 in the config.",
        speed_note(data),
        "Training includes the tagger, jackknifing of the tags that the parser learns from, the "
        "pruner, and evaluation on dev: every 100 steps with head features and about once a pass "
        "without. The reranker is trained behind the finished exact parser, which does not count "
        "again, on jackknifed lists of trees, which do.",
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]


def make_report(data: Mapping[str, Any]) -> Report:
    """All tables and what their columns mean."""
    sections = [
        *own_sections(data),
        *pair_sections(data),
        *length_sections(data, LENGTHS, (cut_note(),)),
        *quoted_sections(data),
    ]
    return Report(data["systems"], COLUMNS, main_notes(data), sections)


def speed_points(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The systems without gold tags, none of which share a name."""
    return [
        {**result, "name": result["label"]}
        for result in results
        if result["group"] != max_margin.GOLD_GROUP
    ]


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    points = speed_points(data["systems"])
    if points:
        path = directory / "max_margin-speed.png"
        accuracy_against_speed(points, data["corpus"]["name"], path, title="F1")
    if data["lengths"]:
        path = directory / "max_margin-length.png"
        time_against_length(data["lengths"], data["systems"], path, title=", parser alone")
    if data["curves"]:
        gap_and_score(data["curves"], directory / "max_margin-gap.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    how = PhraseComparison(
        "max_margin",
        GROUPS,
        MarginScale(**SMALL) if args.quick else MarginScale(),
        make_systems(args.only, small=args.quick),
        make_corpus=tree_corpus,
        chosen=args.only,
        length_keys=LENGTH_KEYS,
        pairs=PAIRS,
        bins=BINS,
    )
    data = train_and_measure(how, args, partial(measure, how))
    if data is not None:
        publish(data, args)
