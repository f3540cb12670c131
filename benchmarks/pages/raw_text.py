"""From raw text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..raw_text import GOLD_COLUMNS, GOLD_NOTE, MEASURES, MULTIWORD_NOTE, training_note
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, percentage, value_in
from .columns import MEMORY, SIZE, SPEED, SPEED_RATIO, TRAINING

COLUMNS = (
    *(Column(title, percentage(name)) for title, name in MEASURES.items()),
    SPEED,
    SPEED_RATIO,
    Column("× UDPipe", value_in("speed", "ratio_udpipe"), "{:.1f}"),
    TRAINING,
    SIZE,
    MEMORY,
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    rows = page_rows(data["systems"], best="ours")
    explanations = [
        f"Speed is that from text to annotated documents, tokenization included. {MULTIWORD_NOTE}",
        training_note(),
        *notes.steps_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    return Part(
        title="From raw text",
        introduction="Every column of CoNLL-U from the raw text of the UD English Web Treebank, "
        "against spaCy's pipeline and UDPipe 1. Here systems find words and sentences by "
        "themselves. Figures are F-scores in percent, the measures of the CoNLL 2018 shared task, "
        f"on {data['documents']} documents of test. Words: {notes.corpus_sizes(data)}.",
        sections=[
            Section("", rows, COLUMNS, explanations),
            Section("The same systems on gold tokens", rows, GOLD_COLUMNS, [GOLD_NOTE]),
        ],
        plots={"raw_text-speed.png": "LAS from raw text against speed"},
    )
