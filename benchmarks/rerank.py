"""Reranking by kernels: dependency trees of UD English EWT and entities of web text.

How many of its base's errors a reranker removes, how many could be removed, and what it costs; and
the speed of the kernels themselves, as in the benchmark `kernels`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from wasabi import msg

from .command.options import add_common_arguments, check_groups, command_words, work_directory
from .comparisons.comparison import QUICK
from .corpora.corpus import SPLITS, Corpus, data_directory, ewt
from .corpora.entities import entity_corpus
from .corpora.sentences import count_words, first_words
from .kernels import KERNEL_COLUMNS
from .kernels import make_sections as kernel_sections
from .measures import kernels
from .measures.common import footprint_result, training_result
from .measures.growth import growth_exponent, training_growth
from .measures.reranking import compare_parses, compare_spans, oracle_scores
from .measures.speed import speed_result
from .plots.reranking import draw_reranking
from .processes.children import run_in_child
from .processes.environment import describe
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import SPEED_COLUMNS, Column, Section, memory_column, size_column, value_in
from .systems.own.reranked import (
    RerankStep,
    Task,
    base_system,
    entity_task,
    parser_task,
    reranked_system,
)

GROUPS = ("parser", "ner", "kernels")
NO_TARGET = 1.0
ACCURACY_COLUMNS = (
    Column("base, %", lambda result: 100 * result["base"]),
    Column("reranked, %", lambda result: 100 * result["reranked"]),
    Column("oracle, %", lambda result: result["oracle"] and 100 * result["oracle"]),
    Column("errors removed, %", lambda result: 100 * result["reduction"], "{:+.1f}"),
    Column("p", lambda result: result["p_value"], "{:.2g}"),
)
COST_COLUMNS = (
    *SPEED_COLUMNS,
    Column("× base", value_in("speed", "ratio_cpu")),
    Column("folds, CPU s", value_in("folds", "cpu"), "{:,.0f}"),
    Column("training, CPU s", value_in("training", "cpu"), "{:,.0f}"),
    size_column(),
    Column("load s", value_in("load", "wall")),
    memory_column("peak MB", "peak"),
)
GROWTH_COLUMNS = (
    Column("sentences", lambda result: result["n_sentences"], "{:,.0f}"),
    Column("CPU s", lambda result: result["cpu"]),
    Column("ms/sentence", lambda result: 1e3 * result["cpu"] / result["n_sentences"]),
    Column("mistakes", lambda result: result["n_mistakes"], "{:,.0f}"),
)


@dataclass(frozen=True)
class RerankScale:
    """How much a run trains and measures.

    limits (dict[str, int]): at most this many sentences of a split.
    repetitions (int): turns in the measurement of speed.
    processes (int): processes in the measurement of load time and memory.
    other_words (int): words of other text that a process annotates before it is timed.
    lists (tuple[int, ...]): numbers of lists to time the training on.
    """

    limits: dict[str, int] = field(default_factory=dict)
    repetitions: int = 7
    processes: int = 1
    other_words: int = 25_000
    lists: tuple[int, ...] = (250, 500, 1_000, 2_000, 4_000)


SMALL = RerankScale(
    limits=QUICK["limits"],
    repetitions=QUICK["repetitions"],
    other_words=QUICK["other_words"],
    lists=(100, 200, 400),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)


def make_corpus(task: Task, data: Path, work: Path, limits: dict[str, int]) -> Corpus:
    """The corpus of a task, in the work directory."""
    if task.name == "parser":
        return ewt(data, work / "corpus", limits=limits)
    return entity_corpus(data, work / "entity-corpus", limits=limits)


def systems_of(task: Task) -> list[RerankStep]:
    """The base, and the base with each reranker."""
    systems = [base_system(task), *(reranked_system(task, kernel) for kernel in task.kernels)]
    if task.limit:
        systems.append(reranked_system(task, task.kernels[0], limit=task.limit))
    return systems


def train(task: Task, workshop: Workshop) -> None:
    """Make lists, base and rerankers, in this order."""
    workshop.make(task.folds_home, f"{task.label}: n-best lists", task.make_folds)
    for system in systems_of(task):
        workshop.train(system)


def measure(task: Task, workshop: Workshop, scale: RerankScale) -> dict[str, Any]:
    """Measure a trained task; returns the parts `accuracy`, `costs` and `growth`."""
    corpus, systems = workshop.corpus, systems_of(task)
    base, *reranked = systems
    test = corpus.sentences("test")
    keys = [system.key for system in systems]
    with Race(systems, workshop.work) as race:
        msg.text(f"{task.label}: accuracy and speed ...")
        race.add("test", test)
        answers = {key: race.annotate(key, "test") for key in keys}
        race.add("other", first_words(corpus.sentences("train"), scale.other_words))
        timings = race.run("test", scale.repetitions, keys, before="other")
    model = reranked[0].model_path(workshop.directory(reranked[0]))
    oracle = run_in_child(oracle_scores, model, corpus, "test")
    compare = compare_parses if task.name == "parser" else compare_spans
    accuracy = [
        {
            "label": f"{system.label}: {row['measure']}",
            "key": system.key,
            **row,
            "oracle": oracle.get(row["measure"]),
        }
        for system in reranked
        for row in compare(test, answers[base.key], answers[system.key])
    ]
    folds = workshop.make(task.folds_home, task.label, task.make_folds)
    costs = [
        {
            "key": system.key,
            "label": system.label,
            "speed": speed_result(timings, system.key, base.key),
            "folds": asdict(workshop.record(task.folds_home)) if system is base else None,
            "training": training_result(workshop.train(system), NO_TARGET),
            **footprint_result(system, workshop.directory(system), test, scale.processes),
        }
        for system in systems
    ]
    msg.text(f"{task.label}: growth of training time ...")
    rows = run_in_child(training_growth, task, corpus, folds, scale.lists)
    return {
        "accuracy": accuracy,
        "costs": costs,
        "growth": {"rows": rows, "exponent": growth_exponent(rows)},
        "words": {split: count_words(corpus.sentences(split)) for split in SPLITS},
    }


def accuracy_notes() -> list[str]:
    """What the columns of the first table mean."""
    return [
        "mira_parser: UD English EWT, gold tokens and sentences, predicted tags; all words count, "
        "and labels are compared with their subtypes. The reranker chooses among 16 trees. "
        "perceptron_ner: UNER English EWT and Wikigold, as in the benchmark `ner`; exact spans. "
        "The reranker chooses among 20 answers and learns from boundaries alone. All figures are "
        "on test.",
        "oracle: the best possible choice among these answers. errors removed: the share of the "
        "base's errors.",
        "p: McNemar's test on words for arcs, the paired bootstrap over sentences (10,000 draws) "
        "for entities; two-sided, base against reranked.",
    ]


def cost_section(data: Mapping[str, Any]) -> Section:
    """The table of what rerankers cost."""
    costs = [row for task in data["tasks"].values() for row in task["costs"]]
    explanations = [
        "Whole pipelines, tagging included. The base alone keeps no n-best lists. Speed: the "
        "median of several turns on one thread, on text that is new to the process. × base: the "
        "median ratio of CPU times within a turn.",
        "folds: jackknifing the n-best lists that base and rerankers learn from. training: the "
        "base with its taggers; of a reranker only itself, behind a finished base. Both include "
        "evaluation on dev and saving.",
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(costs),
    ]
    return Section("Cost", costs, COST_COLUMNS, explanations)


def growth_section(task_label: str, growth: Mapping[str, Any]) -> Section:
    """The table of a task's training times."""
    note = "One pass with a new model, encoding trees and tags included."
    if growth["exponent"] is not None:
        note += (
            f" CPU time grows with the number of lists to the power of {growth['exponent']:.2f}."
        )
    title = f"Training time of the reranker: {task_label}"
    return Section(title, growth["rows"], GROWTH_COLUMNS, (note,))


def make_report(data: Mapping[str, Any]) -> Report:
    """All tables and what their columns mean."""
    sections = [cost_section(data)] if data["tasks"] else []
    sections += [growth_section(name, task["growth"]) for name, task in data["tasks"].items()]
    if data["kernels"]:
        sections.append(Section("Speed of kernels", data["kernels"]["systems"], KERNEL_COLUMNS))
        sections += kernel_sections(data["kernels"])
    return Report(data["systems"], ACCURACY_COLUMNS, accuracy_notes(), sections)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what rerankers reach and how their training time grows, if any was trained."""
    if data["tasks"]:
        draw_reranking(data, directory / "rerank.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    scale = SMALL if args.quick else RerankScale()
    data_home = data_directory(args.data)
    tasks = [task(small=args.quick) for task in (parser_task, entity_task)]
    tasks = [task for task in tasks if task.name in args.only]
    measured: dict[str, Any] = {}
    with work_directory(args.work, quick=args.quick) as work:
        workshops = [
            Workshop(make_corpus(t, data_home, work, scale.limits), work, reuse=args.reuse)
            for t in tasks
        ]
        for task, workshop in zip(tasks, workshops, strict=True):
            train(task, workshop)
        if args.train_only:
            return
        for task, workshop in zip(tasks, workshops, strict=True):
            measured[task.label] = measure(task, workshop, scale)
    of_kernels = None
    if "kernels" in args.only:
        kernel_scale = kernels.QUICK if args.quick else kernels.KernelScale()
        of_kernels = kernels.measure_kernels(data_home, kernel_scale)
    data = {
        "benchmark": "rerank",
        "environment": describe(command_words("rerank", args, GROUPS), ()),
        "scale": asdict(scale),
        "systems": [row for task in measured.values() for row in task["accuracy"]],
        "tasks": measured,
        "kernels": of_kernels,
    }
    publish(data, args)
