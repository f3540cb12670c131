"""Part-of-speech tagging on UD English EWT (XPOS, gold tokens) against spaCy, NLTK and CRFsuite."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from spacy.util import load_config
from wasabi import msg

from . import plots
from .accuracy import TagAccuracy, tag_accuracy, training_forms
from .calibration import tag_calibration
from .children import run_in_child
from .corpora import SPLITS, Corpus, data_directory, ewt
from .environment import describe
from .options import add_common_arguments, check_groups, output_directory, work_directory
from .records import TrainingRecord
from .report import COMMON_COLUMNS, Column, console_table, used_columns, write_report
from .results import footprint_result, speed_result, training_result
from .sentences import Sentence, count_words, resegment
from .stages import Race, train_or_reuse
from .systems.base import System
from .systems.crfsuite_tagger import CrfsuiteSystem
from .systems.nltk_tagger import NltkSystem
from .systems.spacy_pipeline import CONFIG, easy_first_system, spacy_system

GROUPS = ("ours", "spacy", "nltk", "crfsuite")
BASE = "spacy"
TARGET = 0.93


@dataclass(frozen=True)
class Scale:
    """How much a run trains and measures."""

    beams: tuple[int, ...] = (1, 2, 3, 5, 8)
    limits: dict[str, int] = field(default_factory=dict)
    spacy_steps: int | None = None
    repetitions: int = 9
    processes: int = 3
    lengths: tuple[int, ...] = (10, 25, 50, 100, 200, 500, 1000)
    length_words: int = 20_000
    length_repetitions: int = 5
    other_words: int = 100_000


QUICK = Scale(
    beams=(1, 3),
    limits={"train": 500, "dev": 200, "test": 500},
    spacy_steps=200,
    repetitions=3,
    processes=1,
    length_words=2_000,
    length_repetitions=1,
    other_words=5_000,
)


def _share(part: str) -> Any:
    """Percentage of correct tags in a part of the words."""

    def value(result: Any) -> float | None:
        share = result["accuracy"][part]["share"]
        return None if share is None else 100 * share

    return value


COLUMNS = (
    Column("accuracy", _share("all")),
    Column("known", _share("known")),
    Column("unknown", _share("unknown")),
    *COMMON_COLUMNS,
    Column("again", lambda result: result["repeated_speed"]["ratio_cpu"], "{:.1f}"),
    Column("ECE", lambda result: (result["calibration"] or {}).get("calibrated"), "{:.4f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    parser.add_argument("--max-minutes-spacy", type=float, default=0.0, help="0: no limit")
    parser.add_argument("--target", type=float, default=TARGET, help="dev accuracy to reach")


def make_systems(groups: Sequence[str], scale: Scale, max_minutes: float) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names out of GROUPS.
    scale (Scale): beams of our tagger, steps of spaCy's.
    max_minutes (float): time limit for training spaCy's; 0 for none.
    RETURNS (list[System]): ours first.
    """
    check_groups(groups, GROUPS)
    available: list[System] = [
        *(easy_first_system(beam, small=bool(scale.limits)) for beam in scale.beams),
        spacy_system(max_steps=scale.spacy_steps, max_minutes=max_minutes),
        NltkSystem(),
        CrfsuiteSystem(),
    ]
    systems = [system for system in available if system.group in groups]
    for system in systems:
        package = system.library.split(".")[0]
        if find_spec(package) is None:
            raise ImportError(
                f"{system.label} needs {package}: install spacy-perceptron[benchmarks] "
                f"or leave it out with --only"
            )
    return systems


def command_words(args: argparse.Namespace) -> list[str]:
    """The command that repeats a run, without options that only name directories."""
    words = ["python", "-m", "benchmarks", "tagger"]
    words += ["--quick"] if args.quick else []
    words += ["--reuse"] if args.reuse else []
    words += ["--only", ",".join(args.only)] if set(args.only) != set(GROUPS) else []
    limit = args.max_minutes_spacy
    words += ["--max-minutes-spacy", f"{limit:g}"] if limit else []
    words += ["--target", f"{args.target:g}"] if args.target != TARGET else []
    return words


def length_curves(race: Race, systems: Sequence[System], test: list[Sentence], scale: Scale) -> Any:
    """Timings by system and sentence length: ours greedy and as configured, and spaCy's."""
    keys = [system.key for system in systems]
    default = load_config(CONFIG)["components"]["tagger"]["beam_width"]
    wanted = dict.fromkeys([easy_first_system(1).key, easy_first_system(default).key, BASE])
    chosen = [key for key in wanted if key in keys]
    curves: dict[str, dict[str, Any]] = {key: {} for key in chosen}
    for length in scale.lengths:
        name = str(length)
        race.add(name, resegment(test, length, scale.length_words))
        for key, timings in race.run(name, scale.length_repetitions, chosen, before=name).items():
            curves[key][name] = timings
    return curves


def accuracy_result(accuracy: TagAccuracy) -> dict[str, Any]:
    """Counts and shares as plain data."""
    counts = {"all": accuracy.all, "known": accuracy.known, "unknown": accuracy.unknown}
    return {name: {**asdict(count), "share": count.share} for name, count in counts.items()}


def other_text(sentences: Sequence[Sentence], n_words: int) -> list[Sentence]:
    """The first sentences with about so many words."""
    chosen: list[Sentence] = []
    total = 0
    for sentence in sentences:
        if total >= n_words:
            break
        chosen.append(sentence)
        total += len(sentence.words)
    return chosen


def measure(
    systems: Sequence[System],
    records: dict[str, TrainingRecord],
    corpus: Corpus,
    work: Path,
    scale: Scale,
    target: float,
) -> dict[str, Any]:
    """Measure trained systems; returns the parts `systems` and `lengths` of the results."""
    test = corpus.sentences("test")
    forms = training_forms(corpus.sentences("train"))
    with Race(systems, work) as race:
        msg.text("accuracy and speed ...")
        race.add("test", test)
        accuracies = {
            system.key: tag_accuracy(test, race.annotate(system.key, "test"), forms)
            for system in systems
        }
        race.add("other", other_text(corpus.sentences("train"), scale.other_words))
        keys = [system.key for system in systems]
        timings = race.run("test", scale.repetitions, keys, before="other")
        repeated = race.run("test", scale.length_repetitions, keys, before="test")
        lengths = length_curves(race, systems, test, scale)
    base = BASE if BASE in timings else None
    results = []
    for system in systems:
        msg.text(f"{system.label}: load time, memory ...")
        directory = work / system.key
        calibration = None
        if system.group == "ours":
            model = system.model_path(directory)
            calibration = run_in_child(tag_calibration, model, corpus.path("dev"), test)
        results.append(
            {
                "key": system.key,
                "name": system.name,
                "setting": system.setting,
                "label": system.label,
                "group": system.group,
                "accuracy": accuracy_result(accuracies[system.key]),
                "speed": speed_result(timings, system.key, base),
                "repeated_speed": speed_result(repeated, system.key, base),
                "training": training_result(records[system.key], target),
                **footprint_result(system, directory, test, scale.processes),
                "calibration": calibration,
            }
        )
    return {"systems": results, "lengths": lengths}


def notes(data: dict[str, Any], target: float) -> list[str]:
    """What the columns mean."""
    sizes = ", ".join(f"{split} {words:,}" for split, words in data["corpus"]["words"].items())
    remarks = [
        f"{data['corpus']['name']}, XPOS, gold tokens and sentences, words: {sizes}. "
        "Unknown words have forms that do not occur in train.",
        "words/s: median of repetitions taken in turns, single-threaded, on ready-made inputs, "
        "feature extraction included, for text that is new to a process which has annotated "
        f"{data['scale']['other_words']:,} words of training text before. "
        "× spaCy: median ratio of CPU times within a turn. again: the same ratio when the test "
        "text itself was annotated just before; ours keeps scores of words and contexts it met.",
        "Training times of pipelines include initialization, evaluation on dev and saving; "
        "train and dev are read with gold tokens. "
        f"To best: until the best checkpoint on dev. To target: until {target:.1%} on dev.",
        "load: in a fresh process that has imported the library. Memory of that process in MB: "
        "its peak while tagging test, and how far peak and what stays resident afterwards exceed "
        "those of the same process without a model. The peak grows with the batch of `nlp.pipe`.",
    ]
    for flag, text in (
        ("stopped_early", "Training ended by the time limit"),
        ("reused", "Training times from an earlier run, under that run's load"),
    ):
        labels = [system["label"] for system in data["systems"] if system["training"][flag]]
        if labels:
            remarks.append(f"{text}: {', '.join(labels)}.")
    return remarks


def draw(data: dict[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    systems = data["systems"]
    name = data["corpus"]["name"]
    plots.accuracy_against_speed(systems, name, directory / "tagger-speed.png")
    if data["lengths"]:
        plots.time_against_length(data["lengths"], systems, directory / "tagger-length.png")
    beams = {
        int(result["key"].removeprefix("ours-beam")): result
        for result in systems
        if result["group"] == "ours"
    }
    if len(beams) > 1:
        plots.effect_of_beam(beams, directory / "tagger-beam.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = QUICK if args.quick else Scale()
    systems = make_systems(args.only, scale, args.max_minutes_spacy)
    with work_directory(args.work, quick=args.quick) as work:
        corpus = ewt(data_directory(args.data), work / "corpus", limits=scale.limits)
        records = {
            system.key: train_or_reuse(system, corpus, work, reuse=args.reuse) for system in systems
        }
        if args.train_only:
            return
        data = {
            "benchmark": "tagger",
            "environment": describe(command_words(args)),
            "corpus": {
                "name": corpus.name,
                "words": {split: count_words(corpus.sentences(split)) for split in SPLITS},
            },
            "scale": asdict(scale),
            **measure(systems, records, corpus, work, scale, args.target),
        }
    columns = used_columns(data["systems"], COLUMNS)
    print(console_table(data["systems"], columns))
    output = output_directory(args.output, quick=args.quick)
    write_report(output, data, columns, notes(data, args.target))
    draw(data, output)
    msg.good(f"results in {output}")
