"""Word clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..clusters import (
    SUMMARY_COLUMNS,
    clusters_note,
    growth_section,
    seed_note,
    summary_rows,
    together_note,
)
from ..report import notes
from ..report.page import Part, page_label, page_rows
from ..report.tables import Column, Section, percentage
from .columns import MEMORY, SIZE, SPEED, SPEED_RATIO, TRAINING

COST = (SPEED, SPEED_RATIO, TRAINING, SIZE, MEMORY)


def task_table(task: Mapping[str, Any]) -> Section:
    """The table of a task."""
    measured = (Column(f"{title}, %", percentage(name)) for name, title in task["measures"].items())
    explanations = [
        clusters_note(task),
        *seed_note(task),
        *together_note(task),
        *notes.flagged_trainings(task["systems"]),
    ]
    title = page_label(task["title"])
    return Section(title, page_rows(task["systems"]), (*measured, *COST), explanations)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    explanations = [
        "Means over seeds where there are several; p is of the first one, by McNemar's test for "
        "tags and labelled arcs, by the paired bootstrap over sentences for F1. Speed is that with "
        "clusters as a share of that without.",
        "spaCy has its usual config with static vectors added to its embedding.",
        *notes.remarks(data),
    ]
    summary = Section("", summary_rows(data), SUMMARY_COLUMNS, explanations, head="task")
    sections = [summary, *(task_table(task) for task in data["tasks"].values())]
    if data["growth"]:
        sections.append(growth_section(data))
    return Part(
        title="Word clusters",
        introduction="[Word clusters](clusters.md) and vectors know words that are not in the "
        "treebanks. These figures rest on such outside text and do not compare with those of other "
        "parts.",
        sections=sections,
        plots={},
    )
