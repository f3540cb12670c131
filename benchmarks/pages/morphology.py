"""Coarse tags and morphology."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..morphology import accuracy_note
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, percentage
from .columns import MEMORY, SIZE, SPEED, SPEED_RATIO, TRAINING

COLUMNS = (
    Column("coarse tags, %", percentage("pos")),
    Column("morphology, %", percentage("morph")),
    Column("both, %", percentage("both")),
    SPEED,
    SPEED_RATIO,
    TRAINING,
    SIZE,
    MEMORY,
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    rows = page_rows(data["systems"], best="ours")
    explanations = [
        accuracy_note(data),
        *notes.steps_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    return Part(
        title="Morphology",
        introduction="Coarse tags (UPOS) and features of Czech, a language rich in forms, against "
        "spaCy's morphologizer, on a small treebank.",
        sections=[Section("", rows, COLUMNS, explanations)],
        plots={"morphology-speed.png": "Accuracy of morphology against speed"},
    )
