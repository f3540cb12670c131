"""The plot of the duality gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .style import COLORS, drawing, save

STYLES = ((COLORS["exact"], "-"), (COLORS["smo"], "--"), (COLORS["small_c"], ":"))


def gap_and_score(curves: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Two panels, a line per training in each: the duality gap, and F1 on dev.

    curves (Mapping[str, Sequence[Mapping[str, Any]]]): `epoch`, `gap` and `score` after each pass,
        by the names of the trainings; `gap` is None where there is none.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, (upper, lower) = plt.subplots(2, 1, figsize=(7.2, 5.6), sharex=True)
        passes: set[int] = set()
        for (color, line), (name, points) in zip(STYLES, curves.items(), strict=False):
            style = {"marker": "o", "linestyle": line, "color": color, "label": name}
            x = [point["epoch"] for point in points]
            passes.update(x)
            lower.plot(x, [100 * point["score"] for point in points], **style)
            gaps = [(point["epoch"], 100 * point["gap"]) for point in points if point["gap"]]
            if gaps:
                upper.plot(*zip(*gaps, strict=True), **style)
        upper.set_ylim(0, 104)
        upper.set_title("Duality gap, % of the objective")
        lower.set_title("F1 on dev, %")
        lower.set_xticks(sorted(passes))
        lower.set_xlabel("passes over train")
        lower.legend(frameon=False, fontsize=9)
        save(figure, path)
