"""A run over many units: which ones are left to do, and what has become of them."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spacy.util import load_model

from ..values import COUNT
from .plan import Unit
from .units import BATCH_SIZE, UnitReport, annotate_unit, check_nbest


@dataclass(frozen=True)
class Work:
    """How units are annotated.

    pipeline (str): Name or folder of the pipeline.
    nbest (Optional[int]): How many n-best answers to keep; None: as the pipeline says.
    batch_size (int): The most documents that are annotated at once.
    code (Optional[str]): A Python file to import first.
    """

    pipeline: str
    nbest: int | None = None
    batch_size: int = BATCH_SIZE
    code: str | None = None

    def check(self) -> None:
        """Raise ValueError if a number is out of its range."""
        COUNT.check("batch_size", self.batch_size)
        if self.nbest is not None:
            check_nbest(self.nbest)


@dataclass
class Summary:
    """What a run has done.

    n_units (int): Units done now.
    n_skipped (int): Units that were done before.
    n_docs (int): Documents annotated now.
    n_words (int): Their tokens.
    n_errors (int): Entries in the error files of these units.
    failures (list[UnitReport]): Units without an output.
    seconds (float): Time since the first unit could begin.
    """

    n_units: int = 0
    n_skipped: int = 0
    n_docs: int = 0
    n_words: int = 0
    n_errors: int = 0
    failures: list[UnitReport] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, report: UnitReport) -> None:
        """Count a unit.

        report (UnitReport): What has become of it.
        """
        self.n_units += not (report.skipped or report.failure)
        self.n_skipped += report.skipped
        self.n_docs += report.n_docs
        self.n_words += report.n_words
        self.n_errors += report.n_errors
        if report.failure:
            self.failures.append(report)


# Takes units, and yields each with what has become of it, in any order.
Engine = Callable[[Iterable[Unit]], Iterator[tuple[Unit, UnitReport]]]


def run_units(
    units: Sequence[Unit],
    engine: Engine,
    *,
    show: Callable[[Unit, UnitReport], None] = lambda unit, report: None,
) -> Summary:
    """Annotate the units that are left to do.

    units (Sequence[Unit]): All units.
    engine (Callable): What runs them.
    show (Callable): Called for each unit that is done, or was.
    RETURNS (Summary): What has been done.
    """
    summary = Summary()
    left: list[Unit] = []
    for unit in units:
        if Path(unit.target).exists():
            report = UnitReport(unit.target, skipped=True)
            summary.add(report)
            show(unit, report)
        else:
            left.append(unit)
    began = time.perf_counter()
    for unit, report in engine(left):
        summary.add(report)
        show(unit, report)
    summary.seconds = time.perf_counter() - began
    return summary


def run_here(
    units: Iterable[Unit], work: Work, *, report: Callable[[int], None] | None = None
) -> Iterator[tuple[Unit, UnitReport]]:
    """Annotate units in this process, one after the other.

    units (Iterable[Unit]): The units.
    work (Work): How.
    report (Optional[Callable]): Called with the number of words of each batch that is done.
    YIELDS (tuple[Unit, UnitReport]): Each unit, and what has become of it.
    """
    units = list(units)
    if not units:
        return
    nlp = load_model(work.pipeline)
    for unit in units:
        yield (
            unit,
            annotate_unit(
                nlp,
                unit.source,
                unit.target,
                batch_size=work.batch_size,
                nbest=work.nbest,
                report=report,
            ),
        )
