"""The plot of learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .style import COLORS, drawing, save

STYLES = ((COLORS["spacy"], ":"), (COLORS["mira"], "--"), (COLORS["ours"], "-"))


def learning_curves(curves: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """A line per training: F1 on dev after each pass.

    curves (Mapping[str, Sequence[Mapping[str, Any]]]): `epoch` and `score` after each pass, by
        the names of the trainings.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, axes = plt.subplots(figsize=(7.2, 4.2))
        passes: set[int] = set()
        for (color, line), (name, points) in zip(STYLES, curves.items(), strict=False):
            x = [point["epoch"] for point in points]
            y = [100 * point["score"] for point in points]
            axes.plot(x, y, marker="o", linestyle=line, color=color, label=name)
            passes.update(x)
        axes.set_xticks(sorted(passes))
        axes.set_xlabel("passes over train")
        axes.set_ylabel("F1 on dev, %")
        axes.set_title("Learning curves of the perceptron, predicted tags")
        axes.legend(frameon=False, fontsize=9)
        save(figure, path)
