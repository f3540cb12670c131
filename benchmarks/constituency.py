"""Phrase structure on a sample of the Wall Street Journal, by a chart and from left to right.

The tables of Collins & Roark (2004) once more, the shipped parser by beam width and with a
reranker, and other parsers by figures that were measured elsewhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from wasabi import msg

from .comparisons.comparison import (
    QUICK,
    Comparison,
    Scale,
    common_result,
    length_curves,
    train_and_measure,
)
from .comparisons.quoted import QUOTED
from .corpora.constituents import tree_corpus
from .corpora.sentences import Sentence, first_words
from .measures.constituents import SHORT, bracket_result, compare_phrases, count_brackets
from .measures.constituents import phrase_accuracy as accuracy_of
from .measures.reranking import comparison
from .measures.speed import seconds_per_word
from .options import add_common_arguments, check_groups
from .plots.constituency import learning_curves
from .plots.systems import accuracy_against_speed, effect_of_beam, time_against_length
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import Column, Section, memory_column, percentage, used_columns, value_in
from .systems.base import System
from .systems.own import incremental, left_to_right, reranked_trees
from .systems.own.chart import FAMILY as CHART
from .systems.own.chart import chart_systems, tagger_system
from .systems.own.reranked import RERANKER

QUOTED_GROUP = "quoted"
GROUPS = (
    CHART,
    *left_to_right.FAMILIES,
    left_to_right.CURVES,
    incremental.SHIPPED_GROUP,
    incremental.FAST_GROUP,
    incremental.GOLD_GROUP,
    *reranked_trees.FAMILIES,
    QUOTED_GROUP,
)
TARGET = 0.85
LENGTHS = (20, 40, 80, 160)
# Timed by sentence length.
LENGTH_KEYS = (
    incremental.KEY,
    incremental.FAST_KEY,
    *dict.fromkeys(key for pair in left_to_right.PAIRS for key in pair),
)
ACCURACY_COLUMNS = (
    Column("dev F1", lambda result: value_in("all", "share", 100)(result["dev"])),
    Column("test F1", percentage("all")),
    Column(f"<= {SHORT} words", percentage("short")),
    Column("dev + test F1", value_in("together", "share", 100)),
    Column("exact", percentage("exact")),
    Column("complete trees", percentage("complete")),
    Column("tags", percentage("tags")),
)
COLUMNS = (
    *ACCURACY_COLUMNS,
    Column("sentences/CPU s", value_in("speed", "sentences"), "{:,.0f}"),
    Column("words/CPU s", value_in("speed", "cpu"), "{:,.0f}"),
    Column("training, CPU s", value_in("cost", "cpu"), "{:,.0f}"),
    memory_column("peak MB", "peak"),
    memory_column("resident above blank", "resident_above_blank"),
)
PAIR_COLUMNS = (
    Column("first, F1", lambda result: 100 * result["base"]),
    Column("second, F1", lambda result: 100 * result["reranked"]),
    Column("errors removed, %", lambda result: 100 * result["reduction"], "{:+.1f}"),
    Column("p", lambda result: result["p_value"], "{:.3g}"),
)
LENGTH_COLUMNS = (
    *(Column(f"{length} words", value_in("micros", str(length)), "{:,.0f}") for length in LENGTHS),
    Column(f"{LENGTHS[-1]} / {LENGTHS[0]}", lambda result: result["ratio"]),
)


@dataclass(frozen=True)
class TreeScale(Scale):
    """How much a run trains and measures: see `Scale`."""

    repetitions: int = 3
    processes: int = 1
    lengths: tuple[int, ...] = LENGTHS
    length_words: int = 3_200
    length_repetitions: int = 3
    other_words: int = 2_500


SMALL: dict[str, Any] = {
    **QUICK,
    "limits": {"train": 300, "dev": 50, "test": 50},
    "repetitions": 1,
    "length_words": 320,
    "other_words": 200,
}


@dataclass(frozen=True)
class TreeComparison(Comparison):
    """What is compared.

    chosen (Sequence[str]): the chosen groups.
    curves (Mapping[str, System]): trained for their learning curves, by the names of these.
    """

    chosen: Sequence[str] = ()
    curves: Mapping[str, System] = field(default_factory=dict)

    @property
    def small(self) -> bool:
        """Whether the corpus is small and time short."""
        return bool(self.scale.limits)

    def train(self, workshop: Workshop) -> None:
        if CHART in self.chosen:
            workshop.train(tagger_system(small=self.small))
        for system in [*self.systems, *self.curves.values()]:
            if isinstance(system, reranked_trees.RerankedTrees):
                self.prepare_lists(system, workshop)
            workshop.train(system)

    def prepare_lists(self, system: reranked_trees.RerankedTrees, workshop: Workshop) -> None:
        """Make what a reranker needs: the parser, and jackknifed lists of trees."""
        task, base = system.its_task, system.its_parser
        workshop.train(base)
        workshop.train(reranked_trees.listed_parser(base, system.key))
        workshop.make(task.folds_home, f"{RERANKER}: n-best lists", task.make_folds)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)


def make_systems(groups: Sequence[str], *, small: bool = False) -> list[System]:
    """The systems of the chosen groups.

    groups (Sequence[str]): names from GROUPS.
    small (bool): whether the corpus is small and time short.
    RETURNS (list[System]): the baseline first.
    """
    systems: list[System] = []
    if CHART in groups:
        systems += chart_systems()
    systems += [s for s in left_to_right.paper_systems(small=small) if s.group in groups]
    if incremental.SHIPPED_GROUP in groups:
        shipped = incremental.shipped_system(small=small)
        systems += [shipped, *incremental.by_beam(shipped)]
    if incremental.FAST_GROUP in groups:
        systems.append(incremental.fast_system(small=small))
    if incremental.GOLD_GROUP in groups:
        systems.append(incremental.gold_tag_system(small=small))
    systems += [
        reranked_trees.reranked_trees(generative=bool(generative), small=small)
        for generative, family in enumerate(reranked_trees.FAMILIES)
        if family in groups
    ]
    return systems


def training_cost(system: System, workshop: Workshop) -> dict[str, float]:
    """CPU seconds of a training with everything that only it needs."""
    seconds = workshop.train(system).cpu
    if isinstance(system, reranked_trees.RerankedTrees):
        seconds += workshop.record(system.its_task.folds_home).cpu
    return {"cpu": seconds}


def measure_system(
    system: System, workshop: Workshop, splits: Mapping[str, Sequence[Sentence]], scale: Scale
) -> tuple[dict[str, Any], dict[str, list[Any]], dict[str, Any]]:
    """Measure a trained system.

    system (System): the system.
    workshop (Workshop): where it was trained.
    splits (Mapping[str, Sequence[Sentence]]): dev and test.
    scale (Scale): how much to measure.
    RETURNS (tuple): its result, its answers by split, and its timings by sentence length.
    """
    msg.text(f"{system.label}: accuracy and speed ...")
    key, test = system.key, splits["test"]
    with Race([system], workshop.work) as race:
        for name, sentences in splits.items():
            race.add(name, sentences)
        race.add("other", first_words(workshop.corpus.sentences("train"), scale.other_words))
        answers = {name: race.annotate(key, name) for name in splits}
        timings = race.run("test", scale.repetitions, [key], before="other", last_only=True)
        keys = [key] if key in LENGTH_KEYS else []
        lengths = length_curves(race, keys, test, scale, last_only=True) if keys else {}
    result = common_result(system, workshop, test, timings, TARGET, scale.processes)
    words = sum(len(sentence.words) for sentence in test)
    result["speed"]["sentences"] = result["speed"]["cpu"] * len(test) / words
    counts = np.concatenate([count_brackets(splits[name], answers[name]) for name in splits])
    result.update(
        {
            "accuracy": accuracy_of(test, answers["test"]),
            "dev": accuracy_of(splits["dev"], answers["dev"]),
            "together": bracket_result(counts),
            "cost": training_cost(system, workshop),
        }
    )
    return result, answers, lengths


def make_pairs(keys: Sequence[str]) -> list[tuple[str, str]]:
    """The systems whose brackets on test are compared."""
    wanted = [
        (incremental.KEY, reranked_trees.KEY),
        (
            left_to_right.system_key(left_to_right.GENERATIVE, left_to_right.PREDICTED),
            reranked_trees.GENERATIVE_KEY,
        ),
        (incremental.FAST_KEY, incremental.KEY),
        *left_to_right.PAIRS,
    ]
    return [pair for pair in wanted if {*pair} <= {*keys}]


def measure(how: TreeComparison, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems; returns all parts of the results but the header."""
    splits = {name: workshop.corpus.sentences(name) for name in ("dev", "test")}
    test = splits["test"]
    results, lengths = [], {}
    answers: dict[str, Any] = {}
    for system in how.systems:
        result, found, timings = measure_system(system, workshop, splits, how.scale)
        results.append(result)
        answers[system.key] = found["test"]
        lengths.update(timings)
    by_key = {result["key"]: result for result in results}
    comparisons = [
        {
            "label": f"{by_key[a]['label']} – {by_key[b]['label']}",
            "keys": [a, b],
            **comparison(
                "F1",
                by_key[a]["accuracy"]["all"],
                by_key[b]["accuracy"]["all"],
                compare_phrases(test, answers[a], answers[b]),
            ),
        }
        for a, b in make_pairs(list(by_key))
    ]
    return {
        "systems": results,
        "quoted": list(QUOTED) if QUOTED_GROUP in how.chosen else [],
        "comparisons": comparisons,
        "lengths": lengths,
        "curves": {
            name: left_to_right.learning_curve(workshop.train(system))
            for name, system in how.curves.items()
        },
    }


def length_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Microseconds per word by sentence length, and how much they grow."""
    labels = {result["key"]: result["label"] for result in data["systems"]}
    rows = []
    for key, by_length in data["lengths"].items():
        micros = {n: 1e6 * seconds_per_word(timings, "cpu") for n, timings in by_length.items()}
        first, *_, last = micros.values()
        rows.append({"label": labels[key], "micros": micros, "ratio": last / first})
    return rows


def curve_note() -> str:
    """What the learning curves are."""
    return (
        "F1 on dev after each pass: updates on whole trees, early updates, and early updates with "
        "a cache of hypotheses"
    )


def make_sections(data: Mapping[str, Any]) -> list[Section]:
    """All tables but the first."""
    sections = left_to_right.paper_tables(data["systems"])
    if data["comparisons"]:
        note = (
            "The paired bootstrap over sentences of test: 10,000 draws, two-sided p. Errors "
            "removed: the share of 100 minus the first F1."
        )
        sections.append(
            Section("Differences", data["comparisons"], PAIR_COLUMNS, (note,), head="pair")
        )
    if data["lengths"]:
        note = (
            "CPU microseconds per word of the parser alone, for sentences of test joined and cut "
            "anew."
        )
        sections.append(
            Section("Time per word by sentence length", length_rows(data), LENGTH_COLUMNS, (note,))
        )
    return sections


def main_notes(data: Mapping[str, Any]) -> list[str]:
    """What the columns of the first table mean."""
    return [
        f"{data['corpus']['name']}, gold tokens. Words: {notes.corpus_sizes(data)}. F1 of labelled "
        "brackets as EVALB counts them: no punctuation, no top node, PRT is ADVP. Lengths include "
        "punctuation. exact: sentences "
        "with all brackets right. complete trees: sentences whose tree the grammar has. Tags are "
        "predicted unless the label says otherwise, those of train jackknifed. On 332 sentences, "
        "differences below 1.5 points are noise.",
        "Speed: the parser alone, tagging not counted, on one thread; the median of "
        f"{data['scale']['repetitions']} turns.",
        "Training includes the tagger, initialization, evaluation on dev, and jackknifing: of the "
        "tags that the shipped parsers learn from, and of the trees that rerankers learn from. The "
        "models of the paper use the tags jackknifed for the shipped parser, and rerankers are "
        "trained behind finished parsers; neither counts them again. Other beams: the same model, "
        "loaded with another setting.",
        notes.FOOTPRINT_NOTE,
        *notes.flagged_trainings(data["systems"]),
    ]


def quoted_note() -> str:
    """Where figures come from that are not of this run."""
    return (
        "Measured on the same train, dev and test trees, but not in this run: speeds and times "
        "compare only roughly. The Berkeley parser takes 13 to 23 sentences a second."
    )


def make_report(data: Mapping[str, Any]) -> Report:
    """All tables and what their columns mean."""
    sections = make_sections(data)
    if data["quoted"]:
        columns = used_columns(data["quoted"], COLUMNS)
        sections.append(Section("Measured elsewhere", data["quoted"], columns, (quoted_note(),)))
    return Report(data["systems"], COLUMNS, main_notes(data), sections)


def beam_results(data: Mapping[str, Any]) -> dict[int, Any]:
    """The results of the shipped model by beam width."""
    rows = {result["key"]: result for result in data["systems"]}
    by_width = {
        beam: rows[f"{incremental.KEY}-beam{beam}"]
        for beam in incremental.BEAMS
        if f"{incremental.KEY}-beam{beam}" in rows
    }
    if by_width:
        own = rows[incremental.KEY]
        by_width[int(own["setting"].split()[1])] = own
    return dict(sorted(by_width.items()))


def short_label(label: str) -> str:
    """What tells a system from others in a plot."""
    prefixes = (f"{left_to_right.NAME}, ", f"{incremental.NAME}, ")
    for prefix in prefixes:
        label = label.removeprefix(prefix)
    return label.removesuffix(" tags").removesuffix(f", {left_to_right.PREDICTED}")


def speed_points(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The systems without gold tags; only those that differ in their beams share a name."""
    return [
        dict(result)
        if result["group"] == incremental.SHIPPED_GROUP
        else {**result, "name": result["label"], "setting": short_label(result["label"])}
        for result in results
        if not result["setting"].endswith("gold tags")
    ]


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw what there is data for."""
    points = speed_points(data["systems"])
    if points:
        path = directory / "constituency-speed.png"
        accuracy_against_speed(points, data["corpus"]["name"], path, title="F1")
    if data["lengths"]:
        path = directory / "constituency-length.png"
        time_against_length(data["lengths"], data["systems"], path, title=", parser alone")
    beams = beam_results(data)
    if len(beams) > 1:
        effect_of_beam(
            beams,
            directory / "constituency-beam.png",
            parts={"all": "F1 on test, %"},
            speed=("sentences", "Sentences per CPU second, parser alone"),
        )
    if data["curves"]:
        learning_curves(data["curves"], directory / "constituency-curves.png")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    check_groups(args.only, GROUPS)
    scale = TreeScale(**SMALL) if args.quick else TreeScale()
    how = TreeComparison(
        "constituency",
        GROUPS,
        scale,
        make_systems(args.only, small=args.quick),
        make_corpus=tree_corpus,
        chosen=args.only,
        curves=left_to_right.curve_systems(small=args.quick)
        if left_to_right.CURVES in args.only
        else {},
    )
    data = train_and_measure(how, args, partial(measure, how))
    if data is not None:
        publish(data, args)
