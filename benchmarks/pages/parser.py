"""Dependency parsing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..parser import exponent_note
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, value_in
from .columns import EXPERIMENT, PAIRS, PARSING, TREES

CONFIGS = {"ours-order1": "parser_fast.cfg", "ours-order2": "parser_ud.cfg"}
COLUMNS = (
    *TREES,
    *PARSING,
    Column("pruner's recall, %", value_in("pruning", "oracle_recall", 100)),
)


def experiment_sections(data: Mapping[str, Any]) -> list[Section]:
    """A table for each experiment."""
    return [
        Section(
            result["title"],
            page_rows(result["rows"]),
            EXPERIMENT,
            [
                f"On {result['split']}. {result['note']}",
                *(notes.comparison_note(comparison) for comparison in result["comparisons"]),
            ],
        )
        for result in data["experiments"].values()
    ]


def pair_sections(data: Mapping[str, Any]) -> list[Section]:
    """The table of McNemar's tests, if there are any."""
    rows = [{**pair, "label": f"{pair['a']} – {pair['b']}"} for pair in data["comparisons"]]
    if not rows:
        return []
    return [
        Section(
            "Labelled arcs that only one of two parsers has right",
            page_rows(rows),
            PAIRS,
            head="pair",
        )
    ]


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    rows = page_rows(data["systems"], CONFIGS, best="ours-order2")
    explanations = [
        "Parser alone: on Docs that are already tagged. Pruner's recall: the share of gold arcs "
        "that survive pruning. ECE is that of `token._.head_confidence`.",
        "No pruning, and UDPipe's greedy: the same trained model, loaded with another setting.",
        exponent_note(data),
        *notes.steps_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    plots = {
        "parser-speed.png": "LAS against speed",
        "parser-length.png": "Time per word against sentence length, whole pipeline",
        "parser-length-alone.png": "Time per word against sentence length, parser alone",
    }
    if "k_table" in data["experiments"]:
        plots["parser-k.png"] = "Accuracy and training time against k"
    return Part(
        title="Dependency parsing",
        introduction="Trees of the UD English Web Treebank on predicted tags, against spaCy and "
        f"UDPipe 1. Words: {notes.corpus_sizes(data)}. UDPipe trains for hours with its default "
        "settings; `--only ours,spacy` leaves it out. The options `--k-table`, `--learners`, "
        "`--gold-tags` and `--guide` add the last tables.",
        sections=[
            Section("", rows, COLUMNS, explanations),
            *pair_sections(data),
            *experiment_sections(data),
        ],
        plots=plots,
    )
