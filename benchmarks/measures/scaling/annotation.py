"""Annotation of a file of text by one process and by two, in units and by `nlp.pipe`.

Each measurement is a process of its own. Its clock starts when the package has been imported, and
stops when all processes that it has started have ended.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from ...processes.family import family_seconds

if TYPE_CHECKING:
    from spacy_perceptron.scale.plan import Unit
    from spacy_perceptron.scale.units import UnitReport


@dataclass(frozen=True)
class Way:
    """A way to annotate.

    key (str): its short name.
    label (str): its name in tables.
    n_processes (int): how many processes annotate.
    in_units (bool): whether it is `annotate`, which writes outputs; else `nlp.pipe`, whose Docs are
        dropped.
    """

    key: str
    label: str
    n_processes: int
    in_units: bool


WAYS = (
    Way("pipe", "`nlp.pipe`", 1, False),
    Way("pipe-2", "`nlp.pipe`, `n_process=2`", 2, False),
    Way("annotate", "`annotate`, 1 worker", 1, True),
    Way("annotate-2", "`annotate`, 2 workers on Ray", 2, True),
)
# What speed-ups are relative to.
BASES = {"pipe-2": "pipe", "annotate-2": "annotate"}
Timing = dict[str, Any]


class Meter:
    """Wall and CPU seconds of this process and of all that it starts."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._cpu = family_seconds()

    def wall(self) -> float:
        """Wall seconds so far."""
        return time.perf_counter() - self._began

    def cpu(self) -> float | None:
        """CPU seconds so far; None where they can't be known."""
        cpu = family_seconds()
        return None if cpu is None or self._cpu is None else cpu - self._cpu


def annotate_by(way: Way, model: str, text: Path, out: Path) -> Timing:
    """Annotate a file in one way; runs in a child process, which must be able to start others.

    way (Way): the way.
    model (str): the pipeline's folder.
    text (Path): the file, a document a line.
    out (Path): a new folder for outputs.
    RETURNS (Timing): `words`, and seconds: `wall` in all, of which `start` is for Ray and `load`
        until the first document can be annotated; `cpu` of all processes, of which `start_cpu`.
    """
    if not way.in_units:
        return _by_pipe(model, text, way.n_processes)
    return _by_units(model, text, out, way.n_processes)


def _by_pipe(model: str, text: Path, n_processes: int) -> Timing:
    import spacy

    # This process was spawned, and would spawn others; outside of benchmarks it is the default.
    multiprocessing.set_start_method(None, force=True)
    meter = Meter()
    nlp = spacy.load(model)
    load = meter.wall()
    with text.open(encoding="utf8") as lines:
        docs = nlp.pipe((line.rstrip("\n") for line in lines), n_process=n_processes)
        n_words = sum(len(doc) for doc in docs)
    return {"words": n_words, "wall": meter.wall(), "load": load, "cpu": meter.cpu()}


def _by_units(model: str, text: Path, out: Path, n_workers: int) -> Timing:
    from spacy_perceptron.scale.annotate import Work, run_here, run_units
    from spacy_perceptron.scale.cluster import connected
    from spacy_perceptron.scale.plan import make_plan
    from spacy_perceptron.scale.ray_engine import STORE_BYTES, run_on_ray

    meter = Meter()
    work = Work(model)
    units = make_plan(text, out, pipeline=model, file_format="spacy", n_workers=n_workers)
    starts: list[float] = []

    def note(unit: Unit, report: UnitReport) -> None:
        """When the unit began, by the clock of this process."""
        starts.append(meter.wall() - report.seconds)

    timing: Timing = {}
    if n_workers == 1:
        summary = run_units(units, lambda left: run_here(left, work), show=note)
        start = 0.0
        timing["cpu"] = meter.cpu()
    else:
        with connected(None, n_workers, store_bytes=STORE_BYTES) as ray:
            start = meter.wall()
            timing["start_cpu"] = meter.cpu()

            def on_ray(left: Any) -> Iterator[tuple[Unit, UnitReport]]:
                return run_on_ray(left, work, ray=ray, n_workers=n_workers)

            summary = run_units(units, on_ray, show=note)
            # Its processes are alive: later nobody could ask for their times.
            timing["cpu"] = meter.cpu()
        timing["start"] = start
    if summary.failures or summary.n_errors:
        raise RuntimeError(f"{summary.n_errors} documents of {text} could not be annotated")
    return {
        **timing,
        "words": summary.n_words,
        "load": min(starts) - start,
        "work": summary.seconds - (min(starts) - start),
        "wall": meter.wall(),
    }


def measure_in_turns(
    ways: Sequence[Way], turns: int, measure: Callable[[Way], Timing]
) -> dict[str, list[Timing]]:
    """Measure all ways in turns (A B C A B C ...).

    ways (Sequence[Way]): the ways.
    turns (int): how many times.
    measure (Callable): measures one of them once.
    RETURNS (dict[str, list[Timing]]): timings by the keys of ways.
    """
    timings: dict[str, list[Timing]] = {way.key: [] for way in ways}
    for _ in range(turns):
        for way in ways:
            timings[way.key].append(measure(way))
    return timings


def annotation_rows(timings: Mapping[str, Sequence[Timing]], size: str) -> list[dict[str, Any]]:
    """A row for each way: medians over turns.

    timings (Mapping[str, Sequence[Timing]]): timings by the keys of ways.
    size (str): how much text it was.
    RETURNS (list[dict[str, Any]]): rows of a table. `speed_up` is the median ratio of wall times
        within a turn, `work_speed_up` that without the start of Ray and loading.
    """
    rows = []
    for way in WAYS:
        own = timings.get(way.key)
        if not own:
            continue
        base = timings.get(BASES.get(way.key, ""), ())
        row: dict[str, Any] = {"label": f"{size}: {way.label}", "key": way.key, "turns": len(own)}
        for name in ("words", "wall", "start", "load", "work", "cpu", "start_cpu"):
            values = [timing[name] for timing in own if timing.get(name) is not None]
            row[name] = median(values) if values else None
        row["speed_up"] = _ratio(base, own, "wall")
        row["work_speed_up"] = _ratio(base, own, "work")
        rows.append(row)
    return rows


def _ratio(base: Sequence[Timing], own: Sequence[Timing], name: str) -> float | None:
    """The median ratio of two ways within a turn."""
    pairs = [(a, b) for a, b in zip(base, own, strict=False) if name in a and name in b]
    return median(a[name] / b[name] for a, b in pairs) if pairs else None
