"""What the benchmarks of constituency parsers have in common: scale, columns, measures, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from wasabi import msg

from ..corpora.sentences import Sentence, count_words, first_words
from ..measures.constituents import SHORT, bracket_result, compare_phrases, count_brackets
from ..measures.constituents import phrase_accuracy as accuracy_of
from ..measures.reranking import comparison
from ..measures.speed import seconds_per_word, speed_result
from ..processes.race import Race
from ..processes.workshop import Workshop
from ..report.notes import corpus_sizes
from ..report.tables import Column, Section, memory_column, percentage, used_columns, value_in
from ..systems.base import System
from ..systems.own import reranked_trees
from ..systems.own.reranked import RERANKER
from .comparison import QUICK, Comparison, Scale, common_result, length_curves

QUOTED_GROUP = "quoted"
TARGET = 0.85
LENGTHS = (20, 40, 80, 160)
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
class PhraseComparison(Comparison):
    """What a benchmark of constituency parsers compares.

    chosen (Sequence[str]): the chosen groups.
    length_keys (Sequence[str]): the systems to time by sentence length.
    pairs (Sequence[tuple[str, str]]): the systems whose brackets on test are compared, as far as
        they take part.
    bins (Sequence[tuple[int, int]]): time real sentences of so many words, from the first to the
        second number, apart from the others.
    """

    chosen: Sequence[str] = ()
    length_keys: Sequence[str] = ()
    pairs: Sequence[tuple[str, str]] = ()
    bins: Sequence[tuple[int, int]] = ()

    @property
    def small(self) -> bool:
        """Whether the corpus is small and time short."""
        return bool(self.scale.limits)

    def train(self, workshop: Workshop) -> None:
        for system in self.systems:
            if isinstance(system, reranked_trees.RerankedTrees):
                prepare_lists(system, workshop)
            workshop.train(system)


def prepare_lists(system: reranked_trees.RerankedTrees, workshop: Workshop) -> None:
    """Make what a reranker needs: the parser, and jackknifed lists of trees."""
    task, base = system.its_task, system.its_parser
    workshop.train(base)
    workshop.train(reranked_trees.listed_parser(base, system.key))
    workshop.make(task.folds_home, f"{RERANKER}: n-best lists", task.make_folds)


def training_cost(system: System, workshop: Workshop) -> dict[str, float]:
    """CPU seconds of a training with everything that only it needs."""
    seconds = workshop.train(system).cpu
    if isinstance(system, reranked_trees.RerankedTrees):
        seconds += workshop.record(system.its_task.folds_home).cpu
    return {"cpu": seconds}


def with_sentences(speed: dict[str, Any], sentences: Sequence[Sentence]) -> dict[str, Any]:
    """A speed with that in sentences per CPU second."""
    return {**speed, "sentences": speed["cpu"] * len(sentences) / count_words(sentences)}


def measure_system(
    system: System,
    how: PhraseComparison,
    workshop: Workshop,
    splits: Mapping[str, Sequence[Sentence]],
) -> tuple[dict[str, Any], dict[str, list[Any]], dict[str, Any]]:
    """Measure a trained system.

    system (System): the system.
    how (PhraseComparison): how much to measure.
    workshop (Workshop): where it was trained.
    splits (Mapping[str, Sequence[Sentence]]): dev and test.
    RETURNS (tuple): its result, its answers by split, and its timings by sentence length.
    """
    msg.text(f"{system.label}: accuracy and speed ...")
    key, scale, test = system.key, how.scale, splits["test"]
    binned = sentences_in_bins(splits, how.bins)
    apart: dict[str, Any] = {}
    with Race([system], workshop.work) as race:
        for name, sentences in splits.items():
            race.add(name, sentences)
        race.add("other", first_words(workshop.corpus.sentences("train"), scale.other_words))
        answers = {name: race.annotate(key, name) for name in splits}
        timings = race.run("test", scale.repetitions, [key], before="other", last_only=True)
        for name, sentences in binned.items():
            race.add(name, sentences)
            apart[name] = race.run(name, scale.repetitions, [key], before="other", last_only=True)
        keys = [key] if key in how.length_keys else []
        lengths = length_curves(race, keys, test, scale, last_only=True) if keys else {}
    result = common_result(system, workshop, test, timings, TARGET, scale.processes)
    result["speed"] = with_sentences(result["speed"], test)
    if how.bins:
        result["real_lengths"] = {
            name: with_sentences(speed_result(timed, key, None), binned[name])
            for name, timed in apart.items()
        }
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


def bin_name(bounds: tuple[int, int]) -> str:
    """What to call sentences of some lengths."""
    return f"{bounds[0]} to {bounds[1]} words"


def sentences_in_bins(
    splits: Mapping[str, Sequence[Sentence]], bins: Sequence[tuple[int, int]]
) -> dict[str, list[Sentence]]:
    """The sentences of all splits by their lengths; bins without any are left out."""
    everything = [sentence for sentences in splits.values() for sentence in sentences]
    found = {
        bin_name((least, most)): [s for s in everything if least <= len(s.words) <= most]
        for least, most in bins
    }
    return {name: sentences for name, sentences in found.items() if sentences}


def measure(how: PhraseComparison, workshop: Workshop) -> dict[str, Any]:
    """Measure trained systems.

    how (PhraseComparison): what to compare.
    workshop (Workshop): where they were trained.
    RETURNS (dict[str, Any]): plain data: the systems, comparisons of pairs, timings by length.
    """
    splits = {name: workshop.corpus.sentences(name) for name in ("dev", "test")}
    results, lengths = [], {}
    answers: dict[str, Any] = {}
    for system in how.systems:
        result, found, timings = measure_system(system, how, workshop, splits)
        results.append(result)
        answers[system.key] = found["test"]
        lengths.update(timings)
    return {
        "systems": results,
        "comparisons": compare_pairs(how.pairs, results, splits["test"], answers),
        "lengths": lengths,
    }


def compare_pairs(
    pairs: Sequence[tuple[str, str]],
    results: Sequence[Mapping[str, Any]],
    test: Sequence[Sentence],
    answers: Mapping[str, Sequence[Any]],
) -> list[dict[str, Any]]:
    """Compare the brackets of systems on test.

    pairs (Sequence[tuple[str, str]]): the keys of systems; those that did not take part are passed
        over.
    results (Sequence[Mapping[str, Any]]): the results of systems.
    test (Sequence[Sentence]): the sentences.
    answers (Mapping[str, Sequence[Any]]): the analyses of each by key.
    RETURNS (list[dict[str, Any]]): the rows of a table.
    """
    by_key = {result["key"]: result for result in results}
    return [
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
        for a, b in pairs
        if {a, b} <= {*by_key}
    ]


def length_columns(lengths: Sequence[int]) -> tuple[Column, ...]:
    """A column for each sentence length, and one for the growth from the first to the last."""
    return (
        *(Column(f"{n} words", value_in("micros", str(n)), "{:,.0f}") for n in lengths),
        Column(f"{lengths[-1]} / {lengths[0]}", lambda result: result["ratio"]),
    )


def length_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Microseconds per word by sentence length, and how much they grow."""
    labels = {result["key"]: result["label"] for result in data["systems"]}
    rows = []
    for key, by_length in data["lengths"].items():
        micros = {n: 1e6 * seconds_per_word(timings, "cpu") for n, timings in by_length.items()}
        first, *_, last = micros.values()
        rows.append({"label": labels[key], "micros": micros, "ratio": last / first})
    return rows


def pair_sections(data: Mapping[str, Any]) -> list[Section]:
    """The table of differences, if there is any."""
    if not data["comparisons"]:
        return []
    note = (
        "The paired bootstrap over sentences of test: 10,000 draws, two-sided p. Errors "
        "removed: the share of 100 minus the first F1."
    )
    return [Section("Differences", data["comparisons"], PAIR_COLUMNS, (note,), head="pair")]


def length_sections(
    data: Mapping[str, Any], lengths: Sequence[int], explanations: Sequence[str] = ()
) -> list[Section]:
    """The table of times by sentence length, if there are any, with further explanations."""
    if not data["lengths"]:
        return []
    note = (
        "CPU microseconds per word of the parser alone, for sentences of test joined and cut anew."
    )
    title = "Time per word by sentence length"
    return [Section(title, length_rows(data), length_columns(lengths), (note, *explanations))]


def quoted_sections(data: Mapping[str, Any]) -> list[Section]:
    """The table of figures that are not of this run, if they are wanted."""
    if not data["quoted"]:
        return []
    columns = used_columns(data["quoted"], COLUMNS)
    return [Section("Measured elsewhere", data["quoted"], columns, (quoted_note(),))]


def quoted_note() -> str:
    """Where figures come from that are not of this run."""
    return (
        "Measured on the same train, dev and test trees, but not in this run: speeds and times "
        "compare only roughly. The Berkeley parser takes 13 to 23 sentences a second."
    )


def accuracy_note(data: Mapping[str, Any]) -> str:
    """What the columns on accuracy mean."""
    return (
        f"{data['corpus']['name']}, gold tokens. Words: {corpus_sizes(data)}. F1 of labelled "
        "brackets as EVALB counts them: no punctuation, no top node, PRT is ADVP. Lengths include "
        "punctuation. exact: sentences "
        "with all brackets right. complete trees: sentences whose tree the grammar has. Tags are "
        "predicted unless the label says otherwise, those of train jackknifed. On 332 sentences, "
        "differences below 1.5 points are noise."
    )


def speed_note(data: Mapping[str, Any]) -> str:
    """What the columns on speed mean."""
    return (
        "Speed: the parser alone, tagging not counted, on one thread; the median of "
        f"{data['scale']['repetitions']} turns."
    )
