"""Reranking by kernels: dependency trees of UD English EWT and entities of web text.

What a reranker removes of its base's errors, what could be removed, and what it costs. With it
comes the speed of the kernels themselves, as in the benchmark `kernels`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from wasabi import msg

from .comparisons.common import FOOTPRINT_NOTE, QUICK, flagged_trainings, publish
from .corpora.corpus import SPLITS, Corpus, data_directory, ewt
from .corpora.entities import entity_corpus
from .corpora.sentences import count_words, first_words
from .kernels import SPEED_COLUMNS
from .kernels import sections as kernel_sections
from .measures import kernels
from .measures.common import footprint_result, speed_result, training_result
from .measures.growth import growth_exponent, growth_section, training_growth
from .measures.reranking import (
    ACCURACY_COLUMNS,
    COST_COLUMNS,
    compare_parses,
    compare_spans,
    oracle_scores,
)
from .options import add_common_arguments, check_groups, command_words, work_directory
from .plots import reranking as rerank_plots
from .processes.children import run_in_child
from .processes.environment import describe
from .processes.stages import Race, Workshop
from .report.tables import Section
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


@dataclass(frozen=True)
class RerankScale:
    """How much a run trains and measures.

    limits (dict[str, int]): at most this many sentences of a split.
    repetitions (int): turns in the measurement of speed.
    processes (int): processes in the measurement of load time and memory.
    other_words (int): words of other text that a process has annotated before it is timed.
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


def notes() -> list[str]:
    """What the columns of the first table mean."""
    return [
        "mira_parser: UD English EWT, gold tokens and sentences, predicted tags, all words, labels "
        "with subtypes; the reranker chooses among 16 trees. perceptron_ner: UNER English EWT and "
        "Wikigold, as in the benchmark `ner`; exact spans; the reranker chooses among 20 answers "
        "and is taught boundaries alone. All figures on test.",
        "oracle: the best choice there is among these answers. errors removed: share of 1 - base.",
        "p: McNemar's test on words for arcs, paired bootstrap over sentences (10,000 draws) for "
        "entities; two-sided, base against reranked.",
    ]


def cost_section(data: Mapping[str, Any]) -> Section:
    """The table of what rerankers cost."""
    costs = [row for task in data["tasks"].values() for row in task["costs"]]
    remarks = [
        "Whole pipelines, tagging included. The base alone keeps no n-best lists. words/s: median "
        "of repetitions taken in turns, single-threaded, on text that is new to the process. "
        "× base: median ratio of CPU times within a turn.",
        "folds: making of the jackknifed n-best lists, which base and rerankers learn from. "
        "training: the base with its taggers; the reranker alone, behind a finished base. Both "
        "include evaluation on dev and saving.",
        FOOTPRINT_NOTE,
        *flagged_trainings(costs),
    ]
    return Section("Cost", costs, COST_COLUMNS, remarks)


def make_sections(data: Mapping[str, Any]) -> list[Section]:
    """All tables but the first."""
    sections = [cost_section(data)] if data["tasks"] else []
    sections += [growth_section(name, task["growth"]) for name, task in data["tasks"].items()]
    if data["kernels"]:
        sections.append(Section("Speed of kernels", data["kernels"]["systems"], SPEED_COLUMNS))
        sections += kernel_sections(data["kernels"])
    return sections


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
    report(args, scale, measured, of_kernels)


def report(
    args: argparse.Namespace,
    scale: RerankScale,
    measured: Mapping[str, Any],
    of_kernels: Mapping[str, Any] | None,
) -> None:
    """Print the tables; write the report and the plot."""
    rows: Sequence[dict[str, Any]] = [row for task in measured.values() for row in task["accuracy"]]
    data = {
        "benchmark": "rerank",
        "environment": describe(command_words("rerank", args, GROUPS), ()),
        "scale": asdict(scale),
        "systems": rows,
        "tasks": measured,
        "kernels": of_kernels,
    }
    output = publish(data, args, ACCURACY_COLUMNS, notes(), make_sections(data))
    if measured:
        rerank_plots.draw(data, output / "rerank.png")
    msg.good(f"results in {output}")
