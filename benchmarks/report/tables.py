"""Tables of results.

Results are plain data: one dictionary per system, with the parts `speed`, `training`, `load`,
`memory` and `size` in every benchmark. A column turns such a dictionary into a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wasabi import table

MISSING = "–"
MEGABYTE = 10**6
MEBIBYTE = 1 << 20
Result = Mapping[str, Any]
Value = Callable[[Result], float | None]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    title (str): its heading.
    value (Callable): the number in it for a system, or None.
    form (str | Callable): how the number is formatted: a format string or a function.
    """

    title: str
    value: Value
    form: str | Callable[[float], str] = "{:.2f}"

    def cell(self, result: Result) -> str:
        """The text of the column for one system."""
        value = self.value(result)
        if value is None:
            return MISSING
        return self.form.format(value) if isinstance(self.form, str) else self.form(value)


@dataclass(frozen=True)
class Section:
    """A table under a heading.

    title (str): the heading.
    results (Sequence[Mapping[str, Any]]): what the columns read; each has a `label`.
    columns (Sequence[Column]): its columns.
    notes (Sequence[str]): sentences that explain it.
    head (str): the heading of the labels.
    """

    title: str
    results: Sequence[Result]
    columns: Sequence[Column]
    notes: Sequence[str] = ()
    head: str = "system"


def value_in(name: str, key: str, factor: float = 1.0) -> Value:
    """Look up a number in a part of the result that may be missing.

    name (str): the part.
    key (str): the number's name in it.
    factor (float): what to multiply it by.
    RETURNS (Callable): the value of a column.
    """

    def value(result: Result) -> float | None:
        number = (result.get(name) or {}).get(key)
        return None if number is None else factor * number

    return value


def percentage(part: str, name: str = "share") -> Value:
    """A share in a part of the accuracy, in percent."""
    return lambda result: value_in(part, name, 100)(result["accuracy"])


def checkpoint_time(name: str) -> Value:
    """CPU seconds until a checkpoint that may not have been reached."""
    return lambda result: value_in(name, "cpu")(result["training"])


def memory_column(title: str, name: str) -> Column:
    """A column of memory, which is measured in MiB, in MB."""
    return Column(title, value_in("memory", name, MEBIBYTE / MEGABYTE), "{:.0f}")


def size_column(title: str = "size MB") -> Column:
    """A column of the size of models."""
    return Column(title, lambda result: result["size"] / MEGABYTE, "{:.1f}")


SPEED_COLUMNS = (
    Column("words/s", value_in("speed", "wall"), "{:,.0f}"),
    Column("words/CPU s", value_in("speed", "cpu"), "{:,.0f}"),
)
COMMON_COLUMNS = (
    *SPEED_COLUMNS,
    Column("× spaCy", value_in("speed", "ratio_cpu")),
    Column("training s", value_in("training", "wall"), "{:,.0f}"),
    Column("CPU s", value_in("training", "cpu"), "{:,.0f}"),
    Column("to best, CPU s", checkpoint_time("best"), "{:,.0f}"),
    Column("to target, CPU s", checkpoint_time("to_target"), "{:,.0f}"),
    size_column(),
    Column("load s", value_in("load", "wall")),
    memory_column("peak MB", "peak"),
    memory_column("peak above blank", "peak_above_blank"),
    memory_column("resident above blank", "resident_above_blank"),
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


def markdown_table(
    results: Sequence[Result], columns: Sequence[Column], *, head: str = "system"
) -> str:
    """The table in Markdown.

    results (Sequence[Mapping[str, Any]]): what the columns read; each has a `label`.
    columns (Sequence[Column]): the columns.
    head (str): the heading of the labels.
    RETURNS (str): lines, each with its newline.
    """
    lines = [
        [head, *(column.title for column in columns)],
        ["---", *("---:" for _ in columns)],
        *make_rows(results, columns),
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def markdown_list(notes: Sequence[str]) -> str:
    """Notes as a Markdown list."""
    return "".join(f"- {note}\n" for note in notes)
