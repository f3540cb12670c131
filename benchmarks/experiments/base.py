"""Experiments of the parsing benchmark: systems that differ in one thing, judged on one split.

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
from ..processes.stages import Workshop, annotate_alone
from ..report.tables import Column, Section
from ..systems.base import System
from ..systems.own.guided import GUIDE_KEY, MAX_STEPS, guided_mira, spacy_guide_maker
from ..systems.own.mira import gold_tag_mira, mira_system, mira_variant
from ..systems.peers.spacy_pipelines import SpacyParserSystem

KS = (1, 2, 5, 10)
FIRST_ORDER = 1
BEST_ORDER = 2
LEAST_P = 1e-6


@dataclass(frozen=True)
class Pair:
    """Two systems whose arcs are compared by McNemar's test; with labels or without."""

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


def comparison_note(comparison: dict[str, Any]) -> str:
    """The outcome of a test in a sentence."""
    what = "labelled arcs" if comparison["labelled"] else "heads"
    p_value = comparison["p_value"]
    chance = f"= {p_value:.2g}" if p_value >= LEAST_P else f"< {LEAST_P:g}"
    return (
        f"McNemar on {what}: {comparison['a']} alone is right {comparison['only_a']:,} times, "
        f"{comparison['b']} alone {comparison['only_b']:,} times, p {chance}."
    )


def experiment_section(result: dict[str, Any], columns: Sequence[Column]) -> Section:
    """The table of an experiment."""
    notes = [f"On {result['split']}. {result['note']}".strip()]
    notes += [comparison_note(comparison) for comparison in result["comparisons"]]
    return Section(result["title"], result["rows"], columns, notes)


def make_experiments(guide: SpacyParserSystem, *, small: bool = False) -> dict[str, Experiment]:
    """All experiments by the name of their option.

    guide (SpacyParserSystem): spaCy's pipeline.
    small (bool): whether the corpus is small.
    RETURNS (dict[str, Experiment]): the experiments.
    """
    first = mira_system(FIRST_ORDER, small=small)
    perceptron = mira_variant(FIRST_ORDER, "perceptron", {"learner": "perceptron"}, small=small)
    guided = guided_mira(BEST_ORDER, guide, small=small)
    steps = min(MAX_STEPS, guide.overrides.get("training.max_steps", MAX_STEPS))
    experiments = (
        Experiment(
            name="k_table",
            title="Accuracy against k",
            systems=[mira_variant(FIRST_ORDER, f"k {k}", {"k": k}, small=small) for k in KS],
            split="dev",
            note="Training with the k best trees; time without the jackknifing of tags.",
        ),
        Experiment(
            name="learners",
            title="MIRA against averaged perceptron",
            systems=[first, perceptron],
            pairs=[Pair(first.key, perceptron.key, labelled=False)],
            note="Same features and tags; only the first one's time includes their jackknifing.",
        ),
        Experiment(
            name="gold_tags",
            title="Gold tags",
            systems=[gold_tag_mira(order, small=small) for order in (FIRST_ORDER, BEST_ORDER)],
            note="Trained and tested on gold tags, fine and coarse; time of the parser alone.",
        ),
        Experiment(
            name="guide",
            title="Guided parsing",
            systems=[guide, guided],
            pairs=[Pair(guided.key, guide.key, labelled=True)],
            note="Tags and arcs of spaCy's pipeline as input, jackknifed on train; "
            "training time of the guided parser alone.",
            before=lambda workshop: workshop.make(
                GUIDE_KEY, "guide annotation", spacy_guide_maker(guide, steps)
            ),
        ),
    )
    return {experiment.name: experiment for experiment in experiments}
