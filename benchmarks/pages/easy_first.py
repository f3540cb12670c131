"""Easy-first parsing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..easy_first import figure_notes
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Section, value_in
from .columns import PARSING, TREES
from .parser import CONFIGS as MIRA_CONFIGS
from .parser import experiment_sections, pair_sections

CONFIGS = {
    "easy-first-fast": "easy_first_fast.cfg",
    "easy-first-beam8": "easy_first.cfg",
    **MIRA_CONFIGS,
}
COLUMNS = (
    *TREES,
    Column("sentences/CPU s", value_in("speed", "sentences_cpu"), "{:,.0f}"),
    *PARSING,
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    rows = page_rows(data["systems"], CONFIGS, best="easy-first-beam8")
    explanations = [
        "Every beam width is trained separately. Widths other than 8 learn from the tags that were "
        "jackknifed for 8, and their training times leave jackknifing out.",
        "Taggers predict fine tags, coarse tags and morphology; those of `easy_first_fast.cfg` and "
        "`parser_fast.cfg` fine tags only.",
        *figure_notes(data),
        *notes.steps_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    return Part(
        title="Easy-first parsing by beam width",
        introduction="The same treebank and conditions as above, in another run. The option "
        "`--stacked` adds the last table.",
        sections=[
            Section("", rows, COLUMNS, explanations),
            *pair_sections(data),
            *experiment_sections(data),
        ],
        plots={
            "easy_first-speed.png": "LAS against speed",
            "easy_first-beam.png": "Accuracy and speed by beam width",
            "easy_first-length.png": "Time per word against sentence length, whole pipeline",
            "easy_first-length-alone.png": "Time per word against sentence length, parser alone",
        },
    )
