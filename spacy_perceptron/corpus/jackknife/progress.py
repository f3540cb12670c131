"""How far the folds are: each reports its steps, and one bar shows them all.

spaCy's loop tells `before_update` of [training] the epoch and the step. A fold's config has the
callback below there, which passes both on to whoever runs the fold, perhaps in another process.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from spacy.language import Language
from thinc.api import Config
from tqdm import tqdm

CALLBACK_NAME = "spacy_perceptron.fold_progress.v1"
BAR_FORMAT = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"

# Takes an epoch and a step, both counted from 0.
Report = Callable[[int, int], None]
Callback = Callable[[Language, dict[str, Any]], None]

_report: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting_to(report: Report) -> Iterator[None]:
    """Report the steps of folds that run inside this block.

    report (Callable[[int, int], None]): Called with the epoch and the step before each update.
    """
    token = _report.set(report)
    try:
        yield
    finally:
        _report.reset(token)


def create_reporting_callback(callback: Callback | None = None) -> Callback:
    """Create the `before_update` of folds.

    callback (Optional[Callable]): The user's own, called too.
    RETURNS (Callable): The callback.
    """

    def before_update(nlp: Language, args: dict[str, Any]) -> None:
        report = _report.get()
        if report is not None:
            report(args["epoch"], args["step"])
        if callback is not None:
            callback(nlp, args)

    return before_update


class FoldBar:
    """A progress bar over folds, with the folds that are being trained and their epoch.

    n_folds (int): Number of folds.
    config (Config): The config that trains a fold. Where it stops early, the bar leaps ahead.
    **options: Options of the bar, as in tqdm.
    """

    def __init__(self, n_folds: int, config: Config, **options: Any) -> None:
        self.n_folds = n_folds
        self.max_epochs = max(config["training"]["max_epochs"], 0)
        self.max_steps = max(config["training"]["max_steps"], 0)
        self.shares = [0.0] * n_folds
        self.epochs: dict[int, int] = {}
        # The mean speed since the start: folds take turns, so that no moment stands for the next.
        options = {"bar_format": BAR_FORMAT, "smoothing": 0, "disable": None, **options}
        self.bar = tqdm(total=n_folds, desc="Jackknifing", **options)

    def __enter__(self) -> "FoldBar":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.bar.close()

    def report(self, fold: int, epoch: int, step: int) -> None:
        """Show a step.

        fold (int): The fold.
        epoch (int): Its epoch.
        step (int): Its step, counted over all epochs.
        """
        limits = [(epoch, self.max_epochs), (step, self.max_steps)]
        self.epochs[fold] = epoch
        self._show(fold, max(done / limit if limit else 0.0 for done, limit in limits))

    def finish(self, fold: int) -> None:
        """Show that a fold is done.

        fold (int): The fold.
        """
        self.epochs.pop(fold, None)
        self._show(fold, 1.0)

    def _show(self, fold: int, share: float) -> None:
        """Show which share of a fold is done, and what is going on.

        fold (int): The fold.
        share (float): The share.
        """
        self.bar.set_description_str(self._describe(), refresh=False)
        self.bar.update(share - self.shares[fold])
        self.shares[fold] = share

    def _describe(self) -> str:
        """RETURNS (str): The folds in training and the least of their epochs, counted from 1."""
        if not self.epochs:
            return "Jackknifing"
        folds = ", ".join(str(fold + 1) for fold in sorted(self.epochs))
        epoch = f"epoch {min(self.epochs.values()) + 1}"
        of_epochs = f" of {self.max_epochs}" if self.max_epochs else ""
        return f"Jackknifing: fold {folds} of {self.n_folds}, {epoch}{of_epochs}"
