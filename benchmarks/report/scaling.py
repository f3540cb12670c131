"""The tables of the benchmark `scale`, for its own report and for the page of all results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..measures.scaling.annotation import annotation_rows
from ..measures.scaling.memory import memory_row
from ..measures.scaling.rounds import round_rows
from ..measures.scaling.training import MORE_ROUNDS, curve_rows
from .page import run_text
from .tables import Column, Section

ANNOTATE, MEMORY, TRAINING, ROUNDS = "annotate", "memory", "training", "rounds"
GROUPS = (ANNOTATE, MEMORY, TRAINING, ROUNDS)
MILLION = 10**6


def _per_million(row: Mapping[str, Any]) -> float | None:
    return None if row["cpu"] is None else row["cpu"] / row["words"] * MILLION


ANNOTATE_COLUMNS = (
    Column("words", lambda row: row["words"], "{:,.0f}"),
    Column("wall s", lambda row: row["wall"], "{:,.1f}"),
    Column("words/s", lambda row: row["words"] / row["wall"], "{:,.0f}"),
    Column("speed-up", lambda row: row["speed_up"]),
    Column("start of Ray, s", lambda row: row["start"], "{:.1f}"),
    Column("loading, s", lambda row: row["load"], "{:.1f}"),
    Column("speed-up without both", lambda row: row["work_speed_up"]),
    Column("CPU s", lambda row: row["cpu"], "{:,.1f}"),
    Column("of these, start of Ray", lambda row: row["start_cpu"], "{:.1f}"),
    Column("CPU s per million words", _per_million, "{:,.1f}"),
)
MEMORY_COLUMNS = (
    Column("words", lambda row: row["words"], "{:,.0f}"),
    Column("MB, loaded", lambda row: row["loaded"], "{:,.0f}"),
    Column("MB, a million words", lambda row: row["first"], "{:,.0f}"),
    Column("MB, all words", lambda row: row["last"], "{:,.0f}"),
    Column("most MB", lambda row: row["most"], "{:,.0f}"),
    Column("growth since the first million, %", lambda row: 100 * row["growth"], "{:+.1f}"),
)
CURVE_COLUMNS = (
    Column("rounds", lambda row: row["n_rounds"], "{:.0f}"),
    Column("best on dev, %", lambda row: 100 * row["best"]),
    Column(
        "standard deviation",
        lambda row: None if row["deviation"] is None else 100 * row["deviation"],
    ),
    Column(
        "difference to serial",
        lambda row: None if row["difference"] is None else 100 * row["difference"],
        "{:+.2f}",
    ),
    Column("round of the best", lambda row: row["at_round"], "{:.1f}"),
    Column("as good as serial from round", lambda row: row["reached"], "{:.0f}"),
)
ROUND_COLUMNS = (
    Column("sentences", lambda row: row["n_examples"], "{:,.0f}"),
    Column("start, s", lambda row: row["start"], "{:.1f}"),
    Column("serial epoch, s", lambda row: row["epoch"]),
    Column("round, s", lambda row: row["round"]),
    Column("round / epoch", lambda row: row["ratio"]),
    Column("mixing, s", lambda row: row["mixing"]),
    Column("mixing, % of the round", lambda row: 100 * row["mixing_share"], "{:.0f}"),
)


def make_sections(data: Mapping[str, Any]) -> list[Section]:
    """The tables of all groups that have been measured.

    data (Mapping[str, Any]): the results.
    RETURNS (list[Section]): the tables.
    """
    sections: list[Section] = []
    for name, make in (
        (ANNOTATE, annotate_sections),
        (MEMORY, memory_sections),
        (TRAINING, training_sections),
        (ROUNDS, round_sections),
    ):
        if name in data["groups"]:
            group = data["groups"][name]
            own = make(group)
            if group["environment"] != data["environment"]:
                notes = [*own[-1].notes, run_text(group["environment"])]
                own[-1] = replace(own[-1], notes=notes)
            sections += own
    return sections


def annotate_sections(group: Mapping[str, Any]) -> list[Section]:
    """The table of annotation."""
    rows = [
        row
        for size in group["sizes"]
        for row in annotation_rows(size["timings"], f"{size['words'] / MILLION:g} million words")
    ]
    turns = ", ".join(
        f"{max(map(len, size['timings'].values()))} for {size['words'] / MILLION:g} million words"
        for size in group["sizes"]
    )
    notes = [
        f"Pipeline: {group['model']}. {group['text']}",
        "Wall time is that of everything: start of Ray, loading, annotation, outputs, end of Ray. "
        "`annotate` writes `.spacy` files, `nlp.pipe` drops its Docs, and with `n_process=2` sends "
        "them from process to process. Speed-up: against one process of the same kind.",
        "CPU seconds are those of all processes, Ray's own included, without its end. Start of "
        "Ray: until it is there, its import included. Loading: from then until the first unit "
        "begins.",
        f"Each measurement is a process of its own. Medians over turns: {turns}.",
    ]
    return [Section("Annotation", rows, ANNOTATE_COLUMNS, notes)]


def memory_sections(group: Mapping[str, Any]) -> list[Section]:
    """The table of memory."""
    rows = [memory_row(result) for result in group["processes"]]
    notes = [
        f"Pipeline: {group['model']}. {group['text']} Resident memory of one process, in MB of a "
        "million bytes, read after every fiftieth of the text."
    ]
    return [Section("Memory over words", rows, MEMORY_COLUMNS, notes, head="process")]


def training_sections(group: Mapping[str, Any]) -> list[Section]:
    """A table of the accuracy of each component."""
    sections = []
    for system in group["systems"]:
        seeds = len(next(iter(system["curves"].values())))
        notes = [
            f"{system['corpus']}, `{system['metric']}` on dev; means over {seeds} seed"
            f"{'s' if seeds > 1 else ''}. {system['note']} Serial training: "
            f"{system['n_epochs']} epochs; shards: at most {MORE_ROUNDS:g} times as many rounds. "
            "Serial training is evaluated when it is one batch into the next epoch. As good as "
            "serial: the mean score is at least the best mean score of serial "
            "training.",
            "Shards were trained one after the other in one process, which gives the same weights "
            "as workers on Ray.",
        ]
        title = f"Training on shards: {system['label']}"
        sections.append(
            Section(title, curve_rows(system["curves"]), CURVE_COLUMNS, notes, head="training")
        )
    return sections


def round_sections(group: Mapping[str, Any]) -> list[Section]:
    """The table of times."""
    rows = [row for result in group["timings"] for row in round_rows(result)]
    notes = [
        "Wall time of a round on Ray, a worker a core, against that of an epoch of serial "
        "training, both without evaluation and saving; means over the first rounds and epochs. "
        "Mixing is what a round has beside the batches of the slowest worker: weights are read, "
        "cut, sent, mixed and taken over. Start: Ray, and workers that read their shards.",
        "Raw text is tagged by the tagger of the treebank. Where there is not enough, it is "
        "repeated with rare words varied.",
    ]
    return [Section("Time of a round", rows, ROUND_COLUMNS, notes, head="training")]
