"""Resident memory of a process that annotates more and more text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...processes.probe import process_memory
from ...report.tables import MEBIBYTE, MEGABYTE

MILLION = 10**6
N_POINTS = 50
UNITS, PIPE = "units", "pipe"
LABELS = {UNITS: "units, as workers annotate them", PIPE: "`nlp.pipe` without memory zones"}


def resident() -> float:
    """Resident memory of this process in MB."""
    return process_memory()["resident"] * MEBIBYTE / MEGABYTE


def memory_over_words(how: str, model: str, text: Path, out: Path, n_words: int) -> dict[str, Any]:
    """Annotate a text and read the memory again and again; runs in a child process.

    how (str): as units, one after the other, or by `nlp.pipe`.
    model (str): the pipeline's folder.
    text (Path): the text, a document a line.
    out (Path): a new folder for outputs, which are removed at once.
    n_words (int): about how many words the text has.
    RETURNS (dict[str, Any]): `loaded`, the MB of the process with the pipeline, and `points`: words
        annotated so far and MB.
    """
    import spacy

    nlp = spacy.load(model)
    loaded = resident()
    step = max(n_words // N_POINTS, 1)
    measure = _of_units if how == UNITS else _of_pipe
    return {"key": how, "loaded": loaded, "points": measure(nlp, text, out, step)}


def _of_units(nlp: Any, text: Path, out: Path, step: int) -> list[tuple[int, float]]:
    from spacy_perceptron.scale.plan import make_plan
    from spacy_perceptron.scale.units import annotate_unit

    points: list[tuple[int, float]] = []
    n_words = 0
    for unit in make_plan(text, out, pipeline="", file_format="spacy", unit_words=step):
        report = annotate_unit(nlp, unit.source, unit.target)
        if report.failure or report.n_errors:
            raise RuntimeError(f"{text} could not be annotated: {report.failure}")
        Path(unit.target).unlink()
        n_words += report.n_words
        points.append((n_words, resident()))
    return points


def _of_pipe(nlp: Any, text: Path, out: Path, step: int) -> list[tuple[int, float]]:
    points: list[tuple[int, float]] = []
    n_words = 0
    with text.open(encoding="utf8") as lines:
        for doc in nlp.pipe(line.rstrip("\n") for line in lines):
            n_words += len(doc)
            if n_words >= step * (len(points) + 1):
                points.append((n_words, resident()))
    return points


def memory_row(result: Mapping[str, Any]) -> dict[str, Any]:
    """What the points of a process say.

    result (Mapping[str, Any]): what `memory_over_words` returned.
    RETURNS (dict[str, Any]): a row of a table; `growth` is that from the first million words on, or
        from half of the words on if there are fewer than two million, as a share.
    """
    points: Sequence[Sequence[float]] = result["points"]
    last_words, last = points[-1]
    goal = min(MILLION, last_words / 2)
    first = next(memory for words, memory in points if words >= goal)
    return {
        "label": LABELS[result["key"]],
        "key": result["key"],
        "loaded": result["loaded"],
        "first": first,
        "last": last,
        "most": max(memory for _, memory in points),
        "words": last_words,
        "growth": last / first - 1,
    }
