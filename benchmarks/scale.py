"""Many words and many workers: annotation by one process and two, memory, training on shards, and
the time of its rounds.

The groups can be measured in runs of their own: results of the others are kept.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .command.options import (
    add_common_arguments,
    check_groups,
    command_words,
    output_directory,
    work_directory,
)
from .comparisons.comparison import is_installed
from .comparisons.scaled import MEASURES, QUICK, Means, ScalingScale
from .corpora.corpus import data_directory, ewt
from .corpora.running_text import sample_corpus
from .measures.scaling.rounds import round_rows
from .measures.scaling.training import curve_label
from .plots.scaling import accuracy_by_round, memory_by_words, round_by_size
from .processes.environment import describe
from .processes.workshop import Workshop
from .report.files import Report, publish
from .report.scaling import GROUPS, MEMORY, ROUNDS, TRAINING, make_sections

NAME = "scale"
SIZES = ("words", "seeds", "shards", "sentences")


def numbers(text: str) -> tuple[int, ...]:
    """Read a list of numbers, such as `1e6,1e7`."""
    return tuple(int(float(part)) for part in text.split(","))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    parser.add_argument("--model", type=Path, help="pipeline to annotate with (default: a tagger)")
    parser.add_argument("--words", type=numbers, help="words to annotate (default: 1e6,1e7)")
    parser.add_argument("--seeds", type=int, help="seeds of a training (default: 3)")
    parser.add_argument("--shards", type=numbers, help="numbers of shards (default: 1,2,4,8)")
    parser.add_argument(
        "--sentences", type=numbers, help="sizes of corpora to time (default: 1e4,4e4,1.6e5)"
    )


def make_scale(args: argparse.Namespace) -> ScalingScale:
    """What the command line asks for."""
    given = {name: getattr(args, name) for name in SIZES}
    base = QUICK if args.quick else ScalingScale()
    return replace(base, **{name: value for name, value in given.items() if value is not None})


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    first, *others = make_sections(data)
    return Report(first.results, first.columns, first.notes, others)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what has been measured."""
    groups = data["groups"]
    if MEMORY in groups:
        lines = {result["key"]: result["points"] for result in groups[MEMORY]["processes"]}
        memory_by_words(lines, directory / "scale-memory.png")
    if TRAINING in groups:
        panels = {
            system["label"]: {curve_label(int(n)): seeds for n, seeds in system["curves"].items()}
            for system in groups[TRAINING]["systems"]
        }
        accuracy_by_round(panels, directory / "scale-training.png")
    if ROUNDS in groups:
        sizes = [result for result in groups[ROUNDS]["timings"] if result["size"]]
        rows = [row for result in sizes for row in round_rows(result)]
        if rows:
            n_workers = max(row["n_workers"] for row in rows)
            most = [row for row in rows if row["n_workers"] == n_workers]
            round_by_size(most, directory / "scale-rounds.png")


def earlier_groups(path: Path, measured: Sequence[str]) -> dict[str, Any]:
    """The groups that an earlier run has measured and this one has not.

    path (Path): the results of earlier runs.
    measured (Sequence[str]): what this run measures.
    RETURNS (dict[str, Any]): their results.
    """
    if not path.exists():
        return {}
    groups: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))["groups"]
    return {name: group for name, group in groups.items() if name not in measured}


def run_words(args: argparse.Namespace) -> list[str]:
    """The command that repeats a run."""
    words = command_words(NAME, args, GROUPS)
    words += ["--model", args.model.name] if args.model else []
    for name in SIZES:
        value = getattr(args, name)
        if value is not None:
            listed = value if isinstance(value, tuple) else (value,)
            words += [f"--{name}", ",".join(f"{number:g}" for number in listed)]
    return words


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    if not is_installed("ray") and set(args.only) != {MEMORY}:
        raise ImportError("Ray is not installed: pip install 'spacy-perceptron[ray]'")
    scale = make_scale(args)
    data = None if args.quick else data_directory(args.data)
    with work_directory(args.work, quick=args.quick) as work:
        corpus = sample_corpus(work / "corpus") if data is None else ewt(data, work / "corpus")
        means = Means(Workshop(corpus, work, reuse=args.reuse), data, args.model, scale)
        if args.train_only:
            means.trained_tagger()
            return
        results = {name: MEASURES[name](means) for name in GROUPS if name in args.only}
    environment = describe(run_words(args), ("ray",), cores_used="two")
    earlier = earlier_groups(
        output_directory(args.output, quick=args.quick) / f"{NAME}.json", args.only
    )
    new = {name: {"environment": environment, **group} for name, group in results.items()}
    groups = {**earlier, **new}
    ordered = {name: groups[name] for name in GROUPS if name in groups}
    publish({"benchmark": NAME, "environment": environment, "groups": ordered}, args)
