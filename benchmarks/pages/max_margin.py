"""Max-margin parsing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..comparisons.phrases import PAIR_COLUMNS, length_columns, length_rows
from ..max_margin import LENGTHS, cut_note, own_sections
from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Section
from ..systems.own import incremental, max_margin
from .constituency import COLUMNS, complete_note

CONFIGS = {
    max_margin.KEY: max_margin.SHIPPED.name,
    incremental.KEY: incremental.SHIPPED.name,
}


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    explanations = [
        "F1 of labelled brackets as EVALB counts them. Exact trees: sentences with all brackets "
        "right. On 332 sentences, differences below 1.5 points are noise.",
        "exact: without head features, so that the search is exact, given what the pruner leaves. "
        "SMO: the same model, trained towards the optimum of the paper's objective; others are "
        "trained by MIRA. The training of the reranker includes the lists of trees that it learns "
        "from, but not its base.",
        *complete_note(data),
        *notes.flagged_trainings(data["systems"]),
        *notes.remarks(data),
    ]
    rows = page_rows(data["systems"], CONFIGS, best=max_margin.KEY)
    sections = [Section("", rows, COLUMNS, explanations)]
    sections += [
        Section(own.title, page_rows(own.results), own.columns, own.notes, head=own.head)
        for own in own_sections(data)
    ]
    if data["comparisons"]:
        note = "The paired bootstrap over the sentences of test."
        pairs = page_rows(data["comparisons"])
        sections.append(
            Section("Differences of max-margin parsers", pairs, PAIR_COLUMNS, (note,), head="pair")
        )
    if data["lengths"]:
        note = "CPU microseconds per word of the parser alone."
        lengths = page_rows(length_rows(data))
        title = "Time per word of max-margin parsers"
        sections.append(Section(title, lengths, length_columns(LENGTHS), (note, cut_note())))
    plots = {"max_margin-speed.png": "F1 against speed"} if data["systems"] else {}
    if data["lengths"]:
        plots["max_margin-length.png"] = "Time per word against sentence length"
    if data["curves"]:
        plots["max_margin-gap.png"] = "Duality gap and F1 on dev after each pass"
    return Part(
        title="Max-margin parsing",
        introduction="Phrase structure in the same sample of the Wall Street Journal by "
        "`max_margin_parser`, after Taskar et al. (2004), beside `incremental_parser`. Figures of "
        f"other parsers are above. Words: {notes.corpus_sizes(data)}.",
        sections=sections,
        plots=plots,
    )
