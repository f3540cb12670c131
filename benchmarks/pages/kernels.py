"""Speed of tree kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernels import GROWTH_COLUMNS, KERNEL_COLUMNS
from ..report import notes
from ..report.page import Part
from ..report.tables import MEGABYTE, Column, Section

MODELS = (
    Column("list, ms", lambda result: 1e3 * result["list_seconds"], "{:.1f}"),
    Column("graph, ms", lambda result: 1e3 * result["graph_seconds"]),
    Column("× list", lambda result: result["ratio"], "{:.0f}"),
    Column("list, MB", lambda result: result["list_bytes"] / MEGABYTE),
    Column("graph, MB", lambda result: result["graph_bytes"] / MEGABYTE),
    Column("nodes in list", lambda result: result["list_nodes"], "{:,.0f}"),
    Column("nodes in graph", lambda result: result["graph_nodes"], "{:,.0f}"),
)


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    n = data["scale"]["n_candidates"]
    speed = [
        "Full table: the plain algorithm of the paper, in Python. Sorted productions: what the "
        "package does for two trees. Graph: what it does for a model, counted as the pairwise "
        "kernels it replaces.",
        *notes.remarks(data),
    ]
    return Part(
        title="Speed of tree kernels",
        introduction="Subset-tree kernels of WSJ trees of about 25 words, in CPU time on one "
        "thread. Candidates are small random changes of gold trees.",
        sections=[
            Section("", data["systems"], KERNEL_COLUMNS, speed, head="method"),
            Section(
                "A model as one graph against a list of support trees",
                data["supports"],
                MODELS,
                [f"The time to score a list of {n} candidates; both give the same scores."],
                head="model",
            ),
            Section(
                "Training time of the kernel perceptron",
                data["growth"],
                GROWTH_COLUMNS[1:],
                [f"One pass over lists of {n} candidates for sentences of 10 to 40 words."],
                head="training text",
            ),
        ],
        plots={},
    )
