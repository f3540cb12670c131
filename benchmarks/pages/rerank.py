"""Reranking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..report import notes
from ..report.page import Part, page_rows
from ..report.tables import Column, Result, Section, value_in
from ..rerank import ACCURACY_COLUMNS
from .columns import MEMORY, SIZE, SPEED, TRAINING

KERNEL = re.compile(r"(reranked by )(\w+)")
COST = (
    SPEED,
    Column("× base", value_in("speed", "ratio_cpu")),
    Column("n-best lists, CPU s", value_in("folds", "cpu"), "{:,.0f}"),
    TRAINING,
    SIZE,
    MEMORY,
)


def kernel_rows(results: Sequence[Result]) -> list[Result]:
    """The rows of a table with kernels as code."""
    coded = [{**row, "label": KERNEL.sub(r"\1`\2`", row["label"])} for row in results]
    return page_rows(coded)


def growth_note(data: Mapping[str, Any]) -> list[str]:
    """How the training time of rerankers grows, in a sentence."""
    powers = [
        f"{task['growth']['exponent']:.2f} ({name})"
        for name, task in data["tasks"].items()
        if task["growth"]["exponent"] is not None
    ]
    if not powers:
        return []
    return [
        "The training time of a reranker grows with the number of sentences to the power of "
        f"{', '.join(powers)}."
    ]


def kernel_note(data: Mapping[str, Any]) -> list[str]:
    """What a model as one graph saves, in a sentence."""
    if not data["kernels"]:
        return []
    largest = data["kernels"]["supports"][-1]
    n = data["kernels"]["scale"]["n_candidates"]
    graph, trees = 1e3 * largest["graph_seconds"], 1e3 * largest["list_seconds"]
    return [
        f"Scoring {n} trees against {largest['n_supports']:,} support trees takes {graph:.2f} ms "
        f"with the support trees as one graph and {trees:.0f} ms with a list of them, "
        f"{largest['ratio']:.0f} times as long."
    ]


def make_part(data: Mapping[str, Any]) -> Part:
    """The part of the page."""
    costs = [row for task in data["tasks"].values() for row in task["costs"]]
    accuracy = [
        "Oracle: the best possible choice among the answers. Errors removed: the share of the "
        "base's errors.",
        "The reranker of trees chooses among 16 trees, by the subset-tree kernel. Its base is the "
        "first-order parser that `reranker.cfg` trains, not the one of `parser_fast.cfg`. The "
        "second-order `mira_parser` is both more accurate and faster than this pipeline.",
        "The reranker of entities chooses among 20 answers of `ner_reranker.cfg`, by tagging "
        "kernels. It learns from boundaries alone.",
    ]
    cost = [
        "The base alone keeps no n-best lists. N-best lists: jackknifing the lists that base and "
        "rerankers learn from. The training time of a reranker is its own, behind a finished base.",
        *growth_note(data),
        *kernel_note(data),
        *notes.flagged_trainings(costs),
        *notes.remarks(data),
    ]
    sections = [
        Section("", kernel_rows(data["systems"]), ACCURACY_COLUMNS, accuracy, head="measure")
    ]
    if costs:
        sections.append(Section("Cost of rerankers", kernel_rows(costs), COST, cost))
    return Part(
        title="Reranking",
        introduction="A `kernel_reranker` behind `mira_parser` (trees of EWT, predicted tags) and "
        "behind `perceptron_ner` (entities, as above), on test.",
        sections=sections,
        plots={"rerank.png": "Base, reranked and oracle; training time against lists"},
    )
