"""What the benchmarks of parsers have in common: scale, columns, measurements, notes, plots."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wasabi import msg

from ..command.options import option_name
from ..corpora.sentences import Sentence, first_words
from ..experiments.base import Experiment, Pair, compare_pairs
from ..measures.calibration import confidence_calibration
from ..measures.parses import parse_accuracy
from ..measures.pruning import oracle_recall
from ..measures.speed import speed_result
from ..plots.systems import accuracy_against_speed, time_against_length
from ..processes.children import run_in_child
from ..processes.race import Race
from ..processes.workshop import Workshop
from ..report import notes
from ..report.files import Report
from ..report.tables import COMMON_COLUMNS, Column, Section, percentage, value_in
from ..systems.base import System
from ..systems.own.mira import MiraSystem
from ..systems.own.parser import OwnParser
from ..systems.peers.spacy_pipelines import SpacySystem, spacy_parser_system
from .comparison import QUICK, Comparison, Scale, common_result, length_curves, train_and_measure

TARGET = 0.80
TARGET_SCORE = "LAS (spaCy's dep_las)"
ACCURACY_COLUMNS = (
    Column("UAS", percentage("uas")),
    Column("LAS", percentage("las")),
    Column("UAS, no punct.", percentage("uas_no_punct")),
    Column("LAS, no punct.", percentage("las_no_punct")),
    Column("trees", percentage("exact_heads")),
    Column("labelled trees", percentage("exact")),
    Column("tags", percentage("tags")),
)
COLUMNS = (
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
class ParsingRun(Comparison):
    """What a benchmark of parsers compares.

    experiments (Sequence[Experiment]): the experiments.
    pairs (Sequence[Pair]): the systems whose arcs on test are compared.
    length_keys (Sequence[str]): the systems to time by sentence length.
    """

    experiments: Sequence[Experiment] = ()
    pairs: Sequence[Pair] = ()
    length_keys: Sequence[str] = ()

    def words(self) -> list[str]:
        return [*(option_name(experiment.name) for experiment in self.experiments), *self.options]

    def train(self, workshop: Workshop) -> None:
        for system in in_training_order(self.systems):
            workshop.train(system)
        for experiment in self.experiments:
            experiment.train(workshop)


def make_scale(args: argparse.Namespace, lengths: tuple[int, ...]) -> Scale:
    """How much the command line asks for.

    args (argparse.Namespace): the options.
    lengths (tuple[int, ...]): sentence lengths to time.
    RETURNS (Scale): the scale.
    """
    full = {"repetitions": 7, "length_words": 8_000, "length_repetitions": 3, "other_words": 25_000}
    scale = Scale(lengths=lengths, **(QUICK if args.quick else full))
    return scale.limit_spacy(args.max_steps_spacy)


def make_peer(args: argparse.Namespace, scale: Scale) -> SpacySystem:
    """spaCy's parser, trained as long as the command line allows."""
    return spacy_parser_system(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy)


def add_experiment_arguments(parser: argparse.ArgumentParser, summaries: Mapping[str, str]) -> None:
    """Add an option for each experiment."""
    for name, summary in summaries.items():
        parser.add_argument(option_name(name), action="store_true", help=summary)


def chosen_experiments(
    experiments: Mapping[str, Experiment], args: argparse.Namespace
) -> list[Experiment]:
    """The experiments that the command line asks for."""
    return [experiment for name, experiment in experiments.items() if getattr(args, name)]


def own_result(system: System, workshop: Workshop, test: Sequence[Sentence]) -> dict[str, Any]:
    """What only this package's parsers have: pruning, and calibration once per training."""
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
    with Race(systems, workshop.work) as race:
        msg.text("accuracy ...")
        race.add("test", test)
        race.add("other", first_words(workshop.corpus.sentences("train"), scale.other_words))
        analyses = {key: race.annotate(key, "test") for key in keys}
        msg.text("speed ...")
        timings = race.run("test", scale.repetitions, keys, before="other")
        alone = race.run("test", scale.repetitions, split_keys, before="other", last_only=True)
        msg.text("time against length ...")
        lengths = length_curves(race, how.length_keys, test, scale)
        split_keys = [key for key in how.length_keys if key in split_keys]
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
    """Systems that jackknife their own tags come before those that may reuse them."""
    return sorted(systems, key=lambda s: isinstance(s, OwnParser) and bool(s.folds_home))


def run(how: ParsingRun, args: argparse.Namespace) -> dict[str, Any] | None:
    """Train and measure.

    how (ParsingRun): what to compare.
    args (argparse.Namespace): the options.
    RETURNS (dict[str, Any] | None): the results as plain data, or None with `--train-only`.
    """

    def measure_all(workshop: Workshop) -> dict[str, Any]:
        return {
            **measure(how, workshop, args.target),
            "experiments": {e.name: e.run(workshop, args.target) for e in how.experiments},
        }

    return train_and_measure(how, args, measure_all)


def experiment_section(result: Mapping[str, Any]) -> Section:
    """The table of an experiment."""
    explanation = f"On {result['split']}. {result['note']}".strip()
    tests = [notes.comparison_note(comparison) for comparison in result["comparisons"]]
    return Section(result["title"], result["rows"], EXPERIMENT_COLUMNS, [explanation, *tests])


def make_report(
    data: Mapping[str, Any], columns: Sequence[Column], explanations: Sequence[str]
) -> Report:
    """The report with a further table for each experiment."""
    sections = [experiment_section(result) for result in data["experiments"].values()]
    return Report(data["systems"], columns, explanations, sections)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw LAS against speed, and time against length."""
    systems, name = data["systems"], data["benchmark"]
    path = directory / f"{name}-speed.png"
    accuracy_against_speed(systems, data["corpus"]["name"], path, part="las", title="LAS")
    for curves, what, title in (
        ("lengths", "length", ""),
        ("parser_lengths", "length-alone", ", parser alone"),
    ):
        if data[curves]:
            path = directory / f"{name}-{what}.png"
            time_against_length(data[curves], systems, path, title=title)


def corpus_note(data: Mapping[str, Any]) -> str:
    """What the columns on accuracy mean."""
    return (
        f"{data['corpus']['name']}, gold tokens and sentences, predicted tags (XPOS). Words: "
        f"{notes.corpus_sizes(data)}. UAS and LAS: all words; no punct.: without words whose gold "
        "UPOS is PUNCT. Labels are compared with their subtypes. trees: sentences in which all "
        "heads are right; labelled trees: all heads and labels."
    )


def speed_note(data: Mapping[str, Any]) -> str:
    """What the columns on speed mean."""
    return (
        f"{notes.speed_note(data)} Speed is that of whole pipelines, tagging included; parser "
        "alone: on Docs that carry predicted tags."
    )


def training_note(data: Mapping[str, Any]) -> str:
    """What the columns on training mean."""
    return (
        f"{notes.training_note(data)} That score is spaCy's dep_las, which leaves punctuation out. "
        "Training times of this package's parsers include jackknifing tags: tagging each part of "
        "train with taggers trained on the rest."
    )


def calibration_note() -> str:
    """What the columns on calibration mean."""
    return (
        "ECE: the expected calibration error of `token._.head_confidence` on test, as trained and "
        "after calibration on dev."
    )
