"""A tree as SVG that needs nothing else. On the page of n-best answers it has the page's colours,
in a notebook those of the text around it; as a file of its own it follows the reader's light or
dark mode.

Leaves have the attribute `data-token`, phrases `data-start`, `data-end`, `data-label` and, if it is
known, `data-node`, their place in the annotation. They count the tokens of the text.
"""

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from ...trees.brackets import to_brackets
from ...trees.constituents import constituents_to_tree
from ..doubt import printed, shade
from .layout import Place, place_nodes
from .nodes import Node
from .widths import (
    FIGURE_SIZE,
    LABEL_SIZE,
    MAX_LABEL,
    MAX_WORD,
    TAG_SIZE,
    WORD_SIZE,
    label_width,
    shorten,
)

# In pixels: from level to level, from a label's base line down to its lines and up to those above
# it, from there to where they part, from a tag's base line to that of its word with and without a
# tag; corners and margins.
LEVEL_HEIGHT = 34
BELOW, ABOVE, BAR = 4, 11, 9
WORD_DROP, BARE_WORD_DROP = 18, 4
CORNER = 6
MARGIN = 6
# In a tooltip.
MAX_TOLD = 12

SVG_STYLE = f"""
.constituents {{ display: block; font: {WORD_SIZE}px system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }}
.constituents text {{ text-anchor: middle; fill: currentColor; white-space: pre; }}
.constituents .constituents-label, .constituents .constituents-tag {{ font: 600 {LABEL_SIZE}px
  ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  fill: var(--tag, currentColor); }}
.constituents .constituents-tag {{ font-size: {TAG_SIZE}px; font-weight: 400;
  fill: var(--soft, currentColor); }}
.constituents-sure {{ font-size: {FIGURE_SIZE}px; font-weight: 400; fill: currentColor; }}
.constituents path {{ fill: none; stroke: var(--soft, currentColor); stroke-width: 1.2px;
  stroke-opacity: .65; }}
.constituents rect {{ fill: rgba(var(--doubt, 245, 158, 11), calc(var(--u, 0) * .85)); }}
.constituents .differs path {{ stroke: var(--differs, #c2410c); stroke-width: 2.2px;
  stroke-opacity: 1; }}
.constituents .differs .constituents-label, .constituents .differs .constituents-tag {{
  fill: var(--differs, #c2410c); text-decoration: underline; }}
svg.constituents:root {{ color: #1b2430; background: #ffffff; --tag: #175cd3;
  --soft: #667085; }}
@media (prefers-color-scheme: dark) {{
  svg.constituents:root {{ color: #e6e9ef; background: #1a202a; --tag: #84b6ff;
    --soft: #98a2b3; }} }}
""".strip()


def render_svg(
    nodes: Sequence[Node],
    columns: NDArray[np.float64],
    *,
    name: str,
    direction: str = "ltr",
    tokens: Sequence[int] | None = None,
    style: str = "",
) -> str:
    """Draw a tree.

    nodes (Sequence[Node]): Its nodes in pre-order.
    columns (NDArray[np.float64]): The width of each word's column.
    name (str): What it is called for those who do not see it; the brackets follow.
    direction (str): Of the writing system. With `rtl`, the first word stands on the right.
    tokens (Optional[Sequence[int]]): The tokens that the words are; None if they are counted alike.
    style (str): Style sheet to put inside, for a drawing that stands alone.
    RETURNS (str): SVG.
    """
    width = float(columns.sum())
    places = {
        node: place if direction == "ltr" else place._replace(x=width - place.x)
        for node, place in place_nodes(nodes, columns).items()
    }
    words = [node.word for node in nodes if node.word is not None]
    top = max(place.level for place in places.values())
    has_tags = any(node.phrase.label for node in nodes if node.word is not None)
    drop = WORD_DROP if has_tags else BARE_WORD_DROP
    height = MARGIN + ABOVE + LEVEL_HEIGHT * top + drop + MARGIN
    numbers = range(len(words)) if tokens is None else tokens
    drawn = "\n".join(
        _leaf(node, places[node], top, drop, numbers)
        if node.word is not None
        else _phrase(node, places, top, words, numbers)
        for node in nodes
    )
    styled = f"<style>{style}</style>\n" if style else ""
    size = f'width="{width:.0f}" height="{height}" viewBox="0 0 {width:.1f} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="constituents" {size} role="img" '
        f'direction="{escape(direction)}" aria-label="{escape(name)}: {escape(_brackets(nodes))}">'
        f"\n{styled}{drawn}\n</svg>"
    )


def _brackets(nodes: Sequence[Node]) -> str:
    """The tree as text."""
    leaves = [node for node in nodes if node.word is not None]
    rows = [(p.label, p.start, p.end) for p in (n.phrase for n in nodes if n.word is None)]
    words = [node.word or "" for node in leaves]
    tree = constituents_to_tree(rows, words, [node.phrase.label or "X" for node in leaves])
    return " ".join(map(to_brackets, tree.children))


def _base_line(place: Place, top: int) -> int:
    """Height of a label or tag."""
    return MARGIN + ABOVE + LEVEL_HEIGHT * (top - place.level)


def _leaf(node: Node, place: Place, top: int, drop: int, tokens: Sequence[int]) -> str:
    """A word under its tag. Whole words show when pointed at."""
    y = _base_line(place, top)
    word, tag = shorten(node.word or "", MAX_WORD), shorten(node.phrase.label, MAX_LABEL)
    tagged = _text("tag", place, y, escape(tag)) if tag else ""
    title = f"<title>{escape(node.word or '')}</title>" if word != node.word else ""
    return (
        f'<g class="{_classes("constituents-leaf", node)}" '
        f'data-token="{tokens[node.phrase.start]}">{title}{tagged}'
        f"{_text('word', place, y + drop, escape(word))}</g>"
    )


def _phrase(
    node: Node,
    places: dict[Node, Place],
    top: int,
    words: Sequence[str],
    tokens: Sequence[int],
) -> str:
    """A label with lines to the children, on a background that grows with doubt."""
    place, phrase = places[node], node.phrase
    y = _base_line(place, top)
    label, figure = shorten(phrase.label, MAX_LABEL), printed(phrase.confidence)
    title, shaded = f"{phrase.label}: {tell_words(words[phrase.start : phrase.end])}", ""
    if phrase.confidence is not None:
        title += f" ({phrase.confidence:.1%})"
        width = label_width(label) + 6
        width += label_width(" " + figure, FIGURE_SIZE) if figure else 0
        shaded = (
            f'<rect class="{shade(phrase.confidence)}" x="{place.x - width / 2:.1f}" '
            f'y="{y - ABOVE}" width="{width:.1f}" height="{ABOVE + BELOW}" rx="4"/>'
        )
    sure = f'<tspan class="constituents-sure"> {figure}</tspan>' if figure else ""
    number = "" if phrase.number is None else f' data-node="{phrase.number}"'
    return (
        f'<g class="{_classes("constituents-phrase", node)}" data-start="{tokens[phrase.start]}" '
        f'data-end="{tokens[phrase.end - 1] + 1}" data-label="{escape(phrase.label)}"{number}>'
        f"<title>{escape(title)}</title>{shaded}"
        f'<path d="{_lines(node, places, top)}"/>'
        f"{_text('label', place, y, escape(label) + sure)}</g>"
    )


def _text(name: str, place: Place, y: int, content: str) -> str:
    return f'<text class="constituents-{name}" x="{place.x:.1f}" y="{y}">{content}</text>'


def tell_words(words: Sequence[str]) -> str:
    """RETURNS (str): The words of a phrase; of a long one, how it begins and ends."""
    if len(words) > MAX_TOLD:
        words = [*words[: MAX_TOLD - 2], "…", words[-1]]
    return " ".join(shorten(word, MAX_WORD) for word in words)


def _classes(name: str, node: Node) -> str:
    return f"{name} differs" if node.phrase.differs else name


def _lines(node: Node, places: dict[Node, Place], top: int) -> str:
    """The path from a label to its children: down, along, down."""
    x, y = places[node].x, _base_line(places[node], top) + BELOW
    ends = sorted((places[c].x, _base_line(places[c], top) - ABOVE) for c in node.children)
    (first, first_y), (last, last_y) = ends[0], ends[-1]
    if len(ends) == 1:
        return f"M{x:.1f},{y}V{first_y}"
    bar = y + BAR
    corner = min(CORNER, (last - first) / 2)
    bow = (
        f"M{first:.1f},{first_y}V{bar + corner:.1f}Q{first:.1f},{bar} {first + corner:.1f},{bar}"
        f"H{last - corner:.1f}Q{last:.1f},{bar} {last:.1f},{bar + corner:.1f}V{last_y}"
    )
    between = "".join(f"M{child:.1f},{bar}V{child_y}" for child, child_y in ends[1:-1])
    # A label that must stay within its columns can stand beside the bow.
    joint = min(max(x, first + corner), last - corner)
    return f"{bow}M{x:.1f},{y}V{bar}H{joint:.1f}{between}"
