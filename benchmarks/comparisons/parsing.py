"""What the benchmarks of parsers have in common: columns, measurements, experiments, notes."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wasabi import msg

from ..corpora.sentences import Sentence, first_words
from ..experiments.base import Experiment, Pair, compare_pairs, experiment_section
from ..measures.calibration import confidence_calibration
from ..measures.common import speed_result
from ..measures.parses import parse_accuracy
from ..measures.pruning import oracle_recall
from ..processes.children import run_in_child
from ..processes.stages import Race, Workshop
from ..report.tables import COMMON_COLUMNS, Column, percentage, value_in
from ..systems.base import System
from ..systems.own.mira import MiraSystem
from ..systems.own.parser import OwnParser
from .common import (
    Scale,
    common_result,
    corpus_sizes,
    length_curves,
    open_workshop,
    publish,
    run_header,
    speed_note,
    training_note,
)

ACCURACY_COLUMNS = (
    Column("UAS", percentage("uas")),
    Column("LAS", percentage("las")),
    Column("UAS, no punct.", percentage("uas_no_punct")),
    Column("LAS, no punct.", percentage("las_no_punct")),
    Column("trees", percentage("exact_heads")),
    Column("labelled trees", percentage("exact")),
    Column("tags", percentage("tags")),
)
PARSER_COLUMNS = (
    *ACCURACY_COLUMNS,
    *COMMON_COLUMNS,
    Column("parser alone, words/CPU s", value_in("parser_speed", "cpu"), "{:,.0f}"),
    Column("ECE as trained", value_in("calibration", "as_trained"), "{:.4f}"),
    Column("ECE", value_in("calibration", "calibrated"), "{:.4f}"),
)
EXPERIMENT_COLUMNS = (
    *ACCURACY_COLUMNS,
    Column("training s", value_in("training", "wall"), "{:,.0f}"),
    Column("CPU s", value_in("training", "cpu"), "{:,.0f}"),
)


@dataclass(frozen=True)
class ParsingRun:
    """What a benchmark of parsers compares.

    name (str): the benchmark.
    groups (Sequence[str]): its groups of systems.
    scale (Scale): how much it trains and measures.
    systems (Sequence[System]): the systems.
    experiments (Sequence[Experiment]): the experiments.
    pairs (Sequence[Pair]): the systems whose arcs on test are compared.
    peers (Sequence[str]): packages of the systems compared with, beside spaCy.
    options (Sequence[str]): further words of its command.
    length_keys (Sequence[str] | None): the systems to time by sentence length; None for all.
    """

    name: str
    groups: Sequence[str]
    scale: Scale
    systems: Sequence[System]
    experiments: Sequence[Experiment] = ()
    pairs: Sequence[Pair] = ()
    peers: Sequence[str] = ()
    options: Sequence[str] = ()
    length_keys: Sequence[str] | None = None


def own_result(system: System, workshop: Workshop, test: Sequence[Sentence]) -> dict[str, Any]:
    """What only this package's parsers can tell: pruning, and calibration once per training."""
    result: dict[str, Any] = {"calibration": None, "pruning": None}
    if not isinstance(system, OwnParser):
        return result
    directory, corpus = workshop.directory(system), workshop.corpus
    if system.home == system.key:
        msg.text(f"{system.label}: calibration ...")
        args = (system.model_path(directory), corpus.path("dev"), test, "head")
        result["calibration"] = run_in_child(confidence_calibration, *args)
    if isinstance(system, MiraSystem):
        msg.text(f"{system.label}: pruning ...")
        recall = run_in_child(oracle_recall, system, directory, corpus, "test")
        result["pruning"] = {"oracle_recall": recall}
    return result


def measure(how: ParsingRun, workshop: Workshop, target: float) -> dict[str, Any]:
    """Measure trained systems; returns all parts of the results but the experiments."""
    systems, scale = how.systems, how.scale
    test = workshop.corpus.sentences("test")
    keys = [system.key for system in systems]
    split_keys = [system.key for system in systems if system.has_parts]
    long_keys = keys if how.length_keys is None else list(how.length_keys)
    with Race(systems, workshop.work) as race:
        msg.text("accuracy ...")
        race.add("test", test)
        race.add("other", first_words(workshop.corpus.sentences("train"), scale.other_words))
        analyses = {key: race.annotate(key, "test") for key in keys}
        msg.text("speed ...")
        timings = race.run("test", scale.repetitions, keys, before="other")
        alone = race.run("test", scale.repetitions, split_keys, before="other", last_only=True)
        msg.text("time against length ...")
        lengths = length_curves(race, long_keys, test, scale)
        split_keys = [key for key in long_keys if key in split_keys]
        parser_lengths = length_curves(race, split_keys, test, scale, last_only=True)
    results = [
        {
            **common_result(system, workshop, test, timings, target, scale.processes),
            "accuracy": parse_accuracy(test, analyses[system.key]),
            "parser_speed": speed_result(alone, system.key, None) if system.has_parts else None,
            **own_result(system, workshop, test),
        }
        for system in systems
    ]
    labels = {system.key: system.label for system in systems}
    return {
        "systems": results,
        "comparisons": compare_pairs(test, analyses, labels, how.pairs),
        "lengths": lengths,
        "parser_lengths": parser_lengths,
    }


def in_training_order(systems: Sequence[System]) -> list[System]:
    """Systems that make their own folds come before those that may reuse them."""
    return sorted(systems, key=lambda s: isinstance(s, OwnParser) and bool(s.folds_home))


def run_parsing(how: ParsingRun, args: argparse.Namespace) -> dict[str, Any] | None:
    """Train and measure.

    how (ParsingRun): what to compare.
    args (argparse.Namespace): the options.
    RETURNS (dict[str, Any] | None): the results as plain data, or None after mere training.
    """
    with open_workshop(args, how.scale) as workshop:
        for system in in_training_order(how.systems):
            workshop.train(system)
        for experiment in how.experiments:
            experiment.train(workshop)
        if args.train_only:
            return None
        return {
            **run_header(
                how.name,
                args,
                how.groups,
                corpus=workshop.corpus,
                scale=how.scale,
                peers=how.peers,
                options=how.options,
            ),
            **measure(how, workshop, args.target),
            "experiments": {e.name: e.run(workshop, args.target) for e in how.experiments},
        }


def publish_parsing(
    data: Mapping[str, Any],
    args: argparse.Namespace,
    columns: Sequence[Column],
    notes: Sequence[str],
) -> Path:
    """Print the tables and write the report; returns the directory of the results."""
    results = data["experiments"].values()
    sections = [experiment_section(result, EXPERIMENT_COLUMNS) for result in results]
    return publish(data, args, columns, notes, sections)


def corpus_note(data: Mapping[str, Any]) -> str:
    """What the columns on accuracy mean."""
    return (
        f"{data['corpus']['name']}, gold tokens and sentences, predicted tags (XPOS), words: "
        f"{corpus_sizes(data)}. UAS and LAS over all words; no punct.: without words whose gold "
        "UPOS is PUNCT. Labels as they are, subtypes included. trees: sentences with all heads "
        "right; labelled trees: with all labels right too."
    )


def parser_speed_note(data: Mapping[str, Any]) -> str:
    """What the columns on speed mean."""
    return (
        f"{speed_note(data)} Whole pipelines, tagging included; parser alone: on docs that carry "
        "predicted tags."
    )


def parser_training_note(target: float) -> str:
    """What the columns on training mean."""
    return (
        f"{training_note(target)} The target is spaCy's dep_las, without punctuation. Ours "
        "includes jackknifing of tags."
    )


def calibration_note() -> str:
    """What the columns on calibration mean."""
    return (
        "ECE: expected calibration error of `token._.head_confidence` on test, as trained and "
        "after calibration on dev."
    )
