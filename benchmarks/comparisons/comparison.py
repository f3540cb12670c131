"""What all comparisons have in common: their scale, choice of systems, results and notes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from wasabi import msg

from ..corpora.corpus import SPLITS, Corpus, data_directory, ewt
from ..corpora.sentences import Sentence, count_words, resegment
from ..measures.common import footprint_result, speed_result, training_result
from ..options import check_groups, command_words, output_directory, work_directory
from ..processes.environment import describe
from ..processes.stages import Race, Timing, Workshop
from ..report.tables import Column, Section, console_table, used_columns, write_report
from ..systems.base import System

BASE = "spacy"
FOOTPRINT_NOTE = (
    "load: in a fresh process that has imported the library. Memory of that process in MB: "
    "its peak while annotating test, and how far peak and what stays resident afterwards exceed "
    "those of the same process without a model. The peak grows with the batch of `nlp.pipe`."
)


AnyScale = TypeVar("AnyScale", bound="Scale")


@dataclass(frozen=True)
class Scale:
    """How much a run trains and measures.

    limits (dict[str, int]): at most this many sentences of a split.
    spacy_steps (int | None): at most this many steps in spaCy's training.
    repetitions (int): turns in the measurement of speed.
    processes (int): processes in the measurement of load time and memory.
    lengths (tuple[int, ...]): sentence lengths to time.
    length_words (int): words for each of them.
    length_repetitions (int): turns for each of them.
    other_words (int): words of other text that a process has annotated before it is timed.
    """

    limits: dict[str, int] = field(default_factory=dict)
    spacy_steps: int | None = None
    repetitions: int = 9
    processes: int = 3
    lengths: tuple[int, ...] = (10, 25, 50, 100, 200, 500, 1000)
    length_words: int = 20_000
    length_repetitions: int = 5
    other_words: int = 100_000

    def limit_spacy(self: AnyScale, steps: int) -> AnyScale:
        """The same scale with another limit on spaCy's training; 0 leaves it as it is."""
        return replace(self, spacy_steps=steps) if steps else self


QUICK: dict[str, Any] = {
    "limits": {"train": 500, "dev": 200, "test": 500},
    "spacy_steps": 200,
    "repetitions": 3,
    "processes": 1,
    "length_words": 2_000,
    "length_repetitions": 1,
    "other_words": 5_000,
}


def is_installed(module: str) -> bool:
    """Whether a module could be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def choose_systems(
    available: Sequence[System], chosen: Sequence[str], groups: Sequence[str]
) -> list[System]:
    """The systems of the chosen groups.

    available (Sequence[System]): all systems of the benchmark.
    chosen (Sequence[str]): what `--only` says.
    groups (Sequence[str]): what it may say.
    RETURNS (list[System]): the systems, in the order given.
    """
    check_groups(chosen, groups)
    systems = [system for system in available if system.group in chosen]
    for system in systems:
        if not is_installed(system.library):
            raise ImportError(
                f"{system.label} needs {system.library}: install spacy-perceptron[benchmarks] "
                f"or leave it out with --only"
            )
    return systems


@contextmanager
def open_workshop(args: argparse.Namespace, scale: Scale) -> Iterator[Workshop]:
    """The workshop that the command line asks for, with the corpus in its work directory."""
    with work_directory(args.work, quick=args.quick) as work:
        corpus = ewt(data_directory(args.data), work / "corpus", limits=scale.limits)
        yield Workshop(corpus, work, reuse=args.reuse)


def base_key(keys: Sequence[str]) -> str | None:
    """The system that speeds are compared with, if it takes part."""
    return BASE if BASE in keys else None


def length_curves(
    race: Race,
    keys: Sequence[str],
    sentences: Sequence[Sentence],
    scale: Scale,
    *,
    last_only: bool = False,
) -> dict[str, dict[str, list[Timing]]]:
    """Timings by system and sentence length.

    race (Race): the systems.
    keys (Sequence[str]): which of them to time.
    sentences (Sequence[Sentence]): text to cut into sentences of each length.
    scale (Scale): lengths, words and repetitions.
    last_only (bool): time only the last part of each system.
    RETURNS (dict[str, dict[str, list[Timing]]]): timings by key and length.
    """
    curves: dict[str, dict[str, list[Timing]]] = {key: {} for key in keys}
    for length in scale.lengths:
        name = str(length)
        race.add(name, resegment(sentences, length, scale.length_words))
        timings = race.run(name, scale.length_repetitions, keys, before=name, last_only=last_only)
        for key in keys:
            curves[key][name] = timings[key]
    return curves


def common_result(
    system: System,
    workshop: Workshop,
    test: Sequence[Sentence],
    timings: Mapping[str, Sequence[Timing]],
    target: float,
    processes: int,
) -> dict[str, Any]:
    """What every benchmark tells of a system: names, speed, training, size, load time, memory.

    system (System): the system.
    workshop (Workshop): where it was trained.
    test (Sequence[Sentence]): what to annotate before reading the memory.
    timings (Mapping[str, Sequence[Timing]]): timings of all systems.
    target (float): dev score to reach.
    processes (int): processes to start for load time and memory.
    RETURNS (dict[str, Any]): plain data.
    """
    msg.text(f"{system.label}: load time, memory ...")
    return {
        "key": system.key,
        "name": system.name,
        "setting": system.setting,
        "label": system.label,
        "group": system.group,
        "speed": speed_result(timings, system.key, base_key(list(timings))),
        "training": training_result(workshop.train(system), target),
        **footprint_result(system, workshop.directory(system), test, processes),
    }


def run_header(
    name: str,
    args: argparse.Namespace,
    groups: Sequence[str],
    *,
    corpus: Corpus,
    scale: Scale,
    peers: Sequence[str],
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """The parts of the results that say what was run, on what and where.

    name (str): the benchmark.
    args (argparse.Namespace): its options.
    groups (Sequence[str]): its groups of systems.
    corpus (Corpus): the corpus.
    scale (Scale): the scale.
    peers (Sequence[str]): packages of the systems compared with, beside spaCy.
    options (Sequence[str]): further words of the command.
    RETURNS (dict[str, Any]): plain data.
    """
    return {
        "benchmark": name,
        "environment": describe([*command_words(name, args, groups), *options], peers),
        "corpus": {
            "name": corpus.name,
            "words": {split: count_words(corpus.sentences(split)) for split in SPLITS},
        },
        "scale": asdict(scale),
    }


def corpus_sizes(data: Mapping[str, Any]) -> str:
    """The number of words in each split, in words."""
    return ", ".join(f"{split} {words:,}" for split, words in data["corpus"]["words"].items())


def speed_note(data: Mapping[str, Any]) -> str:
    """What the columns on speed mean."""
    return (
        "words/s: median of repetitions taken in turns, single-threaded, on ready-made inputs, "
        "feature extraction included, for text that is new to a process which has annotated "
        f"{data['scale']['other_words']:,} words of training text before. "
        "× spaCy: median ratio of CPU times within a turn."
    )


def training_note(target: float) -> str:
    """What the columns on training mean."""
    return (
        "Training times of pipelines include initialization, evaluation on dev and saving; "
        "train and dev are read with gold tokens. "
        f"To best: until the best checkpoint on dev. To target: until {target:.1%} on dev."
    )


def flagged_trainings(systems: Sequence[Mapping[str, Any]]) -> list[str]:
    """Remarks on trainings that a reader must not take for whole or for simultaneous ones."""
    remarks = []
    for flag, text in (
        ("stopped_early", "Training ended by the time limit"),
        ("reused", "Training times from an earlier run, under that run's load"),
    ):
        labels = [system["label"] for system in systems if system["training"][flag]]
        if labels:
            remarks.append(f"{text}: {', '.join(labels)}.")
    return remarks


def publish(
    data: Mapping[str, Any],
    args: argparse.Namespace,
    columns: Sequence[Column],
    notes: Sequence[str],
    sections: Sequence[Section] = (),
) -> Path:
    """Print the table and write the report; returns the directory of the results."""
    columns = used_columns(data["systems"], columns)
    print(console_table(data["systems"], columns))
    for section in sections:
        print(f"{section.title}\n{console_table(section.results, section.columns)}")
    output = output_directory(args.output, quick=args.quick)
    write_report(output, data, columns, notes, sections)
    return output
