"""Named entities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, percentage, value_in
from .columns import MEMORY, SIZE, SPEED, SPEED_RATIO, TRAINING

COLUMNS = (
    Column("boundaries: P, %", percentage("boundaries", "precision"), "{:.1f}"),
    Column("R, %", percentage("boundaries", "recall"), "{:.1f}"),
    Column("F1, %", percentage("boundaries")),
    Column("with types: P, %", percentage("typed", "precision"), "{:.1f}"),
    Column("R, %", percentage("typed", "recall"), "{:.1f}"),
    Column("F1, %", percentage("typed")),
    SPEED,
    SPEED_RATIO,
    TRAINING,
    SIZE,
    MEMORY,
)
DIFFERENCES = (
    Column("boundaries F1, points", value_in("boundaries", "delta", 100), "{:+.2f}"),
    Column("p", value_in("boundaries", "p_value"), "{:.4f}"),
    Column("with types F1, points", value_in("typed", "delta", 100), "{:+.2f}"),
    Column("p", value_in("typed", "p_value"), "{:.4f}"),
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    explanations = [
        "P, R and F1 are precision, recall and their harmonic mean over exact spans.",
        *notes.steps_note(data),
        "In five-fold cross-validation on the training text, boundary F1 is within noise of "
        "CRFsuite's; typed F1 is ahead.",
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    rows = page_rows(data["systems"], {"ours-beam4": "ner.cfg"}, best="ours-beam4")
    sections = [Section("", rows, COLUMNS, explanations)]
    if data["comparisons"]:
        sections.append(
            Section("Differences", page_rows(data["comparisons"]), DIFFERENCES, head="pair")
        )
    return Part(
        title="Named entities",
        introduction="People, places and organizations (PER, LOC, ORG) in web text, against spaCy "
        "and CRFsuite. The training text is Universal NER's English EWT and Wikigold without "
        "miscellaneous names; every tenth sentence of the former is dev. The test text is EWT's. "
        f"Words: {notes.corpus_sizes(data)}.",
        sections=sections,
        plots={"ner-speed.png": "F1 of boundaries against speed"},
    )
