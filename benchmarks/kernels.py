"""The tables of the kernel benchmark."""

from __future__ import annotations

from typing import Any

from .report import MEGABYTE, Column, Section

SPEED_COLUMNS = (
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
    Column("ms a sentence", lambda result: result["per_sentence"] * 1e3, "{:.2f}"),
    Column("mistakes", lambda result: result["n_mistakes"], "{:,.0f}"),
    Column("nodes", lambda result: result["n_nodes"], "{:,.0f}"),
)


def sections(data: dict[str, Any]) -> list[Section]:
    """The tables on models and on training."""
    n = data["scale"]["n_candidates"]
    return [
        Section(
            "One graph against a list of support trees",
            data["supports"],
            SUPPORT_COLUMNS,
            [
                f"ms: CPU time to score a list of {n} candidates. The list is computed with sorted "
                "productions. MB: the arrays of the trees, and those of a saved model.",
                "largest difference: between the scores of both, in units of the largest score.",
            ],
        ),
        Section(
            "Training time",
            data["growth"],
            GROWTH_COLUMNS,
            [f"One pass over lists of {n} candidates for sentences of 10 to 40 words."],
        ),
    ]
