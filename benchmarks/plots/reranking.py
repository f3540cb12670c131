"""The plot of rerankers: what they reach, and how their training time grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .style import COLORS, OTHER, drawing, nice_ticks, plain_numbers, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_reranking(data: Mapping[str, Any], path: Path) -> None:
    """Draw both panels.

    data (Mapping[str, Any]): the results.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(10.5, 4.0), gridspec_kw={"width_ratios": [3, 2]}
        )
        draw_accuracy(left, data["systems"])
        draw_growth(right, {name: task["growth"] for name, task in data["tasks"].items()})
        save(figure, path)


def draw_accuracy(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """A line per measure from the base to the reranker, and on to the oracle where there is one."""
    for place, row in enumerate(reversed(rows)):
        base, reranked = 100 * row["base"], 100 * row["reranked"]
        if row["oracle"] is not None:
            axes.plot([reranked, 100 * row["oracle"]], [place] * 2, color="#cccccc", linewidth=1.2)
            axes.plot(100 * row["oracle"], place, "|", color=OTHER, markersize=10)
        axes.plot([base, reranked], [place] * 2, color=COLORS["ours"], linewidth=3)
        axes.plot(base, place, "o", color="white", markeredgecolor=COLORS["ours"])
        axes.plot(reranked, place, "o", color=COLORS["ours"])
        axes.annotate(
            f"{100 * row['reduction']:+.1f} % of errors removed",
            (reranked, place),
            xytext=(0, 8),
            textcoords="offset points",
            fontsize=8,
        )
    axes.set_yticks(range(len(rows)), [row["label"] for row in reversed(rows)], fontsize=8)
    axes.margins(x=0.08, y=0.15)
    axes.set_xlabel("% on test")
    axes.set_title("Base (empty), reranked (full), oracle (|)")


def draw_growth(axes: Axes, growths: Mapping[str, Mapping[str, Any]]) -> None:
    """A line per task: CPU seconds against lists."""
    colors = [COLORS["ours"], COLORS["spacy"], COLORS["mira"]]
    numbers: list[float] = []
    seconds: list[float] = []
    for color, (name, growth) in zip(colors, growths.items(), strict=False):
        x = [row["n_sentences"] for row in growth["rows"]]
        y = [row["cpu"] for row in growth["rows"]]
        power = "" if growth["exponent"] is None else f", power {growth['exponent']:.2f}"
        axes.plot(x, y, "o-", color=color, markersize=5, label=f"{name}{power}")
        numbers, seconds = [*numbers, *x], [*seconds, *y]
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_numbers(axes, sorted(set(numbers)))
    plain_numbers(axes, nice_ticks(seconds), axis="y")
    axes.set_xlabel("lists (logarithmic)")
    axes.set_title("Training, one pass, CPU seconds")
    axes.legend(frameon=False, fontsize=8)
