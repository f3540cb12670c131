"""Tables and files of a benchmark's results.

Results are plain data: one dictionary per system, with the parts `speed`, `training`, `load`,
`memory` and `size` in every benchmark. A column turns such a dictionary into a cell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wasabi import table

MISSING = "–"
MEGABYTE = 1 << 20
Result = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of the table.

    title (str): its heading.
    value (Callable): the number in it for a system, or None.
    form (str): how the number is formatted.
    """

    title: str
    value: Callable[[Result], float | None]
    form: str = "{:.2f}"

    def cell(self, result: Result) -> str:
        """The text of the column for one system."""
        value = self.value(result)
        return MISSING if value is None else self.form.format(value)


@dataclass(frozen=True)
class Section:
    """A further table of a report.

    title (str): its heading.
    results (Sequence[Mapping[str, Any]]): what the columns read; each has a `label`.
    columns (Sequence[Column]): its columns.
    notes (Sequence[str]): sentences that explain it.
    """

    title: str
    results: Sequence[Result]
    columns: Sequence[Column]
    notes: Sequence[str] = ()


def percentage(part: str) -> Callable[[Result], float | None]:
    """Percentage of right answers in a part of the accuracy."""

    def value(result: Result) -> float | None:
        share = result["accuracy"][part]["share"]
        return None if share is None else 100 * share

    return value


def value_in(name: str, key: str) -> Callable[[Result], float | None]:
    """Look up a number in a part of the result that may be missing."""
    return lambda result: (result.get(name) or {}).get(key)


def _checkpoint_time(name: str) -> Callable[[Result], float | None]:
    """CPU seconds until a checkpoint that may not have been reached."""
    return lambda result: (result["training"].get(name) or {}).get("cpu")


COMMON_COLUMNS = (
    Column("words/s", lambda result: result["speed"]["wall"], "{:,.0f}"),
    Column("words/CPU s", lambda result: result["speed"]["cpu"], "{:,.0f}"),
    Column("× spaCy", lambda result: result["speed"]["ratio_cpu"], "{:.2f}"),
    Column("training s", value_in("training", "wall"), "{:,.0f}"),
    Column("CPU s", value_in("training", "cpu"), "{:,.0f}"),
    Column("to best, CPU s", _checkpoint_time("best"), "{:,.0f}"),
    Column("to target, CPU s", _checkpoint_time("to_target"), "{:,.0f}"),
    Column("size MB", lambda result: result["size"] / MEGABYTE, "{:.1f}"),
    Column("load s", value_in("load", "wall"), "{:.2f}"),
    Column("peak MB", value_in("memory", "peak"), "{:.0f}"),
    Column("peak above blank", value_in("memory", "peak_above_blank"), "{:.0f}"),
    Column("resident above blank", value_in("memory", "resident_above_blank"), "{:.0f}"),
)


def make_rows(results: Sequence[Result], columns: Sequence[Column]) -> list[list[str]]:
    """The table without its head: a label and a cell per column for every system."""
    return [[result["label"], *(column.cell(result) for column in columns)] for result in results]


def used_columns(results: Sequence[Result], columns: Sequence[Column]) -> list[Column]:
    """The columns in which some system has a value."""
    return [
        column for column in columns if any(column.value(result) is not None for result in results)
    ]


def console_table(results: Sequence[Result], columns: Sequence[Column]) -> str:
    """The table for a terminal."""
    rows = make_rows(results, columns)
    header = ["system", *(column.title for column in columns)]
    text: str = table(rows, header=header, divider=True, aligns=["l", *"r" * len(columns)])
    return text


def markdown_table(results: Sequence[Result], columns: Sequence[Column]) -> str:
    """The table in Markdown."""
    lines = [
        ["system", *(column.title for column in columns)],
        ["---", *("---:" for _ in columns)],
        *make_rows(results, columns),
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def describe_run(environment: Mapping[str, Any]) -> str:
    """A line on where and how the figures came about."""
    packages = ", ".join(f"{name} {number}" for name, number in environment["packages"].items())
    return (
        f"{environment['date']}, {environment['cpu']} ({environment['cores']} cores, one used), "
        f"Python {environment['python']}, {packages}. Command: `{environment['command']}`.\n"
    )


def _list_notes(notes: Sequence[str]) -> str:
    """Notes as a Markdown list."""
    return "".join(f"- {note}\n" for note in notes)


def write_report(
    directory: Path,
    data: Mapping[str, Any],
    columns: Sequence[Column],
    notes: Sequence[str],
    sections: Sequence[Section] = (),
) -> None:
    """Write the JSON and the Markdown file of a benchmark.

    directory (Path): where to write `<benchmark>.json` and `<benchmark>.md`.
    data (Mapping[str, Any]): everything measured; has `benchmark`, `environment`, `systems`.
    columns (Sequence[Column]): the columns of the table.
    notes (Sequence[str]): sentences that explain the columns.
    sections (Sequence[Section]): further tables.
    """
    directory.mkdir(parents=True, exist_ok=True)
    name = data["benchmark"]
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (directory / f"{name}.json").write_text(text, encoding="utf8")
    parts = [
        f"# Benchmark: {name}\n",
        describe_run(data["environment"]),
        markdown_table(data["systems"], columns),
        _list_notes(notes),
    ]
    for section in sections:
        parts.append(f"## {section.title}\n")
        parts.append(markdown_table(section.results, section.columns))
        parts += [_list_notes(section.notes)] if section.notes else []
    (directory / f"{name}.md").write_text("\n".join(parts), encoding="utf8")
