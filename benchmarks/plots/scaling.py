"""Plots of what many words and many workers do: memory, accuracy by round, time of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from .style import COLORS, OTHER, drawing, plain_numbers, save

MILLION = 10**6
LINES = (COLORS["ours"], COLORS["spacy"], COLORS["mira"], COLORS["udpipe"], OTHER)


def memory_by_words(lines: Mapping[str, Sequence[Sequence[float]]], path: Path) -> None:
    """A line per process.

    lines (Mapping[str, Sequence[Sequence[float]]]): words so far and MB, by the names of processes.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, axes = plt.subplots(figsize=(7.2, 4.0))
        for color, (name, points) in zip(LINES, lines.items(), strict=False):
            words, memory = zip(*points, strict=True)
            x = [n / MILLION for n in words]
            axes.plot(x, memory, "o-", color=color, markersize=3, label=name)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("million words annotated")
        axes.set_title("Resident memory, MB")
        axes.legend(frameon=False, fontsize=9)
        save(figure, path)


def accuracy_by_round(
    panels: Mapping[str, Mapping[str, Sequence[Sequence[float]]]], path: Path
) -> None:
    """A panel per component, a line per training: the mean over seeds.

    panels (Mapping): the scores of each seed after each round, by trainings, by components.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, row = plt.subplots(1, len(panels), figsize=(5.2 * len(panels), 4.2), squeeze=False)
        for axes, (title, curves) in zip(row[0], panels.items(), strict=True):
            for color, (name, seeds) in zip(LINES, curves.items(), strict=False):
                means = [100 * mean(scores) for scores in zip(*seeds, strict=True)]
                axes.plot(
                    range(1, len(means) + 1), means, "o-", color=color, markersize=4, label=name
                )
            axes.set_title(f"{title}, % on dev")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_xlabel("rounds or epochs")
        row[0][-1].legend(frameon=False, fontsize=9)
        save(figure, path)


def round_by_size(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """A line: how long a round is against an epoch of serial training, by sentences.

    rows (Sequence[Mapping[str, Any]]): `n_examples` and `ratio`.
    path (Path): the file to write.
    """
    with drawing() as plt:
        figure, axes = plt.subplots(figsize=(6.0, 3.8))
        points = sorted((row["n_examples"], row["ratio"]) for row in rows)
        sizes = [size for size, _ in points]
        axes.plot(sizes, [ratio for _, ratio in points], "o-", color=COLORS["ours"])
        axes.axhline(1 / rows[0]["n_workers"], color=OTHER, linestyle=":")
        axes.set_xscale("log")
        plain_numbers(axes, sizes)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("sentences (logarithmic)")
        axes.set_title(f"A round of {rows[0]['n_workers']} workers / a serial epoch, wall time")
        save(figure, path)
