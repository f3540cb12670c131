"""Speed of the tree kernel on WSJ trees of about 25 words: pairs, and lists against a model."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .corpora.corpus import data_directory
from .measures.kernels import QUICK, KernelScale, measure_kernels
from .processes.environment import describe
from .report.files import Report, publish
from .report.tables import MEGABYTE, Column, Section

KERNEL_COLUMNS = (
    Column("kernels/CPU s", lambda result: result["per_second"], "{:,.0f}"),
    Column("× full table", lambda result: result["ratio"], "{:,.0f}"),
)
SUPPORT_COLUMNS = (
    Column("support trees", lambda result: result["n_supports"], "{:,.0f}"),
    Column("nodes in list", lambda result: result["list_nodes"], "{:,.0f}"),
    Column("nodes in graph", lambda result: result["graph_nodes"], "{:,.0f}"),
    Column("list MB", lambda result: result["list_bytes"] / MEGABYTE, "{:.2f}"),
    Column("graph MB", lambda result: result["graph_bytes"] / MEGABYTE, "{:.2f}"),
    Column("list ms", lambda result: 1e3 * result["list_seconds"], "{:.2f}"),
    Column("graph ms", lambda result: 1e3 * result["graph_seconds"], "{:.3f}"),
    Column("× list", lambda result: result["ratio"], "{:.0f}"),
    Column("million kernels/CPU s", lambda result: result["per_second"] / 1e6, "{:.0f}"),
    Column("largest difference", lambda result: result["difference"], "{:.1e}"),
)
GROWTH_COLUMNS = (
    Column("sentences", lambda result: result["n_sentences"], "{:,.0f}"),
    Column("CPU s", lambda result: result["seconds"], "{:.2f}"),
    Column("ms/sentence", lambda result: result["per_sentence"] * 1e3, "{:.2f}"),
    Column("mistakes", lambda result: result["n_mistakes"], "{:,.0f}"),
    Column("nodes", lambda result: result["n_nodes"], "{:,.0f}"),
)


def make_sections(data: Mapping[str, Any]) -> list[Section]:
    """The tables on models and on training."""
    n = data["scale"]["n_candidates"]
    return [
        Section(
            "One graph against a list of support trees",
            data["supports"],
            SUPPORT_COLUMNS,
            [
                f"ms: CPU time to score a list of {n} candidates. The list of support trees is "
                "scored with sorted productions. MB: the arrays of the trees, and of a saved "
                "model.",
                "largest difference: between the two scores, relative to the largest score.",
            ],
        ),
        Section(
            "Training time",
            data["growth"],
            GROWTH_COLUMNS,
            [f"One pass over lists of {n} candidates for sentences of 10 to 40 words."],
        ),
    ]


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    notes = [
        "Subset-tree kernels of WSJ trees of about 25 words without function tags, λ = 0.3, in CPU "
        "time, single-threaded. Candidates are small random changes of gold trees.",
        "A graph counts as the pairwise kernels it replaces: candidates times support trees.",
    ]
    return Report(data["systems"], KERNEL_COLUMNS, notes, make_sections(data))


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """There is nothing to draw."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--data", type=Path, help="directory of the treebanks")
    parser.add_argument("--output", type=Path, help="directory of the results")
    parser.add_argument("--quick", action="store_true", help="small run of a few seconds")


def run(args: argparse.Namespace) -> None:
    """Measure and report."""
    scale = QUICK if args.quick else KernelScale()
    command = ["python", "-m", "benchmarks", "kernels", *(["--quick"] if args.quick else [])]
    data = {
        "benchmark": "kernels",
        "environment": describe(command, ()),
        **measure_kernels(data_directory(args.data), scale),
    }
    publish(data, args)
