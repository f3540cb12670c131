"""Entity recognition on web text (UNER English EWT) against spaCy and CRFsuite."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from wasabi import msg

from .command.options import add_common_arguments, add_training_arguments
from .comparisons.comparison import (
    QUICK,
    Comparison,
    Scale,
    choose_systems,
    common_result,
    train_and_measure,
)
from .corpora.entities import entity_corpus
from .corpora.sentences import first_words
from .measures.entities import compare_entities, entity_accuracy
from .plots.systems import accuracy_against_speed
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import COMMON_COLUMNS, Column, Section, percentage, value_in
from .systems.base import System
from .systems.own.sequences import own_entity_system
from .systems.peers.crfsuite import CrfsuiteSystem, lbfgs_system
from .systems.peers.spacy_pipelines import spacy_entity_system

GROUPS = ("ours", "spacy", "crfsuite")
PEERS = ("python-crfsuite",)
TARGET = 0.6
PARTS = ("boundaries", "typed")


@dataclass(frozen=True)
class EntityScale(Scale):
    """How much a run trains and measures.

    beams (tuple[int, ...]): beam widths of this package's recognizer; the first is compared.
    repetitions, processes, other_words (int): see `Scale`; train has 61,642 words.
    """

    beams: tuple[int, ...] = (4,)
    repetitions: int = 5
    processes: int = 1
    other_words: int = 60_000


COLUMNS = (
    *(
        Column(f"{part} {title}", percentage(part, name))
        for part in PARTS
        for title, name in (("P", "precision"), ("R", "recall"), ("F1", "share"))
    ),
    *COMMON_COLUMNS,
)
COMPARISON_COLUMNS = tuple(
    Column(f"{part} {title}", value_in(part, key), form)
    for part in PARTS
    for title, key, form in (("ΔF1", "delta", "{:+.4f}"), ("p", "p_value", "{:.4f}"))
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "typed F1")


def make_systems(scale: EntityScale, max_minutes: float) -> list[System]:
    """All systems, ours first; `max_minutes` limits the training of spaCy's, 0 for no limit."""
    own = [own_entity_system(beam, small=bool(scale.limits)) for beam in scale.beams]
    peer = spacy_entity_system(max_steps=scale.spacy_steps, max_minutes=max_minutes)
    return [*own, peer, CrfsuiteSystem(), lbfgs_system()]


def measure(how: Comparison, target: float, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns the parts `systems` and `comparisons` of the results."""
    corpus, scale, systems = workshop.corpus, how.scale, how.systems
    test = corpus.sentences("test")
    keys = [system.key for system in systems]
    with Race(systems, workshop.work) as race:
        msg.text("accuracy and speed ...")
        race.add("test", test)
        answers = {key: race.annotate(key, "test") for key in keys}
        race.add("other", first_words(corpus.sentences("train"), scale.other_words))
        timings = race.run("test", scale.repetitions, keys, before="other")
    results = [
        {
            **common_result(system, workshop, test, timings, target, scale.processes),
            "accuracy": entity_accuracy(test, answers[system.key]),
        }
        for system in systems
    ]
    own = [system for system in systems if system.group == "ours"]
    comparisons = [
        {
            "label": f"{own[0].label} – {system.label}",
            **{
                part: compare_entities(
                    test, answers[system.key], answers[own[0].key], typed=part == "typed"
                )
                for part in PARTS
            },
        }
        for system in systems
        if own and system.group != "ours"
    ]
    return {"systems": results, "comparisons": comparisons}


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    explanations = [
        f"{data['corpus']['name']}, gold tokens and sentences. Words: {notes.corpus_sizes(data)}. "
        "Train: EWT and Wikigold without MISC; dev: every tenth sentence of EWT's train; test: "
        "EWT. Exact spans are counted by their boundaries alone, and with their types (PER, LOC, "
        "ORG).",
        notes.speed_note(data),
        notes.training_note(data),
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]
    sections = []
    if data["comparisons"]:
        note = "The paired bootstrap over sentences: 10,000 draws, two-sided p."
        sections = [Section("Differences", data["comparisons"], COMPARISON_COLUMNS, (note,))]
    return Report(data["systems"], COLUMNS, explanations, sections)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw F1 of boundaries against speed."""
    path, name = directory / "ner-speed.png", data["corpus"]["name"]
    accuracy_against_speed(data["systems"], name, path, part="boundaries", title="F1")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = (EntityScale(**QUICK) if args.quick else EntityScale()).limit_spacy(
        args.max_steps_spacy
    )
    systems = choose_systems(make_systems(scale, args.max_minutes_spacy), args.only, GROUPS)
    how = Comparison("ner", GROUPS, scale, systems, PEERS, make_corpus=entity_corpus)
    data = train_and_measure(how, args, partial(measure, how, args.target))
    if data is not None:
        publish(data, args)
