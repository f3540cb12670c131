"""An experiment: systems that differ in one thing, trained and judged on one split.

Each is an option of the command line, because each trains models of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wasabi import msg

from ..corpora.sentences import Analysis, Sentence
from ..measures.common import training_result
from ..measures.parses import compare_arcs, parse_accuracy
from ..processes.race import annotate_alone
from ..processes.workshop import Workshop
from ..systems.base import System


@dataclass(frozen=True)
class Pair:
    """Two systems whose arcs are compared by McNemar's test, with or without labels."""

    a: str
    b: str
    labelled: bool


@dataclass(frozen=True)
class Experiment:
    """An experiment.

    name (str): its option and its key in the results.
    title (str): its heading in the report.
    systems (Sequence[System]): what to train and judge.
    split (str): what to judge on.
    pairs (Sequence[Pair]): what to test for significance.
    note (str): what a reader must know.
    before (Callable | None): makes what the systems need.
    """

    name: str
    title: str
    systems: Sequence[System]
    split: str = "test"
    pairs: Sequence[Pair] = ()
    note: str = ""
    before: Callable[[Workshop], Any] | None = None

    def train(self, workshop: Workshop) -> None:
        """Train the systems, in their order."""
        if self.before is not None:
            self.before(workshop)
        for system in self.systems:
            workshop.train(system)

    def run(self, workshop: Workshop, target: float) -> dict[str, Any]:
        """Train and judge the systems; returns plain data."""
        self.train(workshop)
        msg.text(f"{self.title} ...")
        gold = workshop.corpus.sentences(self.split)
        analyses = {
            system.key: annotate_alone(system, workshop.directory(system), gold)
            for system in self.systems
        }
        rows = [
            {
                "key": system.key,
                "label": system.label,
                "accuracy": parse_accuracy(gold, analyses[system.key]),
                "training": training_result(workshop.train(system), target),
            }
            for system in self.systems
        ]
        labels = {system.key: system.label for system in self.systems}
        return {
            "title": self.title,
            "split": self.split,
            "note": self.note,
            "rows": rows,
            "comparisons": compare_pairs(gold, analyses, labels, self.pairs),
        }


def compare_pairs(
    gold: Sequence[Sentence],
    analyses: dict[str, list[Analysis]],
    labels: dict[str, str],
    pairs: Sequence[Pair],
) -> list[dict[str, Any]]:
    """McNemar's test for each pair.

    gold (Sequence[Sentence]): sentences with gold trees.
    analyses (dict[str, list[Analysis]]): analyses by key.
    labels (dict[str, str]): what to call the systems, by key.
    pairs (Sequence[Pair]): the pairs.
    RETURNS (list[dict[str, Any]]): plain data.
    """
    return [
        {
            "a": labels[pair.a],
            "b": labels[pair.b],
            **compare_arcs(gold, analyses[pair.a], analyses[pair.b], labelled=pair.labelled),
        }
        for pair in pairs
    ]
