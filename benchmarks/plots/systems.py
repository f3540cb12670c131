"""Plots of compared systems: accuracy against speed, time against length, effect of a setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..measures.speed import seconds_per_word
from .labels import BESIDE, Label, place_labels
from .style import (
    COLORS,
    drawing,
    group_color,
    in_thousands,
    nice_ticks,
    plain_numbers,
    save,
    write_at,
)

Result = Mapping[str, Any]

OWN_GROUPS = (
    "ours",
    "easy_first",
    "mira",
    "shipped",
    "fast",
    "gold",
    "generative",
    "perceptron",
    "hybrid",
)
# The axis of a setting is logarithmic if its greatest value is at least this many times its least.
WIDE = 16
# More systems than this are named below a plot.
MANY = 5


def accuracy_against_speed(
    results: Sequence[Result],
    corpus: str,
    path: Path,
    *,
    part: str = "all",
    title: str = "Accuracy",
) -> None:
    """A point per system; the settings of one system are joined.

    results (Sequence[Result]): the systems.
    corpus (str): name of the corpus.
    path (Path): the file to write.
    part (str): the part of the accuracy to show.
    title (str): what to call it.
    """
    with drawing() as plt:
        figure, axes = plt.subplots(figsize=(7.2, 4.4))
        written: list[Label] = []
        for name in dict.fromkeys(result["name"] for result in results):
            members = [result for result in results if result["name"] == name]
            members.sort(key=lambda result: result["speed"]["cpu"])
            color = group_color(members[0]["group"])
            x = [result["speed"]["cpu"] for result in members]
            y = [100 * result["accuracy"][part]["share"] for result in members]
            axes.plot(x, y, "o-", color=color, linewidth=1.2, markersize=6, label=name)
            for result, *point in zip(members, x, y, strict=True):
                written.append(Label(result["setting"], (point[0], point[1]), color))
        axes.set_xscale("log")
        ticks = nice_ticks([result["speed"]["cpu"] for result in results])
        plain_numbers(axes, ticks)
        axes.set_xlim(0.9 * ticks[0], 1.1 * ticks[-1])
        axes.margins(y=0.15)
        axes.set_xlabel("words per CPU second, one thread (logarithmic)")
        axes.set_ylabel(f"{title if title.isupper() else title.lower()}, %")
        axes.set_title(f"{title} against speed, {corpus} test")
        if len(axes.lines) > MANY:
            # Inside there is no room for so many names.
            below: dict[str, Any] = {
                "loc": "upper left",
                "bbox_to_anchor": (0, -0.16),
                "ncol": 2,
                "fontsize": 8,
            }
            figure.set_figheight(figure.get_figheight() + 0.11 * len(axes.lines))
        else:
            below = {"fontsize": 9}
        axes.legend(frameon=False, **below)
        place_labels(axes, written)
        save(figure, path)


def time_against_length(
    lengths: Mapping[str, Any], results: Sequence[Result], path: Path, *, title: str = ""
) -> None:
    """A line per system: microseconds per word for sentences of growing length."""
    groups = {result["key"]: result["group"] for result in results}
    labels = {result["key"]: result["label"] for result in results}
    with drawing() as plt:
        figure, axes = plt.subplots(figsize=(7.2, 4.2))
        values: list[float] = []
        written: list[Label] = []
        ticks: list[int] = []
        styles = {key: iter(["-", "--", ":", "-."] * len(lengths)) for key in OWN_GROUPS}
        for key, by_length in lengths.items():
            ticks = [int(length) for length in by_length]
            micros = [1e6 * seconds_per_word(timings, "cpu") for timings in by_length.values()]
            values.extend(micros)
            style = next(styles[groups[key]]) if groups[key] in styles else "-"
            color = group_color(groups[key])
            axes.plot(ticks, micros, marker="o", markersize=4, linestyle=style, color=color)
            written.append(Label(labels[key], (ticks[-1], micros[-1]), color))
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_numbers(axes, ticks)
        plain_numbers(axes, nice_ticks(values), axis="y")
        axes.set_xlabel("words in the sentence (logarithmic)")
        axes.set_ylabel("CPU µs per word (logarithmic)")
        axes.set_title(f"Time per word against sentence length{title}")
        place_labels(axes, written, steps=BESIDE)
        save(figure, path)


def _effect(
    grid: Sequence[Any],
    settings: Sequence[int],
    panels: Sequence[tuple[str, Sequence[float], str]],
    name: str,
) -> None:
    """Panels one above the other: title, values and their format, against a setting."""
    for axes, (title, values, form) in zip(grid, panels, strict=True):
        axes.plot(settings, values, "o-", color=COLORS["ours"])
        for setting, value in zip(settings, values, strict=True):
            write_at(axes, form.format(value), (setting, value), "black")
        axes.margins(x=0.08, y=0.25)
        axes.set_title(title)
    lowest = grid[-1]
    lowest.set_ylim(0, 1.25 * max(panels[-1][1]))
    in_thousands(lowest.yaxis)
    if settings[-1] >= WIDE * settings[0]:
        lowest.set_xscale("log", base=2)
        plain_numbers(lowest, settings)
    else:
        lowest.set_xticks(settings)
    lowest.set_xlabel(name)


def _percent(results: Mapping[int, Result], part: str) -> list[float]:
    return [100 * result["accuracy"][part]["share"] for result in results.values()]


def effect_of_beam(
    beams: Mapping[int, Result],
    path: Path,
    *,
    parts: Mapping[str, str] = MappingProxyType({"all": "Test accuracy, %"}),
    speed: tuple[str, str] = ("cpu", "Words per CPU second"),
) -> None:
    """Accuracy and speed against the beam width, one above the other.

    beams (Mapping[int, Result]): results by beam width.
    path (Path): the file to write.
    parts (Mapping[str, str]): the parts of the accuracy to show, and their titles.
    speed (tuple[str, str]): the part of the speed to show, and its title.
    """
    panels = [(title, _percent(beams, part), "{:.2f}") for part, title in parts.items()]
    part, title = speed
    panels.append((title, [result["speed"][part] for result in beams.values()], "{:,.0f}"))
    with drawing() as plt:
        figure, grid = plt.subplots(len(panels), 1, figsize=(6.4, 2.6 * len(panels)), sharex=True)
        _effect(grid, list(beams), panels, "beam width")
        save(figure, path)


def effect_of_k(by_k: Mapping[int, Result], path: Path) -> None:
    """Attachment scores on dev and training time against the number of best trees in training."""
    seconds = [result["training"]["cpu"] for result in by_k.values()]
    panels = [
        ("UAS on dev, %", _percent(by_k, "uas"), "{:.2f}"),
        ("LAS on dev, %", _percent(by_k, "las"), "{:.2f}"),
        ("Training, CPU seconds", seconds, "{:,.0f}"),
    ]
    with drawing() as plt:
        figure, grid = plt.subplots(len(panels), 1, figsize=(6.4, 2.6 * len(panels)), sharex=True)
        _effect(grid, list(by_k), panels, "k")
        save(figure, path)
