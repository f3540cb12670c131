"""What word clusters bring: every task without and with them, beside spaCy with word vectors.

Clusters and vectors know words that are not in the treebank. Figures that rest on such outside text
do not compare with those of other benchmarks.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from wasabi import msg

from .command.options import (
    add_common_arguments,
    add_spacy_limits,
    check_groups,
    command_words,
    work_directory,
)
from .comparisons.clustered import TASKS, Means, Task
from .comparisons.comparison import QUICK, Scale, common_result
from .corpora.corpus import SPLITS, data_directory
from .corpora.sentences import Sentence, count_words, first_words
from .measures.clustering import MILLION, clustering_growth
from .processes.children import run_in_child
from .processes.environment import describe
from .processes.race import Race, annotate_alone
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import COMMON_COLUMNS, Column, Section, memory_column, percentage
from .systems.base import System
from .systems.own.base import OwnSystem

GROWTH = "growth"
GROUPS = (*(task.name for task in TASKS), GROWTH)
N_SEEDS = 3
# Words of raw text, the last by repetition.
SIZES = (1 * MILLION, 3_300_000, 10 * MILLION, 30 * MILLION)
RAW_TEXT = ("raw", "amalgum.txt")
SUMMARY_COLUMNS = (
    Column("without", lambda row: row["without"], "{:.2f}"),
    Column("with clusters", lambda row: row["with"], "{:.2f}"),
    Column("difference", lambda row: row["with"] - row["without"], "{:+.2f}"),
    Column("p", lambda row: row["p_value"], notes.bounded_p),
    Column("speed, share", lambda row: row["speed"], "{:.2f}"),
    Column("size added, MB", lambda row: row["size"], "{:.1f}"),
    Column("load time added, s", lambda row: row["load"], "{:+.3f}"),
)
GROWTH_COLUMNS = (
    Column("types", lambda row: row["types"], "{:,.0f}"),
    Column("clustered", lambda row: row["clustered"], "{:,.0f}"),
    Column("CPU s", lambda row: row["cpu"], "{:.1f}"),
    Column("CPU s per million words", lambda row: row["cpu"] / row["words"] * MILLION, "{:.2f}"),
    memory_column("peak MB", "peak"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_spacy_limits(parser)
    parser.add_argument(
        "--clusters",
        type=Path,
        action="append",
        default=[],
        help="file of word clusters; can be repeated",
    )
    parser.add_argument("--vectors", type=Path, help="text file of word vectors for spaCy")
    parser.add_argument(
        "--seeds", type=int, default=N_SEEDS, help="trainings of a system, where they take minutes"
    )


def make_means(args: argparse.Namespace, scale: Scale) -> Means:
    """What the command line gives systems."""
    from spacy_perceptron.recipes.clusters import name_clusters

    if not args.clusters and set(args.only) != {GROWTH}:
        raise ValueError("name a file of word clusters with --clusters: see docs/clusters.md")
    tables = {name: str(path.resolve()) for name, path in name_clusters(args.clusters).items()}
    return Means(
        tables,
        args.vectors and args.vectors.resolve(),
        seeds=1 if args.quick else args.seeds,
        small=args.quick,
        spacy_steps=scale.spacy_steps,
        spacy_minutes=args.max_minutes_spacy,
    )


def all_systems(task: Task, means: Means) -> tuple[list[System], list[System]]:
    """The systems of a task, and those of them with other seeds."""
    systems = task.systems(means)
    own = [system for system in systems if isinstance(system, OwnSystem)]
    again = [other for system in own for other in means.again(system)] if task.repeated else []
    return systems, list(again)


def train(task: Task, means: Means, workshop: Workshop) -> None:
    """Train all systems of a task."""
    if task.prepare is not None:
        task.prepare(workshop, means)
    systems, again = all_systems(task, means)
    for system in (*systems, *again):
        workshop.train(system)


def measure(task: Task, means: Means, scale: Scale, workshop: Workshop) -> dict[str, Any]:
    """Measure the trained systems of a task; returns plain data."""
    corpus = workshop.corpus
    test = corpus.sentences("test")
    systems, again = all_systems(task, means)
    keys = [system.key for system in systems]
    with Race(systems, workshop.work) as race:
        msg.text(f"{task.title}: accuracy and speed ...")
        race.add("test", test)
        race.add("other", first_words(corpus.sentences("train"), scale.other_words))
        answers = {key: race.annotate(key, "test") for key in keys}
        timings = race.run("test", scale.repetitions, keys, before="other")
    results = [
        {
            **common_result(system, workshop, test, timings, task.target, scale.processes),
            "accuracy": task.accuracy(workshop, test, answers[system.key]),
        }
        for system in systems
    ]
    return {
        "title": task.title,
        "measures": dict(task.measures),
        "clusters": describe_clusters(means),
        "corpus": {
            "name": corpus.name,
            "words": {split: count_words(corpus.sentences(split)) for split in SPLITS},
        },
        "systems": results,
        "comparison": _compare(task, workshop, systems, answers, test),
        "seeds": [_judge(task, system, workshop, test) for system in again],
    }


def _compare(
    task: Task,
    workshop: Workshop,
    systems: Sequence[System],
    answers: Mapping[str, Sequence[Any]],
    test: Sequence[Sentence],
) -> dict[str, Any] | None:
    """The first two systems, which differ in their clusters: p on test, and for tasks with few
    sentences on dev and test together."""
    own = [system for system in systems if isinstance(system, OwnSystem)]
    if len(own) < 2:
        return None
    first, second = (answers[system.key] for system in own[:2])
    found = task.compare(test, first, second)
    dev = workshop.corpus.sentences("dev")
    on_dev = [annotate_alone(s, workshop.directory(s), dev) for s in own[:2]]
    both = task.compare([*dev, *test], [*on_dev[0], *first], [*on_dev[1], *second])
    accuracies = [
        task.accuracy(workshop, [*dev, *test], [*a, *b])
        for a, b in zip(on_dev, (first, second), strict=True)
    ]
    main = next(iter(task.measures))
    return {
        "p_value": found["p_value"],
        "together": {
            "p_value": both["p_value"],
            "shares": [accuracy[main]["share"] for accuracy in accuracies],
        },
    }


def _judge(
    task: Task, system: System, workshop: Workshop, test: Sequence[Sentence]
) -> dict[str, Any]:
    answers = annotate_alone(system, workshop.directory(system), test)
    return {
        "key": system.key,
        "label": system.label,
        "accuracy": task.accuracy(workshop, test, answers),
    }


def summary_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each measure of each task that has a system without clusters: means over seeds."""
    rows = []
    for task in data["tasks"].values():
        if task["comparison"] is None:
            continue
        for name, title in task["measures"].items():
            shares = [seed_shares(task, position, name) for position in (0, 1)]
            is_first = name == next(iter(task["measures"]))
            pair = task["systems"][:2]
            row = {
                "label": f"{task['title']}: {title}",
                "without": mean(shares[0]),
                "with": mean(shares[1]),
                "p_value": task["comparison"]["p_value"] if is_first else None,
                "speed": _speed_share(pair) if is_first else None,
                "size": (pair[1]["size"] - pair[0]["size"]) / MILLION if is_first else None,
                "load": pair[1]["load"]["wall"] - pair[0]["load"]["wall"] if is_first else None,
            }
            rows.append(row)
    return rows


def seed_shares(task: Mapping[str, Any], position: int, measure: str) -> list[float]:
    """What a system of a task has reached with each seed, in percent.

    task (Mapping[str, Any]): the results of the task.
    position (int): which of its systems.
    measure (str): what was judged.
    RETURNS (list[float]): the first seed is that of the shipped config.
    """
    key = task["systems"][position]["key"]
    again = [result for result in task["seeds"] if result["key"].rpartition("-seed")[0] == key]
    results = [task["systems"][position], *again]
    return [100 * result["accuracy"][measure]["share"] for result in results]


def _speed_share(pair: Sequence[Mapping[str, Any]]) -> float:
    """The median ratio of CPU times within a turn: 1 if clusters cost nothing."""
    turns = zip(*(result["speed"]["timings"] for result in pair), strict=True)
    return median(without["cpu"] / with_["cpu"] for without, with_ in turns)


def seed_note(task: Mapping[str, Any]) -> list[str]:
    """The mean and the spread over seeds, in sentences."""
    sentences = []
    for i, system in enumerate(task["systems"]):
        parts = []
        for name, title in task["measures"].items():
            shares = seed_shares(task, i, name)
            if len(shares) > 1:
                listed = ", ".join(f"{share:.2f}" for share in shares)
                spread = f"standard deviation {stdev(shares):.2f}"
                parts.append(f"{title} {listed} (mean {mean(shares):.2f}, {spread})")
        if parts:
            sentences.append(f"{system['label']}, by seed: {'; '.join(parts)}.")
    return sentences


def together_note(task: Mapping[str, Any]) -> list[str]:
    """What dev and test say together."""
    if task["comparison"] is None:
        return []
    found = task["comparison"]["together"]
    without, with_ = (100 * share for share in found["shares"])
    title = next(iter(task["measures"].values()))
    return [
        f"Dev and test together, {title}: {without:.2f} without clusters, {with_:.2f} with them, "
        f"p = {notes.bounded_p(found['p_value'])}."
    ]


def task_section(task: Mapping[str, Any]) -> Section:
    """The table of a task."""
    measured = (Column(title, percentage(name)) for name, title in task["measures"].items())
    sizes = ", ".join(f"{split} {words:,}" for split, words in task["corpus"]["words"].items())
    explanations = [
        f"{task['corpus']['name']}, gold tokens and sentences. Words: {sizes}.",
        clusters_note(task),
        *seed_note(task),
        *together_note(task),
        *notes.flagged_trainings(task["systems"]),
    ]
    return Section(task["title"], task["systems"], (*measured, *COMMON_COLUMNS), explanations)


def growth_section(data: Mapping[str, Any]) -> Section:
    """The table of the time that learning clusters takes."""
    note = (
        "1,000 clusters, learned from tokenized text in a process of its own. Where there is not "
        "enough raw text, it is repeated with rare words varied, so that the number of types "
        "grows with the square root of the length."
    )
    return Section("Learning clusters", data["growth"], GROWTH_COLUMNS, (note,), head="raw text")


def clusters_note(task: Mapping[str, Any]) -> str:
    """Which clusters were used."""
    listed = "; ".join(
        f"{table['name'] or 'one table'}: {table['words']:,} words, {table['clusters']:,} "
        f"clusters, {table['bytes'] / MILLION:.1f} MB"
        for table in task["clusters"]
    )
    return f"Word clusters, all of them at once: {listed}."


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    explanations = [
        "Means over all seeds; p is of the first seed, by McNemar's test for tags and labelled "
        "arcs, by the paired bootstrap over sentences for F1. speed: words per CPU second with "
        "clusters as a share of those without, the median of turns.",
        "spaCy's rows have the config of the other benchmarks with static vectors added to the "
        "embedding (`include_static_vectors`); words with capitals have those of their lower case.",
        notes.FOOTPRINT_NOTE,
    ]
    sections = [task_section(task) for task in data["tasks"].values()]
    if data["growth"]:
        sections.append(growth_section(data))
    return Report(summary_rows(data), SUMMARY_COLUMNS, explanations, sections)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """The tables say it all."""


def describe_clusters(means: Means) -> list[dict[str, Any]]:
    """Name and size of each table."""
    from spacy_perceptron.corpus.clusters.carrier import load_table

    tables = {name: load_table(Path(path)) for name, path in means.clusters.items()}
    return [
        {
            "name": name,
            "words": len(table),
            "clusters": len(table.paths),
            "bytes": len(table.to_bytes()),
        }
        for name, table in tables.items()
    ]


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    scale = Scale(**(QUICK if args.quick else {"other_words": 25_000, "repetitions": 7}))
    scale = scale.limit_spacy(args.max_steps_spacy)
    means = make_means(args, scale)
    chosen = [task for task in TASKS if task.name in args.only]
    data_path = data_directory(args.data)
    measured: dict[str, Any] = {}
    growth: list[dict[str, Any]] = []
    with work_directory(args.work, quick=args.quick) as work:
        for task in chosen:
            home = work / task.name
            corpus = task.make_corpus(data_path, home / "corpus", limits=scale.limits)
            workshop = Workshop(corpus, home, reuse=args.reuse)
            train(task, means, workshop)
            if not args.train_only:
                measured[task.name] = measure(task, means, scale, workshop)
        if GROWTH in args.only and not args.train_only:
            sizes = SIZES[:1] if args.quick else SIZES
            text = data_path.joinpath(*RAW_TEXT)
            growth = [run_in_child(clustering_growth, text, size) for size in sizes]
    if args.train_only:
        return
    words = command_words("clusters", args, GROUPS)
    words += [word for path in args.clusters for word in ("--clusters", path.name)]
    words += ["--vectors", args.vectors.name] if args.vectors else []
    data = {
        "benchmark": "clusters",
        "environment": describe(words, ()),
        "scale": asdict(scale),
        "tasks": measured,
        "growth": growth,
    }
    publish(data, args)
