"""What all plots share: colors, style, axes, labels. matplotlib is imported when one is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLORS = {
    "ours": "#1f5fa8",
    "easy_first": "#1f5fa8",
    "mira": "#7d5ba6",
    "spacy": "#d1701c",
    "nltk": "#5b8c3e",
    "udpipe": "#5b8c3e",
    "crfsuite": "#7d5ba6",
    "chart": "#d1701c",
    "generative": "#5b8c3e",
    "perceptron": "#5b8c3e",
    "hybrid": "#5b8c3e",
    "shipped": "#1f5fa8",
    "fast": "#1f5fa8",
    "gold": "#1f5fa8",
    "rerank": "#7d5ba6",
    "max_margin": "#1f5fa8",
    "exact": "#d1701c",
    "smo": "#7d5ba6",
    "small_c": "#1f5fa8",
    "incremental": "#5b8c3e",
}
OTHER = "#666666"
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "figure.dpi": 150,
}


def group_color(group: str) -> str:
    """The color of a group of systems."""
    return COLORS.get(group, OTHER)


@contextmanager
def drawing() -> Iterator[Any]:
    """RETURNS (ContextManager): `matplotlib.pyplot`, with the style of all plots."""
    import matplotlib

    matplotlib.use("Agg")

    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        yield plt


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file and close it."""
    import matplotlib.pyplot as plt

    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def in_thousands(axis: Axis) -> None:
    """Write numbers of an axis with commas."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))


def plain_numbers(axes: Axes, ticks: Sequence[float], *, axis: str = "x") -> None:
    """Label a logarithmic axis with the given numbers, written out."""
    from matplotlib.ticker import NullLocator

    target = axes.xaxis if axis == "x" else axes.yaxis
    in_thousands(target)
    target.set_minor_locator(NullLocator())
    target.set_ticks(list(ticks))


def nice_ticks(values: Sequence[float]) -> list[float]:
    """The numbers 1, 2 and 5 times a power of ten around and between the values."""
    steps = [base * 10.0**power for power in range(-3, 9) for base in (1, 2, 5)]
    low = max((step for step in steps if step <= min(values)), default=steps[0])
    high = min((step for step in steps if step >= max(values)), default=steps[-1])
    return [step for step in steps if low <= step <= high]


def write_at(axes: Axes, text: str, point: tuple[float, float], color: str) -> None:
    """A small label above a point, readable where it crosses a line."""
    axes.annotate(
        text,
        point,
        xytext=(0, 9),
        textcoords="offset points",
        color=color,
        fontsize=9,
        ha="center",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8},
    )
