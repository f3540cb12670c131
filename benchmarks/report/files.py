"""The files of a benchmark: everything as JSON, tables as Markdown, plots, the page of results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wasabi import msg

from ..command.options import output_directory
from ..command.paths import RESULTS
from ..command.registry import load_benchmark
from ..processes.environment import describe_cores
from .notes import remarks
from .page import write_page
from .tables import Column, Section, console_table, markdown_list, markdown_table, used_columns


@dataclass(frozen=True)
class Report:
    """The tables of a benchmark.

    results (Sequence[Mapping[str, Any]]): the systems of the first table.
    columns (Sequence[Column]): its columns; those without any value are left out.
    notes (Sequence[str]): sentences that explain it.
    sections (Sequence[Section]): further tables.
    """

    results: Sequence[Mapping[str, Any]]
    columns: Sequence[Column]
    notes: Sequence[str]
    sections: Sequence[Section] = ()


def describe_run(environment: Mapping[str, Any]) -> str:
    """Where and how the figures were obtained."""
    packages = ", ".join(f"{name} {number}" for name, number in environment["packages"].items())
    return (
        f"{environment['date']}, {environment['cpu']} ({describe_cores(environment)}), "
        f"Python {environment['python']}, {packages}. Command: `{environment['command']}`.\n"
    )


def console_text(report: Report) -> str:
    """All tables for a terminal."""
    parts = [console_table(report.results, used_columns(report.results, report.columns))]
    parts += [f"{s.title}\n{console_table(s.results, s.columns)}" for s in report.sections]
    return "\n".join(parts)


def markdown_text(data: Mapping[str, Any], report: Report) -> str:
    """The Markdown file: what was run, then all tables with their notes."""
    parts = [
        f"# Benchmark: {data['benchmark']}\n",
        describe_run(data["environment"]),
        markdown_table(report.results, used_columns(report.results, report.columns)),
        markdown_list([*report.notes, *remarks(data)]),
    ]
    for section in report.sections:
        parts.append(f"## {section.title}\n")
        parts.append(markdown_table(section.results, section.columns, head=section.head))
        parts += [markdown_list(section.notes)] if section.notes else []
    return "\n".join(parts)


def write_tables(data: Mapping[str, Any], directory: Path) -> Report:
    """Write `<benchmark>.md` of some results; returns the report in it."""
    name = data["benchmark"]
    report: Report = load_benchmark(name).make_report(data)
    (directory / f"{name}.md").write_text(markdown_text(data, report), encoding="utf8")
    return report


def publish(data: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Print the tables; write `<benchmark>.json`, `<benchmark>.md` and plots.

    A run that renews the committed results renews the page of all results too.

    data (Mapping[str, Any]): everything measured; has `benchmark`, `environment`, `systems`.
    args (argparse.Namespace): the options of the run.
    """
    output = output_directory(args.output, quick=args.quick)
    output.mkdir(parents=True, exist_ok=True)
    name = data["benchmark"]
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (output / f"{name}.json").write_text(text, encoding="utf8")
    # What is reported is what was saved: tuples have become lists, keys text.
    saved = json.loads(text)
    print(console_text(write_tables(saved, output)))
    load_benchmark(name).draw(saved, output)
    if output == RESULTS:
        write_page()
    msg.good(f"results in {output}")
