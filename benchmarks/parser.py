"""Dependency parsing on UD English EWT (gold tokens, predicted tags) against spaCy and UDPipe 1."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wasabi import msg

from . import plots
from .calibration import confidence_calibration
from .children import run_in_child
from .comparison import (
    FOOTPRINT_NOTE,
    QUICK,
    Scale,
    choose_systems,
    common_result,
    corpus_sizes,
    flagged_trainings,
    length_curves,
    open_workshop,
    publish,
    run_header,
    speed_note,
    training_note,
)
from .experiments import (
    Experiment,
    Pair,
    compare_pairs,
    comparison_note,
    experiment_section,
    make_experiments,
)
from .options import add_common_arguments, add_training_arguments
from .oracle import oracle_recall
from .parse_accuracy import parse_accuracy
from .report import COMMON_COLUMNS, Column, percentage, value_in
from .results import speed_result
from .sentences import Sentence, first_words
from .stages import Race, Timing, Workshop, fitted_exponent
from .systems.base import System
from .systems.mira_parser import MiraSystem, mira_system, unpruned_mira
from .systems.spacy_parser import SpacyParserSystem, spacy_parser_system
from .systems.udpipe_parser import udpipe_systems

GROUPS = ("ours", "spacy", "udpipe")
PEERS = ("ufal.udpipe",)
TARGET = 0.80
LENGTHS = (10, 20, 40, 80, 160, 200)
FITTED = (20, 160)
FULL = Scale(
    repetitions=7,
    lengths=LENGTHS,
    length_words=8_000,
    length_repetitions=3,
    other_words=25_000,
)
EXPERIMENTS = {
    "k_table": "train with each number of best trees; accuracy on dev",
    "learners": "train with the averaged perceptron too",
    "gold_tags": "train and test on gold tags too",
    "guide": "train with spaCy's parser as guide too",
}

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
    Column("pruner's recall", value_in("pruning", "oracle_recall"), "{:.4f}"),
)
EXPERIMENT_COLUMNS = (
    *ACCURACY_COLUMNS,
    Column("training s", value_in("training", "wall"), "{:,.0f}"),
    Column("CPU s", value_in("training", "cpu"), "{:,.0f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "LAS (spaCy's dep_las)")
    for name in ("tagger", "parser"):
        what = f"options in the training of UDPipe's {name}, such as iterations=5"
        parser.add_argument(f"--udpipe-{name}", default="", metavar="OPTIONS", help=what)
    for name, what in EXPERIMENTS.items():
        parser.add_argument(_option(name), action="store_true", help=what)


def _option(name: str) -> str:
    """The command line option of an experiment."""
    return f"--{name.replace('_', '-')}"


def make_systems(
    groups: Sequence[str],
    guide: SpacyParserSystem,
    *,
    udpipe: Sequence[str] = ("", ""),
    small: bool = False,
) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names out of GROUPS.
    guide (SpacyParserSystem): spaCy's pipeline.
    udpipe (Sequence[str]): options in the training of UDPipe's tagger and parser.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): ours first.
    """
    available: list[System] = [
        mira_system(1, small=small),
        unpruned_mira(1, small=small),
        mira_system(2, small=small),
        guide,
        *udpipe_systems(tagger=udpipe[0], parser=udpipe[1], quick=small),
    ]
    return choose_systems(available, groups, GROUPS)


def _pairs(systems: Sequence[System]) -> list[Pair]:
    """Every trained parser of ours with each peer."""
    ours = [s.key for s in systems if s.group == "ours" and s.home == s.key]
    peers = [s.key for s in systems if s.group != "ours" and s.home == s.key]
    return [Pair(key, peer, labelled=True) for key in ours for peer in peers]


def length_result(curves: dict[str, dict[str, list[Timing]]]) -> dict[str, float]:
    """The fitted exponent of the time per sentence, by system."""
    return {key: fitted_exponent(by_length, *FITTED) for key, by_length in curves.items()}


def own_result(system: System, workshop: Workshop, test: Sequence[Sentence]) -> dict[str, Any]:
    """What only this package's parser can tell: pruning, and calibration once per training."""
    if not isinstance(system, MiraSystem):
        return {"calibration": None, "pruning": None}
    msg.text(f"{system.label}: calibration, pruning ...")
    directory, corpus = workshop.directory(system), workshop.corpus
    calibration = None
    if system.home == system.key:
        args = (system.model_path(directory), corpus.path("dev"), test, "head")
        calibration = run_in_child(confidence_calibration, *args)
    recall = run_in_child(oracle_recall, system, directory, corpus, "test")
    return {"calibration": calibration, "pruning": {"oracle_recall": recall}}


def measure(
    systems: Sequence[System], workshop: Workshop, scale: Scale, target: float
) -> dict[str, Any]:
    """Measure trained systems; returns all parts of the results but the experiments."""
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
        lengths = length_curves(race, keys, test, scale)
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
        "comparisons": compare_pairs(test, analyses, labels, _pairs(systems)),
        "lengths": lengths,
        "parser_lengths": parser_lengths,
        "exponents": {"pipeline": length_result(lengths), "parser": length_result(parser_lengths)},
    }


def exponent_note(data: dict[str, Any]) -> str:
    """How time grows with length, in a sentence."""
    labels = {system["key"]: system["label"] for system in data["systems"]}
    alone, whole = data["exponents"]["parser"], data["exponents"]["pipeline"]
    parts = [f"{labels[key]} {value:.2f}" for key, value in alone.items()]
    parts += [f"{labels[key]} (pipeline) {whole[key]:.2f}" for key in whole if key not in alone]
    low, high = FITTED
    return (
        f"Time per sentence grows with its length to the power of, fitted from {low} to {high} "
        f"words: {', '.join(parts)}. The parser alone, where it can be timed alone."
    )


def notes(data: dict[str, Any], target: float) -> list[str]:
    """What the columns mean."""
    return [
        f"{data['corpus']['name']}, gold tokens and sentences, predicted tags (XPOS), words: "
        f"{corpus_sizes(data)}. UAS and LAS over all words; no punct.: without words whose gold "
        "UPOS is PUNCT. Labels as they are, subtypes included. trees: sentences with all heads "
        "right; labelled trees: with all labels right too.",
        speed_note(data)
        + " Whole pipelines, tagging included; parser alone: on docs that carry predicted tags.",
        training_note(target)
        + " The target is spaCy's dep_las, without punctuation. Ours includes jackknifing of tags. "
        "Without pruning and greedy: the same trained model, loaded with another setting.",
        FOOTPRINT_NOTE,
        "ECE: expected calibration error of `token._.head_confidence` on test, as trained and "
        "after calibration on dev. pruner's recall: share of gold arcs of test left after pruning.",
        exponent_note(data),
        *(comparison_note(comparison) for comparison in data["comparisons"]),
        *flagged_trainings(data["systems"]),
    ]


def draw(data: dict[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    systems, name = data["systems"], data["corpus"]["name"]
    plots.accuracy_against_speed(
        systems, name, directory / "parser-speed.png", part="las", title="LAS"
    )
    for curves, what in (("lengths", "length"), ("parser_lengths", "length-alone")):
        if data[curves]:
            path = directory / f"parser-{what}.png"
            alone = ", parser alone" if curves == "parser_lengths" else ""
            plots.time_against_length(data[curves], systems, path, title=alone)
    if "k_table" in data["experiments"]:
        rows = data["experiments"]["k_table"]["rows"]
        by_k = {int(row["key"].rpartition("-k")[2]): row for row in rows}
        plots.effect_of_k(by_k, directory / "parser-k.png")


def chosen_experiments(
    args: argparse.Namespace, guide: SpacyParserSystem, *, small: bool
) -> list[Experiment]:
    """The experiments that the command line asks for."""
    experiments = make_experiments(guide, small=small)
    return [experiments[name] for name in EXPERIMENTS if getattr(args, name)]


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = Scale(**{**QUICK, "lengths": LENGTHS}) if args.quick else FULL
    scale = scale.limit_spacy(args.max_steps_spacy)
    guide = spacy_parser_system(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy)
    udpipe = {"--udpipe-tagger": args.udpipe_tagger, "--udpipe-parser": args.udpipe_parser}
    systems = make_systems(args.only, guide, udpipe=[*udpipe.values()], small=args.quick)
    experiments = chosen_experiments(args, guide, small=args.quick)
    options = [_option(experiment.name) for experiment in experiments]
    options += [word for option in udpipe.items() if option[1] for word in option]
    with open_workshop(args, scale) as workshop:
        for system in systems:
            workshop.train(system)
        for experiment in experiments:
            experiment.train(workshop)
        if args.train_only:
            return
        data = {
            **run_header(
                "parser",
                args,
                GROUPS,
                corpus=workshop.corpus,
                scale=scale,
                peers=PEERS,
                options=options,
            ),
            **measure(systems, workshop, scale, args.target),
            "experiments": {e.name: e.run(workshop, args.target) for e in experiments},
        }
    sections = [
        experiment_section(result, EXPERIMENT_COLUMNS) for result in data["experiments"].values()
    ]
    output = publish(data, args, COLUMNS, notes(data, args.target), sections)
    draw(data, output)
    msg.good(f"results in {output}")
