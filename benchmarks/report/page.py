"""The page of all results, docs/results.md: a part per benchmark, made from its JSON file."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..command.paths import PAGE, RESULTS
from ..command.registry import BENCHMARKS
from ..pages.introduction import INTRODUCTION
from ..processes.environment import describe_cores
from .tables import Result, Section, markdown_table, used_columns

WIDTH = 120
# What the page writes as code.
COMPONENTS = re.compile(
    r"(?<![`\w])"
    r"(easy_first_tagger|easy_first_parser|incremental_parser|max_margin_parser|mira_parser"
    r"|perceptron_ner)"
    r"(?![`\w])"
)
# A line that began with one of these would begin a list.
MARKERS = re.compile(r" (?=[-+*] |\d+[.)] )")


@dataclass(frozen=True)
class Part:
    """A benchmark's part of the page.

    title (str): its heading.
    introduction (str): what is compared on what.
    sections (Sequence[Section]): its tables; those with a title have a heading of their own.
    plots (Mapping[str, str]): captions by the names of the files in the results.
    """

    title: str
    introduction: str
    sections: Sequence[Section]
    plots: Mapping[str, str]


def page_label(text: str) -> str:
    """A label or a note with this package's components as code."""
    return COMPONENTS.sub(r"`\1`", text)


def page_rows(
    results: Sequence[Result], configs: Mapping[str, str] | None = None, *, best: str = ""
) -> list[Result]:
    """The rows of a table with labels for the page.

    results (Sequence[Mapping[str, Any]]): the rows.
    configs (Mapping[str, str] | None): shipped configs by the keys of systems.
    best (str): the key of the system to print in bold, the one to start with.
    RETURNS (list[Mapping[str, Any]]): copies.
    """
    rows: list[Result] = []
    for result in results:
        label, key = page_label(result["label"]), result.get("key", "")
        if configs and key in configs:
            label += f" (`{configs[key]}`)"
        rows.append({**result, "label": f"**{label}**" if best and key == best else label})
    return rows


def wrap(text: str, indent: str = "") -> str:
    """A paragraph, or with an indent the item of a list, in lines of the page's width."""
    unbreakable = "\N{NO-BREAK SPACE}"
    lines = textwrap.fill(
        MARKERS.sub(unbreakable, text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace(unbreakable, " ")


def run_text(environment: Mapping[str, Any]) -> str:
    """Where and when a part was measured."""
    packages = ", ".join(f"{name} {number}" for name, number in environment["packages"].items())
    text = (
        f"Measured on {environment['date']} by `{environment['command']}` on {environment['cpu']} "
        f"({describe_cores(environment)}) with Python {environment['python']}, {packages}."
    )
    load = environment["load_average"][0]
    if load > environment["cores"]:
        text += (
            f" The machine was busy (load average {load:.1f}), so that wall-clock times were "
            "longer than CPU times."
        )
    return text


def section_text(section: Section) -> str:
    """A table with its heading and notes."""
    parts = [f"### {section.title}\n"] if section.title else []
    columns = used_columns(section.results, section.columns)
    parts.append(markdown_table(section.results, columns, head=section.head))
    if section.notes:
        parts.append("".join(f"{wrap(page_label(note), '- ')}\n" for note in section.notes))
    return "\n".join(parts)


def part_text(data: Mapping[str, Any], part: Part) -> str:
    """A benchmark's part of the page, in Markdown."""
    name = data["benchmark"]
    links = f"All columns and notes: [{name}.md](../benchmarks/results/{name}.md)."
    pieces = [f"## {part.title}\n", f"{wrap(part.introduction)}\n"]
    pieces += [section_text(section) for section in part.sections]
    pieces += [f"{wrap(run_text(data['environment']) + ' ' + links)}\n"]
    pieces += [
        f"![{caption}](../benchmarks/results/{file})\n" for file, caption in part.plots.items()
    ]
    return "\n".join(pieces)


def make_page(results: Path = RESULTS) -> str:
    """The page of all results that exist.

    results (Path): directory of the JSON files.
    RETURNS (str): Markdown.
    """
    pieces = [INTRODUCTION]
    for name in BENCHMARKS:
        path = results / f"{name}.json"
        if path.exists():
            data = json.loads(path.read_text(encoding="utf8"))
            page = import_module(f"benchmarks.pages.{name}")
            pieces.append(part_text(data, page.make_part(data)))
    return "\n".join(pieces)


def write_page() -> None:
    """Write docs/results.md."""
    PAGE.write_text(make_page(), encoding="utf8")
