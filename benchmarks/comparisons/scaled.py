"""What the benchmark `scale` measures: annotation and memory over words, training on shards."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wasabi import msg

from ..corpora.corpus import Corpus
from ..corpora.running_text import annotated_corpus, write_text
from ..measures.scaling.annotation import WAYS, Way, annotate_by, measure_in_turns
from ..measures.scaling.memory import PIPE, UNITS, memory_over_words
from ..measures.scaling.rounds import time_training
from ..measures.scaling.training import learning_curves, shipped_epochs
from ..processes.children import run_in_child
from ..processes.workshop import Workshop
from ..report.scaling import ANNOTATE, MEMORY, MILLION, ROUNDS, TRAINING
from ..systems.own.base import OwnSystem
from ..systems.own.mira import gold_tag_mira
from ..systems.own.sequences import easy_first_system

BEAM = 3
# Sizes up to this are measured in several turns.
CHEAP = MILLION


@dataclass(frozen=True)
class ScalingScale:
    """How much a run measures.

    words (tuple[int, ...]): words to annotate; memory is read over the most of them.
    turns (int): turns of each size that is not too large.
    seeds (int): seeds of each training.
    shards (tuple[int, ...]): numbers of shards.
    epochs (int): epochs of serial training; 0: as the config says.
    rounds (int): rounds to time.
    sentences (tuple[int, ...]): sizes of corpora of raw text for which rounds are timed.
    workers (tuple[int, ...]): numbers of workers for which rounds are timed.
    """

    words: tuple[int, ...] = (MILLION, 10 * MILLION)
    turns: int = 3
    seeds: int = 3
    shards: tuple[int, ...] = (1, 2, 4, 8)
    epochs: int = 0
    rounds: int = 3
    sentences: tuple[int, ...] = (10_000, 40_000, 160_000)
    workers: tuple[int, ...] = (1, 2)


QUICK = ScalingScale(
    words=(20_000,),
    turns=1,
    seeds=1,
    shards=(2,),
    epochs=2,
    rounds=1,
    sentences=(400,),
    workers=(2,),
)


@dataclass(frozen=True)
class Means:
    """What a run has to work with.

    workshop (Workshop): the corpus, and where the tagger is trained.
    data (Path | None): the directory of raw text; None for the sample treebank.
    model (Path | None): the pipeline to annotate with; None for the tagger.
    scale (ScalingScale): how much to measure.
    """

    workshop: Workshop
    data: Path | None
    model: Path | None
    scale: ScalingScale

    @property
    def work(self) -> Path:
        """RETURNS (Path): the work directory."""
        return self.workshop.work

    @property
    def is_small(self) -> bool:
        """RETURNS (bool): whether the corpus is the sample treebank."""
        return self.data is None

    def tagger(self) -> OwnSystem:
        """The tagger of the benchmark."""
        system = easy_first_system(BEAM, small=self.is_small)
        epochs = {"training.max_epochs": self.scale.epochs} if self.scale.epochs else {}
        return replace(system, overrides={**system.overrides, **epochs})

    def trained_tagger(self) -> Path:
        """Train the tagger, unless this run has done so; returns its folder."""
        self.workshop.train(self.tagger())
        return self.tagger().model_path(self.workshop.directory(self.tagger()))

    def pipeline(self) -> Path:
        """The pipeline to annotate with."""
        return self.model.resolve() if self.model else self.trained_tagger()

    def describe(self) -> dict[str, str]:
        """What annotates what, in sentences."""
        text = "the sample treebank" if self.is_small else "AMALGUM"
        return {
            "model": self.model.name if self.model else "easy_first_tagger, beam 3, `tagger.cfg`",
            "text": f"Text: {text}, a document of five sentences a line, repeated with rare words "
            "varied, so that the number of types grows with the square root of the length.",
        }

    def text(self, n_words: int) -> Path:
        """Text of so many words."""
        path = self.work / "texts" / f"{n_words}.txt"
        if not path.exists():
            run_in_child(write_text, self.data, path, n_words)
        return path

    def out(self) -> Path:
        """A new folder for outputs."""
        path = self.work / "annotated"
        shutil.rmtree(path, ignore_errors=True)
        return path


def measure_annotation(means: Means) -> dict[str, Any]:
    """Annotate texts of all sizes in all ways."""
    sizes = []
    model = str(means.pipeline())
    for n_words in means.scale.words:
        text = means.text(n_words)

        def measure(way: Way, text: Path = text) -> dict[str, Any]:
            msg.text(f"{text.stem} words, {way.label} ...")
            timing: dict[str, Any] = run_in_child(
                annotate_by, way, model, text, means.out(), has_children=True
            )
            return timing

        turns = means.scale.turns if n_words <= CHEAP else 1
        sizes.append({"words": n_words, "timings": measure_in_turns(WAYS, turns, measure)})
    means.out()
    return {**means.describe(), "sizes": sizes}


def measure_memory(means: Means) -> dict[str, Any]:
    """Read the memory of a process over the longest text."""
    n_words = max(means.scale.words)
    text, model = means.text(n_words), str(means.pipeline())
    processes = []
    for how in (UNITS, PIPE):
        msg.text(f"memory of {how} ...")
        processes.append(run_in_child(memory_over_words, how, model, text, means.out(), n_words))
    means.out()
    return {**means.describe(), "processes": processes}


def trained_systems(means: Means) -> tuple[tuple[str, str, OwnSystem], ...]:
    """What is trained on shards: its name, a note, and the system."""
    return (
        ("easy_first_tagger", "Config: `tagger.cfg`.", means.tagger()),
        (
            "mira_parser, order 1",
            "Config: `parser_fast.cfg`, the parser alone, on gold tags and without jackknifing.",
            gold_tag_mira(1, small=means.is_small),
        ),
    )


def measure_training(means: Means) -> dict[str, Any]:
    """Train on shards."""
    scale, corpus = means.scale, means.workshop.corpus
    systems = []
    for name, note, system in trained_systems(means):
        home = means.work / "shards" / system.key
        n_epochs = scale.epochs or shipped_epochs(system, home)
        msg.text(f"{name}: accuracy by round ...")
        how = (system, corpus, home)
        curves = run_in_child(learning_curves, *how, scale.shards, scale.seeds, n_epochs)
        systems.append(
            {
                "key": system.key,
                "label": name,
                "note": note,
                "corpus": corpus.name,
                "metric": system.metric,
                "n_epochs": n_epochs,
                "curves": curves,
            }
        )
    return {"systems": systems}


def measure_rounds(means: Means) -> dict[str, Any]:
    """Time rounds, on the treebank and on more and more text."""
    scale, corpus = means.scale, means.workshop.corpus
    timings = []
    if not means.is_small:
        for name, _, system in trained_systems(means):
            msg.text(f"{name}: time of rounds ...")
            home = means.work / "rounds" / system.key
            timing = run_in_child(time_training, system, corpus, home, scale.workers, scale.rounds)
            timings.append({"label": f"{name}, {corpus.name}", "size": None, **timing})
    return {"timings": [*timings, *measure_sizes(means)]}


def measure_sizes(means: Means) -> list[dict[str, Any]]:
    """Rounds of the tagger on more and more text that it has tagged."""
    model, dev = means.trained_tagger(), means.workshop.corpus.path("dev")
    rounds = []
    for n in means.scale.sentences:
        msg.text(f"time of rounds with {n:,} sentences ...")
        home = means.work / "sizes" / str(n)
        corpus: Corpus = run_in_child(annotated_corpus, model, means.data, dev, home, n)
        how = (means.tagger(), corpus, home / "config")
        timing = run_in_child(time_training, *how, means.scale.workers, min(2, means.scale.rounds))
        rounds.append({"label": f"easy_first_tagger, {corpus.name}", "size": n, **timing})
    return rounds


MEASURES = {
    ANNOTATE: measure_annotation,
    MEMORY: measure_memory,
    TRAINING: measure_training,
    ROUNDS: measure_rounds,
}
