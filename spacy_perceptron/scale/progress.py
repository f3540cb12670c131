"""A progress bar over words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .plan import Unit
from .units import UnitReport


class WordBar:
    """Shows words a second and the time left. How many words there are is estimated.

    units (Sequence[Unit]): All units.
    **options: Options of the bar, as in tqdm.
    """

    def __init__(self, units: Sequence[Unit], **options: Any) -> None:
        self._shown = 0
        self._n_errors = 0
        total = sum(unit.n_words for unit in units if not Path(unit.target).exists())
        options = {"unit": " words", "unit_scale": True, "disable": None, **options}
        self.bar = tqdm(total=total, **options)

    def __enter__(self) -> "WordBar":
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.close()

    def add_words(self, n_words: int) -> None:
        """Show a batch of the present unit, where there is one unit at a time.

        n_words (int): Its words.
        """
        self._shown += n_words
        self.bar.update(n_words)

    def show(self, unit: Unit, report: UnitReport) -> None:
        """Show a unit that is done.

        unit (Unit): The unit.
        report (UnitReport): What has become of it.
        """
        if report.skipped:
            return
        self.bar.total += report.n_words - unit.n_words
        self.bar.update(report.n_words - self._shown)
        self._shown = 0
        self._n_errors += report.n_errors
        if self._n_errors:
            self.bar.set_postfix_str(f"{self._n_errors} errors")
