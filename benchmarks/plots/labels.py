"""Places labels of points so that they do not run into each other, points, lines or the edge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

# Steps around a point: above, below, beside, and between; then further away.
_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (0.8, 0.8), (-0.8, 0.8), (0.8, -0.8), (-0.8, -0.8))
AROUND = tuple((x * far, y * far) for far in (1.0, 1.8, 2.6, 3.6) for x, y in _STEPS)
BESIDE = tuple((1.0, sign * 0.55 * n) for n in range(12) for sign in ((1, -1) if n else (1,)))
# The gap between a point and its label, and the radius of a point, in points of 1/72 inch.
GAP, RADIUS = 6.0, 4.0
# A label that is further away than so many steps gets a line to its point.
NEAR = 1.2
# How much worse it is to lie on a label or a point than on a line.
ON_LABEL, ON_LINE = 10.0, 1.0


class Box(NamedTuple):
    """A rectangle in points: left, bottom, right, top."""

    x0: float
    y0: float
    x1: float
    y1: float

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(width, 0.0) * max(height, 0.0)

    @property
    def area(self) -> float:
        """Width times height."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)


class Label(NamedTuple):
    """A text and the point that it is about, in the data's units."""

    text: str
    point: tuple[float, float]
    color: str


def choose_places(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    lines: Sequence[Sequence[tuple[float, float]]],
    edge: Box,
    *,
    steps: Sequence[tuple[float, float]] = AROUND,
    taken: Iterable[Box] = (),
) -> list[tuple[int, Box]]:
    """Choose a place for each label, one after the other: the first that is free, or else the one
    that hides least.

    points (Sequence[tuple]): the points, in points of 1/72 inch, as everything here.
    sizes (Sequence[tuple]): width and height of their labels.
    lines (Sequence[Sequence[tuple]]): lines through points that had better stay visible.
    edge (Box): where labels must be.
    steps (Sequence[tuple]): the places to try, as directions.
    taken (Iterable[Box]): what else is in the way.
    RETURNS (list[tuple[int, Box]]): the number of the step of each label, and its box.
    """
    dots = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in points]
    on_lines = [Box(x - 1, y - 1, x + 1, y + 1) for line in lines for x, y in _along(line)]
    used = [*taken, *dots]
    chosen: list[tuple[int, Box]] = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        best: tuple[float, int, Box] | None = None
        for number, (right, up) in enumerate(steps):
            box = _box(x, y, width, height, right, up)
            cost = ON_LABEL * (box.area - box.overlap(edge))
            cost += ON_LABEL * sum(box.overlap(other) for other in used)
            cost += ON_LINE * sum(box.overlap(other) for other in on_lines)
            if best is None or cost < best[0]:
                best = (cost, number, box)
            if not cost:
                break
        assert best is not None
        used.append(best[2])
        chosen.append(best[1:])
    return chosen


def _box(x: float, y: float, width: float, height: float, right: float, up: float) -> Box:
    """The box of a label that lies in a direction from its point."""
    left = x + right * (GAP + width / 2) - width / 2
    bottom = y + up * (GAP + height / 2) - height / 2
    return Box(left, bottom, left + width, bottom + height)


def _along(line: Sequence[tuple[float, float]]) -> Iterable[tuple[float, float]]:
    """Places on a line, some points apart."""
    for (x0, y0), (x1, y1) in pairwise(line):
        n = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / 5))
        for i in range(n + 1):
            yield x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n


def place_labels(
    axes: Axes, labels: Sequence[Label], *, steps: Sequence[tuple[float, float]] = AROUND
) -> None:
    """Write labels beside points, when everything else is drawn and scaled.

    axes (Axes): the axes.
    labels (Sequence[Label]): the labels.
    steps (Sequence[tuple]): the places to try.
    """
    figure = axes.figure
    figure.tight_layout()
    figure.canvas.draw()
    scale = 72 / figure.dpi
    points = [_in_points(axes, label.point, scale) for label in labels]
    lines = [[_in_points(axes, point, scale) for point in line.get_xydata()] for line in axes.lines]
    texts = [_write(axes, label) for label in labels]
    sizes = []
    for text in texts:
        extent = text.get_window_extent()
        sizes.append((extent.width * scale, extent.height * scale))
    legend = axes.get_legend()
    taken = [] if legend is None else [_scaled(legend.get_window_extent().extents, scale)]
    edge = _scaled(axes.bbox.extents, scale)
    if steps is BESIDE:
        # Room to the right is made when the figure is saved.
        edge = edge._replace(x1=math.inf)
    found = choose_places(points, sizes, lines, edge, steps=steps, taken=taken)
    for text, (x, y), (number, box) in zip(texts, points, found, strict=True):
        text.set_position(((box.x0 + box.x1) / 2 - x, (box.y0 + box.y1) / 2 - y))
        if math.hypot(*steps[number]) <= NEAR and text.arrow_patch is not None:
            text.arrow_patch.set_visible(False)


def _write(axes: Axes, label: Label) -> Annotation:
    return axes.annotate(
        label.text,
        label.point,
        xytext=(0, 0),
        textcoords="offset points",
        color=label.color,
        fontsize=9,
        ha="center",
        va="center",
        arrowprops={"arrowstyle": "-", "color": label.color, "linewidth": 0.5, "alpha": 0.6},
    )


def _in_points(axes: Axes, point: Sequence[float], scale: float) -> tuple[float, float]:
    x, y = axes.transData.transform(point)
    return x * scale, y * scale


def _scaled(extents: Iterable[float], scale: float) -> Box:
    return Box(*(float(value) * scale for value in extents))
