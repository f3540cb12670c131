"""A dependency tree as SVG. It looks as displaCy's trees do, and its classes have the same names:
words in equal distances, arcs above them, the shorter ones below the longer ones. There are neither
attributes `style` nor ids: the style sheet has the colours, for light and dark, and a page can
insert any number of drawings, also under a strict content security policy.

Words have the attribute `data-token`, arcs `data-dependent`, `data-head` and `data-label`, which
count the tokens of the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple

from ..constituents.widths import MAX_WORD, shorten, word_width

# In pixels: the width of a character in the label of an arc, what is left free beside words and
# labels, the least distance between words, and how much higher each arc is than those below it.
LABEL_CHARACTER = 8.0
# The width of a capital in a label: treebanks with phrases have labels such as NMOD.
LABEL_CAPITAL = 12.0
WORD_GAP, LABEL_GAP = 12, 28
# Left of the first word.
MARGIN = 4
MIN_DISTANCE = 48
LEVEL_HEIGHT = 24
CORNER = 8
# From the arcs down to the words, from there to the tags, and to the lower edge; from an arc down
# to its label; how far beside a word its arcs to the right begin; half an arrow head, and its
# height; what is free above the highest arc.
WORD_DROP, TAG_DROP, FOOT = 20, 24, 16
LABEL_DROP = 14
ARROW_SHIFT = 10
ARROW_HALF, ARROW_HEIGHT = 5, 7
ARROW_POINT = 2
TOP = 2

ARC_STYLE = """
.displacy { display: block; max-width: none; font-size: 14px; }
.displacy text { fill: currentColor; text-anchor: middle; }
.displacy-arc { fill: none; stroke: currentColor; stroke-width: 1.5px; }
.displacy-arrowhead { fill: currentColor; }
.displacy .displacy-label { font-size: 0.8em; letter-spacing: 1px; }
.displacy-arrow, .displacy-tag { color: var(--soft); }
.displacy .displacy-tag { font-size: 12px; }
.root .displacy-word { font-weight: 700; }
.displacy .differs, .differs .displacy-word { color: var(--differs); }
""".strip()


@dataclass(frozen=True)
class Word:
    """A word of a drawing.

    text (str): The word.
    tag (str): Its tag.
    token (Optional[int]): The token of the text; None for a mark of what is left out.
    classes (tuple[str, ...]): `root` for one without a head, `differs` for one that is marked.
    """

    text: str
    tag: str = ""
    token: int | None = None
    classes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arc:
    """An arc between two words of a drawing.

    dependent, head (int): Their places in the drawing.
    label (str): Its label.
    classes (tuple[str, ...]): `differs` for one that is marked, `doubt-5` for one in doubt.
    """

    dependent: int
    head: int
    label: str
    classes: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[int, int]:
        """The left end and the right one."""
        return min(self.dependent, self.head), max(self.dependent, self.head)


class Grid(NamedTuple):
    """Where words stand, in pixels.

    first (int): The centre of the first word.
    distance (int): From there to the next.
    """

    first: int
    distance: int


def find_grid(words: Sequence[str], arcs: Sequence[Arc]) -> Grid:
    """Put words as close as neighbours and labels allow.

    words (Sequence[str]): The words.
    arcs (Sequence[Arc]): The arcs of all trees that stand on the grid.
    RETURNS (Grid): The grid.
    """
    widths = [word_width(shorten(word, MAX_WORD)) for word in words]
    distances = [WORD_GAP + (a + b) / 2 for a, b in pairwise(widths)]
    for arc in arcs:
        start, end = arc.ends
        distances.append((LABEL_GAP + _label_width(arc.label)) / (end - start))
    first = MARGIN + widths[0] / 2
    return Grid(round(max(MIN_DISTANCE / 2, first)), round(max([MIN_DISTANCE, *distances])))


def find_levels(arcs: Sequence[Arc]) -> list[int]:
    """How high arcs are: above all shorter ones with which they share room.

    arcs (Sequence[Arc]): The arcs.
    RETURNS (list[int]): The level of each, from 1.
    """
    highest = [0] * max((arc.ends[1] for arc in arcs), default=0)
    levels = [0] * len(arcs)
    for i in sorted(range(len(arcs)), key=lambda i: arcs[i].ends[1] - arcs[i].ends[0]):
        start, end = arcs[i].ends
        levels[i] = 1 + max(highest[start:end])
        highest[start:end] = [levels[i]] * (end - start)
    return levels


def render_svg(
    words: Sequence[Word],
    arcs: Sequence[Arc],
    grid: Grid,
    *,
    name: str,
    direction: str = "ltr",
) -> str:
    """Draw a tree.

    words (Sequence[Word]): Its words.
    arcs (Sequence[Arc]): Its arcs.
    grid (Grid): Where words stand.
    name (str): What it is called for those who do not see it; words with their heads follow.
    direction (str): Of the writing system. With `rtl`, the first word stands on the right.
    RETURNS (str): SVG.
    """
    levels = find_levels(arcs)
    width = grid.first + len(words) * grid.distance
    base = TOP + LEVEL_HEIGHT * max(levels, default=0)
    height = base + WORD_DROP + TAG_DROP + FOOT

    def find_x(place: int, shift: float = 0.0) -> float:
        x = grid.first + place * grid.distance + shift
        return x if direction == "ltr" else width - x

    drawn = [_word(word, find_x(place), base + WORD_DROP) for place, word in enumerate(words)]
    for arc, level in zip(arcs, levels, strict=True):
        start, end = arc.ends
        # The higher of two arcs that end at a word ends nearer to its centre.
        shift = -ARROW_SHIFT * (max(levels) - level) / 4
        x_start, x_end = find_x(start, ARROW_SHIFT), find_x(end, max(shift, -2.0 * ARROW_SHIFT))
        drawn.append(_arc(arc, words, (x_start, x_end), base, base - LEVEL_HEIGHT * level))
    told = escape(f"{name}: {_tell(words, arcs)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="displacy" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" direction="{escape(direction)}" '
        f'role="img" aria-label="{told}">\n' + "\n".join(drawn) + "\n</svg>"
    )


def _tell(words: Sequence[Word], arcs: Sequence[Arc]) -> str:
    """The tree as text."""
    heads = {arc.dependent: arc for arc in arcs}
    told = []
    for place, word in enumerate(words):
        if word.token is not None:
            arc = heads.get(place)
            relation = f"{arc.label} of {words[arc.head].text}" if arc else "no head"
            told.append(f"{word.text}, {relation}")
    return "; ".join(told)


def _word(word: Word, x: float, y: int) -> str:
    """A word above its tag. Whole words show when pointed at."""
    text = shorten(word.text, MAX_WORD)
    title = f"<title>{escape(word.text)}</title>" if text != word.text else ""
    token = "" if word.token is None else f' data-token="{word.token}"'
    classes = " ".join(["displacy-token", *word.classes])
    return (
        f'<g class="{classes}"{token}>{title}'
        f'<text class="displacy-word" x="{x:g}" y="{y}">{escape(text)}</text>'
        f'<text class="displacy-tag" x="{x:g}" y="{y + TAG_DROP}">{escape(word.tag)}</text></g>'
    )


def _arc(arc: Arc, words: Sequence[Word], ends: tuple[float, float], base: int, top: int) -> str:
    """An arc with a flat top, on which the label of a short one can be read."""
    x_start, x_end = ends
    corner = CORNER if x_start < x_end else -CORNER
    path = (
        f"M{x_start:g},{base} V{top + CORNER} Q{x_start:g},{top} {x_start + corner:g},{top} "
        f"H{x_end - corner:g} Q{x_end:g},{top} {x_end:g},{top + CORNER} V{base}"
    )
    x = x_start if arc.dependent < arc.head else x_end
    point = (
        f"M{x:g},{base + ARROW_POINT} L{x - ARROW_HALF:g},{base - ARROW_HEIGHT} "
        f"{x + ARROW_HALF:g},{base - ARROW_HEIGHT}"
    )
    dependent, head = words[arc.dependent], words[arc.head]
    classes = escape(" ".join(["displacy-arrow", *arc.classes]))
    title = f"{arc.label}: {dependent.text} ← {head.text}"
    return (
        f'<g class="{classes}" data-dependent="{dependent.token}" data-head="{head.token}" '
        f'data-label="{escape(arc.label)}"><title>{escape(title)}</title>'
        f'<path class="displacy-arc" d="{path}"/>'
        f'<text class="displacy-label" x="{(x_start + x_end) / 2:g}" y="{top + LABEL_DROP}">'
        f'{escape(arc.label)}</text><path class="displacy-arrowhead" d="{point}"/></g>'
    )


def _label_width(label: str) -> float:
    """RETURNS (float): About how wide a label is, in pixels."""
    return sum(LABEL_CAPITAL if letter.isupper() else LABEL_CHARACTER for letter in label)
