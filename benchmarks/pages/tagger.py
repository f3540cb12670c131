"""Part-of-speech tagging."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, percentage, value_in
from .columns import ECE, MEMORY, SIZE, SPEED, TO_BEST, TRAINING

COLUMNS = (
    Column("accuracy, %", percentage("all")),
    Column("unknown words, %", percentage("unknown"), "{:.1f}"),
    SPEED,
    Column("× spaCy, new text", value_in("speed", "ratio_cpu"), "{:.1f}"),
    Column("× spaCy, seen text", value_in("repeated_speed", "ratio_cpu"), "{:.1f}"),
    TRAINING,
    TO_BEST,
    SIZE,
    MEMORY,
    ECE,
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    systems = [
        {**system, "label": system["label"].replace("easy-first", "easy_first_tagger")}
        for system in data["systems"]
    ]
    rows = page_rows(systems, {"ours-beam3": "tagger.cfg"}, best="ours-beam3")
    explanations = [
        "Unknown words are those whose form does not occur in the training text.",
        "New text: the process meets it for the first time, after "
        f"{data['scale']['other_words']:,} other words. Seen text: the process has just tagged it; "
        "our tagger caches the scores of words and contexts.",
        "To best: until the best checkpoint on dev.",
        "ECE is that of `token._.tag_confidence`.",
        *notes.steps_note(data),
        *notes.flagged_trainings(systems),
        *notes.remarks(data),
    ]
    return Part(
        title="Part-of-speech tagging",
        introduction="Fine-grained tags (XPOS) of the UD English Web Treebank against spaCy, NLTK "
        f"and CRFsuite. Words: {notes.corpus_sizes(data)}.",
        sections=[Section("", rows, COLUMNS, explanations)],
        plots={
            "tagger-speed.png": "Accuracy against speed",
            "tagger-beam.png": "Accuracy and speed by beam width",
            "tagger-length.png": "Time per word against sentence length",
        },
    )
