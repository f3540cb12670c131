"""What `calibrate` measured, as tables and as a plot."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    # Confidences, and whether the decisions were correct.
    Outcomes = tuple[np.ndarray, np.ndarray]
    # What they were measured on -> outcomes before and after calibration.
    Measured = dict[str, tuple[Outcomes, Outcomes]]

BAR_WIDTH = 30
N_BINS = 10


def print_report(measured: "Measured") -> None:
    """Print errors, and the reliability on what was measured last.

    measured (Measured): Outcomes before and after calibration.
    """
    _print_errors(measured)
    where, (_, after) = list(measured.items())[-1]
    _print_reliability(f"Reliability after calibration ({where})", after)


def _print_errors(measured: "Measured") -> None:
    """Print errors before and after calibration.

    measured (Measured): Outcomes before and after calibration.
    """
    from wasabi import msg

    from ..answers.calibration import expected_calibration_error, log_loss

    rows = []
    for where, pair in measured.items():
        measures = (expected_calibration_error, log_loss)
        errors = [measure(*outcomes) for measure in measures for outcomes in pair]
        rows.append((where, len(pair[0][0]), *(f"{error:.4f}" for error in errors)))
    header = ("Corpus", "Tokens", "ECE before", "ECE after", "Log loss before", "Log loss after")
    msg.table(rows, header=header, divider=True, aligns=["l"] + ["r"] * 5)


def _print_reliability(title: str, outcomes: "Outcomes") -> None:
    """Print accuracy against confidence, bin by bin; a bar shows accuracy, a mark the confidence.

    title (str): Heading.
    outcomes (Outcomes): Confidences and outcomes.
    """
    from wasabi import msg

    from ..answers.calibration import reliability_bins

    rows = []
    for b in reliability_bins(*outcomes, n_bins=N_BINS):
        if b.count:
            cells = list(("#" * round(b.accuracy * BAR_WIDTH)).ljust(BAR_WIDTH + 1))
            cells[round(b.confidence * BAR_WIDTH)] = "|"
            figures = (b.count, f"{b.confidence:.3f}", f"{b.accuracy:.3f}", "".join(cells))
            rows.append((f"{b.low:.1f} - {b.high:.1f}", *figures))
    msg.divider(title)
    header = ("Bin", "Tokens", "Confidence", "Accuracy", "# accuracy, | confidence")
    msg.table(rows, header=header, divider=True, aligns=("l", "r", "r", "r", "l"))


def plot(path: Path, components: dict[str, "Measured"]) -> None:
    """Write a reliability diagram per component, if matplotlib is there.

    path (Path): The PNG file.
    components (dict[str, Measured]): For each component, outcomes before and after calibration;
        those measured last are drawn.
    """
    from wasabi import msg

    from ..errors import Warnings

    try:
        from matplotlib.figure import Figure
    except ImportError:
        msg.warn(Warnings.CALIBRATION_NO_MATPLOTLIB)
        return
    n = len(components)
    figure = Figure(figsize=(5 * n, 5), layout="constrained")
    panels = figure.subplots(1, n, squeeze=False)[0]
    for axes, (name, measured) in zip(panels, components.items(), strict=True):
        where, pair = list(measured.items())[-1]
        _draw(axes, f"{name} ({where})", dict(zip(("before", "after"), pair, strict=True)))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png", dpi=150)
    msg.good(f"Wrote {path}")


def _draw(axes: Any, title: str, curves: dict[str, "Outcomes"]) -> None:
    """Draw accuracy against confidence.

    axes (Axes): Where to draw.
    title (str): Heading.
    curves (dict[str, Outcomes]): Outcomes by the name of their curve.
    """
    from ..answers.calibration import expected_calibration_error, reliability_bins

    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="perfect")
    for label, outcomes in curves.items():
        bins = [b for b in reliability_bins(*outcomes, n_bins=N_BINS) if b.count]
        error = expected_calibration_error(*outcomes)
        x, y = [b.confidence for b in bins], [b.accuracy for b in bins]
        axes.plot(x, y, marker="o", label=f"{label} (ECE {error:.4f})")
    axes.set(xlabel="confidence", ylabel="accuracy", title=title)
    axes.legend(loc="upper left")
