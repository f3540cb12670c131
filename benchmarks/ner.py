"""Entity recognition on web text (UNER English EWT) against spaCy and CRFsuite."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wasabi import msg

from .comparisons.common import (
    FOOTPRINT_NOTE,
    QUICK,
    Scale,
    choose_systems,
    common_result,
    corpus_sizes,
    flagged_trainings,
    publish,
    run_header,
    speed_note,
    training_note,
)
from .corpora.corpus import data_directory
from .corpora.entities import entity_corpus
from .corpora.sentences import first_words
from .measures.entities import compare_entities, entity_accuracy
from .options import add_common_arguments, add_training_arguments, work_directory
from .plots import systems as plots
from .processes.stages import Race, Workshop
from .report.tables import COMMON_COLUMNS, Column, Result, Section, value_in
from .systems.base import System
from .systems.own.entities import own_entity_system
from .systems.peers.crfsuite_entities import CrfsuiteEntitySystem, lbfgs_system
from .systems.peers.spacy_entities import spacy_entity_system

GROUPS = ("ours", "spacy", "crfsuite")
PEERS = ("python-crfsuite",)
TARGET = 0.6


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


def figure(part: str, name: str) -> Column:
    """A column with one percentage of the accuracy."""
    title = f"{part} {'F1' if name == 'share' else name[0].upper()}"

    def value(result: Result) -> float | None:
        return 100 * result["accuracy"][part][name]

    return Column(title, value)


COLUMNS = (
    *(figure("boundaries", name) for name in ("precision", "recall", "share")),
    *(figure("typed", name) for name in ("precision", "recall", "share")),
    *COMMON_COLUMNS,
)
COMPARISON_COLUMNS = tuple(
    Column(f"{part} {title}", value_in(part, key), form)
    for part in ("boundaries", "typed")
    for title, key, form in (("ΔF1", "delta", "{:+.4f}"), ("p", "p_value", "{:.4f}"))
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "typed F1")


def make_systems(groups: Sequence[str], scale: EntityScale, max_minutes: float) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names out of GROUPS.
    scale (EntityScale): beams of ours, steps of spaCy's.
    max_minutes (float): time limit for training spaCy's; 0 for none.
    RETURNS (list[System]): ours first.
    """
    available: list[System] = [
        *(own_entity_system(beam, small=bool(scale.limits)) for beam in scale.beams),
        spacy_entity_system(max_steps=scale.spacy_steps, max_minutes=max_minutes),
        CrfsuiteEntitySystem(),
        lbfgs_system(),
    ]
    return choose_systems(available, groups, GROUPS)


@contextmanager
def open_entity_workshop(args: argparse.Namespace, scale: Scale) -> Iterator[Workshop]:
    """The workshop that the command line asks for, with the corpus in its work directory."""
    with work_directory(args.work, quick=args.quick) as work:
        corpus = entity_corpus(data_directory(args.data), work / "corpus", limits=scale.limits)
        yield Workshop(corpus, work, reuse=args.reuse)


def measure(
    systems: Sequence[System], workshop: Workshop, scale: EntityScale, target: float
) -> dict[str, Any]:
    """Measure trained systems; returns the parts `systems` and `comparisons` of the results."""
    corpus = workshop.corpus
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
                for part in ("boundaries", "typed")
            },
        }
        for system in systems
        if own and system.group != "ours"
    ]
    return {"systems": results, "comparisons": comparisons}


def notes(data: Mapping[str, Any], target: float) -> list[str]:
    """What the columns mean."""
    return [
        f"{data['corpus']['name']}, gold tokens and sentences, words: {corpus_sizes(data)}. Train: "
        "EWT and Wikigold without MISC; dev: every tenth sentence of EWT's part; test: EWT. Exact "
        "spans, by their boundaries alone and with types (PER, LOC, ORG).",
        speed_note(data),
        training_note(target),
        FOOTPRINT_NOTE,
        *flagged_trainings(data["systems"]),
    ]


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw F1 of boundaries against speed."""
    plots.accuracy_against_speed(
        data["systems"],
        data["corpus"]["name"],
        directory / "ner-speed.png",
        part="boundaries",
        title="F1",
    )


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    scale = EntityScale(**QUICK) if args.quick else EntityScale()
    scale = scale.limit_spacy(args.max_steps_spacy)
    systems = make_systems(args.only, scale, args.max_minutes_spacy)
    with open_entity_workshop(args, scale) as workshop:
        for system in systems:
            workshop.train(system)
        if args.train_only:
            return
        data = {
            **run_header("ner", args, GROUPS, corpus=workshop.corpus, scale=scale, peers=PEERS),
            **measure(systems, workshop, scale, args.target),
        }
    sections = []
    if data["comparisons"]:
        note = "Paired bootstrap over sentences, 10,000 draws, two-sided."
        sections = [Section("Differences", data["comparisons"], COMPARISON_COLUMNS, (note,))]
    output = publish(data, args, COLUMNS, notes(data, args.target), sections)
    draw(data, output)
    msg.good(f"results in {output}")
