"""Many words and many workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..report import notes
from ..report.page import Part, page_label, page_rows
from ..report.scaling import GROUPS, MEMORY, ROUNDS, TRAINING, make_sections

PLOTS = {
    MEMORY: {"scale-memory.png": "Resident memory against words annotated"},
    TRAINING: {"scale-training.png": "Accuracy on dev by round, for training on shards"},
    ROUNDS: {"scale-rounds.png": "Time of a round against an epoch, by corpus size"},
}


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    sections = [
        replace(section, title=page_label(section.title), results=page_rows(section.results))
        for section in make_sections(data)
    ]
    sections[-1] = replace(sections[-1], notes=[*sections[-1].notes, *notes.remarks(data)])
    measured = [name for name in GROUPS if name in data["groups"]]
    return Part(
        title="Many words and many workers",
        introduction="[Annotation and training by several workers](scaling.md), and the memory of "
        "a process that goes on and on. Here, wall time is what counts.",
        sections=sections,
        plots={file: caption for name in measured for file, caption in PLOTS.get(name, {}).items()},
    )
