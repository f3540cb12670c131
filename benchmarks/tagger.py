"""Part-of-speech tagging on UD English EWT (XPOS, gold tokens) against spaCy, NLTK and CRFsuite."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from spacy.util import load_config
from wasabi import msg

from .command.options import add_common_arguments, add_training_arguments
from .comparisons.comparison import (
    BASE,
    QUICK,
    Comparison,
    Scale,
    base_key,
    choose_systems,
    common_result,
    length_curves,
    train_and_measure,
)
from .corpora.sentences import first_words
from .measures.calibration import confidence_calibration
from .measures.speed import speed_result
from .measures.tags import TagAccuracy, tag_accuracy, training_forms
from .plots.systems import accuracy_against_speed, effect_of_beam, time_against_length
from .processes.children import run_in_child
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import COMMON_COLUMNS, Column, percentage, value_in
from .systems.base import System
from .systems.own.sequences import TAGGER_CONFIG, easy_first_system
from .systems.peers.crfsuite import CrfsuiteSystem
from .systems.peers.nltk_tagger import NltkSystem
from .systems.peers.spacy_pipelines import spacy_tagger_system

GROUPS = ("ours", "spacy", "nltk", "crfsuite")
PEERS = ("nltk", "python-crfsuite")
TARGET = 0.93


@dataclass(frozen=True)
class TaggerScale(Scale):
    """How much a run trains and measures.

    beams (tuple[int, ...]): beam widths of this package's tagger.
    """

    beams: tuple[int, ...] = (1, 2, 3, 5, 8)


COLUMNS = (
    Column("accuracy", percentage("all")),
    Column("known", percentage("known")),
    Column("unknown", percentage("unknown")),
    *COMMON_COLUMNS,
    Column("again", value_in("repeated_speed", "ratio_cpu"), "{:.1f}"),
    Column("ECE", value_in("calibration", "calibrated"), "{:.4f}"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "accuracy")


def make_systems(scale: TaggerScale, max_minutes: float) -> list[System]:
    """All systems, ours first.

    scale (TaggerScale): beams of our tagger, steps of spaCy's.
    max_minutes (float): time limit for training spaCy's; 0 for none.
    RETURNS (list[System]): the systems.
    """
    return [
        *(easy_first_system(beam, small=bool(scale.limits)) for beam in scale.beams),
        spacy_tagger_system(max_steps=scale.spacy_steps, max_minutes=max_minutes),
        NltkSystem(),
        CrfsuiteSystem(),
    ]


def length_keys(systems: Sequence[System]) -> list[str]:
    """The systems to time by sentence length: ours, greedy and as shipped, and spaCy's."""
    keys = [system.key for system in systems]
    default = load_config(TAGGER_CONFIG)["components"]["tagger"]["beam_width"]
    wanted = dict.fromkeys([easy_first_system(1).key, easy_first_system(default).key, BASE])
    return [key for key in wanted if key in keys]


def accuracy_result(accuracy: TagAccuracy) -> dict[str, Any]:
    """Counts and shares as plain data."""
    counts = {"all": accuracy.all, "known": accuracy.known, "unknown": accuracy.unknown}
    return {name: {**asdict(count), "share": count.share} for name, count in counts.items()}


def measure(how: Comparison, target: float, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns the parts `systems` and `lengths` of the results."""
    corpus, scale, systems = workshop.corpus, how.scale, how.systems
    test = corpus.sentences("test")
    train = corpus.sentences("train")
    forms = training_forms(train)
    keys = [system.key for system in systems]
    with Race(systems, workshop.work) as race:
        msg.text("accuracy and speed ...")
        race.add("test", test)
        accuracies = {key: tag_accuracy(test, race.annotate(key, "test"), forms) for key in keys}
        race.add("other", first_words(train, scale.other_words))
        timings = race.run("test", scale.repetitions, keys, before="other")
        repeated = race.run("test", scale.length_repetitions, keys, before="test")
        lengths = length_curves(race, length_keys(systems), test, scale)
    results = []
    for system in systems:
        calibration = None
        if system.group == "ours":
            model = system.model_path(workshop.directory(system))
            args = (model, corpus.path("dev"), test, "tag")
            calibration = run_in_child(confidence_calibration, *args)
        results.append(
            {
                **common_result(system, workshop, test, timings, target, scale.processes),
                "accuracy": accuracy_result(accuracies[system.key]),
                "repeated_speed": speed_result(repeated, system.key, base_key(keys)),
                "calibration": calibration,
            }
        )
    return {"systems": results, "lengths": lengths}


def make_report(data: Mapping[str, Any]) -> Report:
    """The table and what its columns mean."""
    explanations = [
        f"{data['corpus']['name']}, XPOS, gold tokens and sentences. Words: "
        f"{notes.corpus_sizes(data)}. Unknown words are those whose form does not occur in train.",
        f"{notes.speed_note(data)} again: the same ratio when the process has just annotated the "
        "test text itself. Our tagger caches the scores of words and contexts it has met.",
        notes.training_note(data),
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]
    return Report(data["systems"], COLUMNS, explanations)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    systems = data["systems"]
    accuracy_against_speed(systems, data["corpus"]["name"], directory / "tagger-speed.png")
    if data["lengths"]:
        time_against_length(data["lengths"], systems, directory / "tagger-length.png")
    beams = {
        int(result["key"].removeprefix("ours-beam")): result
        for result in systems
        if result["group"] == "ours"
    }
    if len(beams) > 1:
        effect_of_beam(beams, directory / "tagger-beam.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = TaggerScale(beams=(1, 3), **QUICK) if args.quick else TaggerScale()
    scale = scale.limit_spacy(args.max_steps_spacy)
    systems = choose_systems(make_systems(scale, args.max_minutes_spacy), args.only, GROUPS)
    how = Comparison("tagger", GROUPS, scale, systems, PEERS)
    data = train_and_measure(how, args, partial(measure, how, args.target))
    if data is not None:
        publish(data, args)
