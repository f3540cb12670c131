"""What all comparisons have in common: their scale, the choice of systems, what is measured."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from typing import Any, TypeVar

from wasabi import msg

from ..command.options import check_groups, command_words, work_directory
from ..corpora.corpus import SPLITS, Corpus, data_directory, ewt
from ..corpora.sentences import Sentence, count_words, resegment
from ..measures.common import footprint_result, training_result
from ..measures.speed import speed_result
from ..processes.environment import describe
from ..processes.race import Race, Timing
from ..processes.workshop import Workshop
from ..systems.base import System

BASE = "spacy"
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
    other_words (int): words of other text that a process annotates before it is timed.
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


@dataclass(frozen=True)
class Comparison:
    """What a benchmark compares.

    name (str): the benchmark.
    groups (Sequence[str]): its groups of systems.
    scale (Scale): how much it trains and measures.
    systems (Sequence[System]): the systems.
    peers (Sequence[str]): packages of the peers, apart from spaCy.
    options (Sequence[str]): words of its command that only this benchmark has.
    make_corpus (Callable): makes the corpus from the data in a directory.
    """

    name: str
    groups: Sequence[str]
    scale: Scale
    systems: Sequence[System]
    peers: Sequence[str] = ()
    options: Sequence[str] = ()
    make_corpus: Callable[..., Corpus] = ewt

    def words(self) -> list[str]:
        """The words of its command that only this benchmark has."""
        return list(self.options)

    def train(self, workshop: Workshop) -> None:
        """Train everything that is measured."""
        for system in self.systems:
            workshop.train(system)


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
def open_workshop(how: Comparison, args: argparse.Namespace) -> Iterator[Workshop]:
    """The workshop that the command line asks for, with the corpus in its work directory."""
    with work_directory(args.work, quick=args.quick) as work:
        data = data_directory(args.data)
        corpus = how.make_corpus(data, work / "corpus", limits=how.scale.limits)
        yield Workshop(corpus, work, reuse=args.reuse)


def train_and_measure(
    how: Comparison, args: argparse.Namespace, measure: Callable[[Workshop], dict[str, Any]]
) -> dict[str, Any] | None:
    """Train the systems, then measure them.

    how (Comparison): what to compare.
    args (argparse.Namespace): the options.
    measure (Callable): measures what was trained; returns the benchmark's own parts of the results.
    RETURNS (dict[str, Any] | None): the results as plain data, or None with `--train-only`.
    """
    with open_workshop(how, args) as workshop:
        how.train(workshop)
        if args.train_only:
            return None
        return {**run_header(how, args, workshop.corpus), **measure(workshop)}


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
    """What every benchmark says about a system: names, speed, training, size, load time, memory.

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


def run_header(how: Comparison, args: argparse.Namespace, corpus: Corpus) -> dict[str, Any]:
    """The parts of the results that say what was run, where and on what."""
    command = [*command_words(how.name, args, how.groups), *how.words()]
    return {
        "benchmark": how.name,
        "environment": describe(command, how.peers),
        "corpus": {
            "name": corpus.name,
            "words": {split: count_words(corpus.sentences(split)) for split in SPLITS},
        },
        "scale": asdict(how.scale),
    }
