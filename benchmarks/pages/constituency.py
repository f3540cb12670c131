"""Constituency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..comparisons.phrases import (
    LENGTHS,
    PAIR_COLUMNS,
    length_columns,
    length_rows,
    quoted_note,
)
from ..constituency import curve_note
from ..measures.constituents import SHORT
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, percentage, value_in
from ..systems.own import incremental, left_to_right, reranked_trees
from .columns import MEMORY

COLUMNS = (
    Column("dev F1, %", lambda result: value_in("all", "share", 100)(result["dev"])),
    Column("test F1, %", percentage("all")),
    Column(f"up to {SHORT} words, %", percentage("short"), "{:.1f}"),
    Column("exact trees, %", percentage("exact"), "{:.1f}"),
    Column("parser alone, sentences/CPU s", value_in("speed", "sentences"), "{:,.0f}"),
    Column("training, CPU s", value_in("cost", "cpu"), "{:,.0f}"),
    MEMORY,
)
CONFIGS = {
    incremental.KEY: incremental.SHIPPED.name,
    incremental.FAST_KEY: incremental.SHIPPED_FAST.name,
    reranked_trees.KEY: reranked_trees.SHIPPED.name,
}


def complete_note(data: Mapping[str, Any]) -> list[str]:
    """How often grammars have no tree."""
    missing = [
        f"{result['label']} {100 * result['accuracy']['complete']['share']:.1f} %"
        for result in data["systems"]
        if result["accuracy"]["complete"]["correct"] < result["accuracy"]["complete"]["total"]
    ]
    if not missing:
        return []
    missing += ["all others 100 %"] if len(missing) < len(data["systems"]) else []
    return [
        "Every sentence gets a tree. Sentences whose tree is complete, that is, within the grammar "
        f"of the training text: {'; '.join(missing)}."
    ]


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    explanations = [
        "F1 of labelled brackets as EVALB counts them. Exact trees: sentences with all brackets "
        "right. On 332 sentences, differences below 1.5 points are noise.",
        "Tags are predicted unless the label says otherwise; the parser learns from jackknifed "
        "ones. Speed is that of the parser alone, tagging not counted. The training of the "
        "reranker includes the lists of trees that it learns from, but not its base.",
        "Other beams are those of the same trained model.",
        *complete_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    rows = page_rows(data["systems"], CONFIGS, best=incremental.KEY)
    sections = [Section("", rows, COLUMNS, explanations)]
    if data["quoted"]:
        sections.append(Section("Measured elsewhere", data["quoted"], COLUMNS, (quoted_note(),)))
    sections += left_to_right.paper_tables(data["systems"])
    if data["comparisons"]:
        note = "The paired bootstrap over the sentences of test."
        pairs = page_rows(data["comparisons"])
        sections.append(Section("Differences", pairs, PAIR_COLUMNS, (note,), head="pair"))
    if data["lengths"]:
        note = "CPU microseconds per word of the parser alone."
        lengths = page_rows(length_rows(data))
        sections.append(
            Section("Time per word by sentence length", lengths, length_columns(LENGTHS), (note,))
        )
    plots = {"constituency-speed.png": "F1 against speed"} if data["systems"] else {}
    if data["lengths"]:
        plots["constituency-length.png"] = "Time per word against sentence length"
    if f"{incremental.KEY}-beam{incremental.BEAMS[0]}" in {r["key"] for r in data["systems"]}:
        plots["constituency-beam.png"] = "F1 and speed against beam width"
    if data["curves"]:
        plots["constituency-curves.png"] = curve_note()
    return Part(
        title="Constituency",
        introduction="Phrase structure in a sample of the Wall Street Journal (Penn Treebank): a "
        "chart with a treebank grammar, the models of Collins & Roark (2004), and "
        f"`incremental_parser`. Words: {notes.corpus_sizes(data)}.",
        sections=sections,
        plots=plots,
    )
