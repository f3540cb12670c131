"""Coarse tags and morphology on UD Czech CLTT (gold tokens) against spaCy's morphologizer.

Czech has hundreds of bundles of features, and this treebank is small: 467 sentences of legal text.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
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
from .corpora.corpus import cltt
from .corpora.sentences import first_words
from .measures.morphology import Word, morphology_accuracy
from .plots.systems import accuracy_against_speed
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import COMMON_COLUMNS, Column, percentage
from .systems.base import System
from .systems.own.raw_text import OwnRawSystem
from .systems.peers.spacy_pipelines import spacy_system
from .systems.pipelines import MORPH_METRIC, MorphologyRunner

GROUPS = ("ours", "spacy")
TARGET = 0.80
LANG = "cs"
COLUMNS = (
    Column("coarse tags", percentage("pos")),
    Column("morphology", percentage("morph")),
    Column("both", percentage("both")),
    *COMMON_COLUMNS,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "accuracy of morphology")


def make_systems(scale: Scale, max_minutes: float) -> list[System]:
    """Our tagger of all attributes and spaCy's morphologizer, both trained on gold tokens.

    scale (Scale): steps of spaCy's.
    max_minutes (float): time limit for training spaCy's; 0 for none.
    RETURNS (list[System]): the systems.
    """
    ours = OwnRawSystem(
        key="ours",
        name="easy_first_tagger",
        setting="fine and coarse tags, morphology",
        metric=MORPH_METRIC,
        runner=MorphologyRunner,
        components=("tagger",),
        lang=LANG,
    )
    theirs = spacy_system(
        "morphologizer",
        metric=MORPH_METRIC,
        runner=MorphologyRunner,
        max_steps=scale.spacy_steps,
        max_minutes=max_minutes,
        lang=LANG,
    )
    return [ours, theirs]


def gold_words(workshop: Workshop, split: str) -> list[list[Word]]:
    """Coarse tags and morphology of a split."""
    docs = workshop.corpus.docs(split)
    return [[(token.pos_, str(token.morph)) for token in doc] for doc in docs]


def measure(how: Comparison, target: float, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns the part `systems` of the results."""
    corpus, scale = workshop.corpus, how.scale
    test, gold = corpus.sentences("test"), gold_words(workshop, "test")
    keys = [system.key for system in how.systems]
    with Race(how.systems, workshop.work) as race:
        msg.text("accuracy and speed ...")
        race.add("test", test)
        race.add("other", first_words(corpus.sentences("train"), scale.other_words))
        found = {key: morphology_accuracy(gold, race.annotate(key, "test")) for key in keys}
        timings = race.run("test", scale.repetitions, keys, before="other")
    results = []
    for system in how.systems:
        result = common_result(system, workshop, test, timings, target, scale.processes)
        results.append({**result, "accuracy": found[system.key]})
    return {"systems": results}


def accuracy_note(data: Mapping[str, Any]) -> str:
    """What the columns on accuracy mean."""
    return (
        f"{data['corpus']['name']}, gold tokens and sentences. Words: {notes.corpus_sizes(data)}. "
        "Morphology is right if all features of a word are. Our tagger predicts fine tags (XPOS) "
        "as well."
    )


def make_report(data: Mapping[str, Any]) -> Report:
    """The table and what its columns mean."""
    explanations: Sequence[str] = [
        accuracy_note(data),
        notes.speed_note(data),
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]
    return Report(data["systems"], COLUMNS, explanations)


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw the accuracy of morphology against speed."""
    path = directory / "morphology-speed.png"
    accuracy_against_speed(data["systems"], data["corpus"]["name"], path, part="morph")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    # The training text has few more words.
    full: dict[str, Any] = {"lengths": (), "other_words": 13_000}
    scale = Scale(**{**full, **(QUICK if args.quick else {})}).limit_spacy(args.max_steps_spacy)
    systems = choose_systems(make_systems(scale, args.max_minutes_spacy), args.only, GROUPS)
    how = Comparison("morphology", GROUPS, scale, systems, make_corpus=cltt)
    data = train_and_measure(how, args, partial(measure, how, args.target))
    if data is not None:
        publish(data, args)
