"""Dependency trees of a text side by side, drawn by displaCy, for the page of n-best answers.

What differs from the prediction is marked. displaCy's data has no room for a colour per arc, but it
draws every arc, arrow head and label in the colour of the group they stand in (`currentColor`). So
the renderer below only adds a class to that group, and the page's style sheet does the rest, in
light and dark. displaCy escapes words but neither tags nor labels: they are escaped here.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from spacy.displacy.render import DependencyRenderer

from .answers import Answers
from .figures import render_figures

# In pixels: the width of a character in a word and in the label of an arc, what is left free beside
# them, the least distance between words, and how much higher each arc is than those below it.
WORD_CHARACTER, LABEL_CHARACTER = 8.0, 8.0
# The width of a capital in a label: treebanks with phrases have labels such as NMOD.
LABEL_CAPITAL = 12.0
WORD_GAP, LABEL_GAP = 12, 28
MIN_DISTANCE = 48
LEVEL_HEIGHT = 24
CORNER = 8
# Of longer sentences, other answers than the first are drawn from so many words before what differs
# to as many after it, so that it is in sight.
LONG, AROUND = 14, 2
MORE = "…"

TREE_STYLE = """
.displacy { display: block; font-size: 14px; margin-top: calc(-1px * var(--blank)); }
.displacy-arrow, .displacy-tag { color: var(--soft); }
.displacy-tag { font-size: 12px; }
.root .displacy-word { font-weight: 700; }
.displacy .differs, .differs .displacy-word { color: var(--differs); }
""".strip()

TREE_FOOTER = (
    "Under each word: its label and head and, below 95 %, how sure the pipeline is of the head. "
    "Below: the best trees for the whole text. Marked arcs differ from those above, "
    "roots are in bold. Of long sentences, trees after the first are drawn where they differ."
)


class TreeRenderer(DependencyRenderer):
    """displaCy's renderer with classes for roots and for what differs.

    options (dict[str, Any]): displaCy's settings.
    arcs (list[dict[str, Any]]): The arcs to be drawn.
    roots (set[int]): Words without a head.
    differing (set[int]): Words whose head or label differs. A word with a head has an arc of its
        own, which is marked; a root has none and is marked itself.
    """

    def __init__(
        self,
        options: dict[str, Any],
        arcs: list[dict[str, Any]],
        roots: set[int],
        differing: set[int],
    ) -> None:
        super().__init__(options)
        self.targets = [arc["start"] if arc["dir"] == "left" else arc["end"] for arc in arcs]
        self.roots = roots
        self.differing = differing

    def render_word(self, text: str, tag: str, lemma: str | None, i: int) -> str:
        """Draw a word as displaCy does.

        text (str): The word.
        tag (str): Its tag, as markup.
        lemma (Optional[str]): Its lemma.
        i (int): Its place.
        RETURNS (str): SVG.
        """
        classes = ["root"] * (i in self.roots) + ["differs"] * (i in self.roots & self.differing)
        return _add_classes(super().render_word(text, tag, lemma, i), "displacy-token", classes)

    def render_arrow(self, label: str, start: int, end: int, direction: str, i: int) -> str:
        """Draw an arc as displaCy does.

        label (str): Its label, as markup.
        start (int): Its left end.
        end (int): Its right end.
        direction (str): Which of them the arrow points to, `left` or `right`.
        i (int): Its number.
        RETURNS (str): SVG.
        """
        classes = ["differs"] * (self.targets[i] in self.differing)
        arrow = super().render_arrow(label, start, end, direction, i)
        return _add_classes(arrow, "displacy-arrow", classes)

    def get_arc(self, x_start: float, y: float, y_curve: float, x_end: float) -> str:
        """Draw an arc with a flat top, on which the label of a short one can be read.

        x_start (float): Where it starts.
        y (float): Height of both ends.
        y_curve (float): Height that displaCy would bend it towards: half the distance of two words
            for each level.
        x_end (float): Where it ends.
        RETURNS (str): The path.
        """
        top = y - LEVEL_HEIGHT * (y - y_curve) / (self.distance / 2)
        corner = CORNER if x_start < x_end else -CORNER
        return (
            f"M{x_start},{y} V{top + CORNER} Q{x_start},{top} {x_start + corner},{top} "
            f"H{x_end - corner} Q{x_end},{top} {x_end},{top + CORNER} V{y}"
        )

    @property
    def blank(self) -> float:
        """How much room above the highest arc stays empty."""
        return self.highest_level * (self.distance / 2 - LEVEL_HEIGHT)


def _add_classes(svg: str, name: str, classes: Iterable[str]) -> str:
    return svg.replace(f'class="{name}"', f'class="{" ".join([name, *classes])}"', 1)


def render_trees(answers: Answers, prefix: str) -> str:
    """Draw the answers to one text. Answers after the first show only sentences that differ
    from the prediction.

    answers (Answers): The answers, which are trees.
    prefix (str): Start of the ids in the markup; no other text of the page has it.
    RETURNS (str): HTML.
    """
    trees = [answers.describe(rank).items for rank in range(len(answers.candidates))]
    bounds = find_sentences([[head for head, _ in tree] for tree in trees])
    sentences = [
        render_sentence(answers, start, end, prefix)
        for start, end in bounds
        if not "".join(answers.words[start:end]).isspace()
    ]
    return render_figures(answers, sentences)


def find_sentences(trees: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Cut where no arc of any tree passes over. Inside a sentence, some arc always does.

    trees (Sequence[Sequence[int]]): For each tree the heads of all tokens.
    RETURNS (list[tuple[int, int]]): Start and end of each sentence.
    """
    reach = list(range(len(trees[0])))
    for heads in trees:
        for i, head in enumerate(heads):
            left = min(i, head)
            reach[left] = max(reach[left], i, head)
    sentences, start, end = [], 0, 0
    for i, furthest in enumerate(reach):
        end = max(end, furthest)
        if i == end:
            sentences.append((start, end + 1))
            start = end = i + 1
    return sentences


def render_sentence(answers: Answers, start: int, end: int, prefix: str) -> list[str]:
    """Draw one sentence of all answers on the same grid. Whitespace tokens are left out.

    answers (Answers): The answers.
    start (int): First token of the sentence.
    end (int): End of the sentence.
    prefix (str): Start of the ids in the markup.
    RETURNS (list[str]): HTML with an SVG element for each answer; empty for all but the first if
        they do not differ from the prediction here.
    """
    tokens = [i for i in range(start, end) if not answers.words[i].isspace()]
    tags = answers.tags or [""] * len(answers.words)
    trees = [answers.describe(rank).items for rank in range(len(answers.candidates))]
    every = [arc for tree in trees for arc in _find_arcs(tree, tokens)]
    options = _options([answers.words[i] for i in tokens], every)
    known = {*tokens}
    drawn = []
    for rank, tree in enumerate(trees):
        differences = answers.differences(rank)
        shown = tokens if rank == 0 else _around(tokens, differences, (trees[0], tree))
        words = [{"text": answers.words[i], "tag": escape(tags[i])} for i in shown]
        # What is left out on either side is one more word.
        before, after = shown[:1] != tokens[:1], shown[-1:] != tokens[-1:]
        more = {"text": MORE, "tag": ""}
        words = [more] * before + words + [more] * after
        arcs = _find_arcs(tree, shown, first=int(before))
        places = list(enumerate(shown, start=int(before)))
        differing = {place for place, i in places if differences[i]}
        roots = {place for place, i in places if tree[i][0] == i or tree[i][0] not in known}
        renderer = TreeRenderer(options, arcs, roots, differing)
        renderer.direction = answers.direction
        svg = renderer.render_svg(f"{prefix}-{rank}-{start}", words, arcs).strip()
        html = f'<div class="tree" style="--blank:{renderer.blank:.0f}">{svg}</div>'
        drawn.append(html if differing or rank == 0 else "")
    return drawn


def _around(
    tokens: list[int],
    differences: Sequence[Any],
    trees: Sequence[Sequence[tuple[int, str]]],
) -> list[int]:
    """The part of a long sentence in which two trees differ.

    tokens (list[int]): The tokens of the sentence.
    differences (Sequence): What differs at each token of the text, if anything.
    trees (Sequence[Sequence[tuple[int, str]]]): Head and label of each token, for both trees.
    RETURNS (list[int]): The tokens from some before to some after the arcs that differ.
    """
    places = {token: place for place, token in enumerate(tokens)}
    ends = [
        places[end]
        for i in tokens
        if differences[i]
        for end in (i, *(tree[i][0] for tree in trees))
        if end in places
    ]
    if len(tokens) <= LONG or not ends:
        return tokens
    first, last = max(min(ends) - AROUND, 0), max(ends) + AROUND + 1
    # A mark of what is left out takes as much room as a word.
    first, last = (first if first > 1 else 0), (last if last < len(tokens) - 1 else len(tokens))
    return tokens[first:last]


def _find_arcs(
    tree: Sequence[tuple[int, str]], tokens: list[int], *, first: int = 0
) -> list[dict[str, Any]]:
    """The arcs of some tokens as displaCy takes them; labels are markup.

    tree (Sequence[tuple[int, str]]): Head and label of each token of the text.
    tokens (list[int]): The tokens.
    first (int): The place of the first one.
    RETURNS (list[dict[str, Any]]): Arcs between places of these tokens.
    """
    places = {token: place for place, token in enumerate(tokens, start=first)}
    arcs = []
    for i in tokens:
        head, label = tree[i]
        if head != i and head in places:
            start, end = sorted((places[i], places[head]))
            side = "left" if i < head else "right"
            arcs.append({"start": start, "end": end, "label": escape(label), "dir": side})
    return arcs


def _label_width(label: str) -> float:
    """RETURNS (float): About how wide a label is, in pixels."""
    return sum(LABEL_CAPITAL if letter.isupper() else LABEL_CHARACTER for letter in label)


def _options(words: list[str], arcs: list[dict[str, Any]]) -> dict[str, Any]:
    """displaCy's settings: colours of the page, and words as close as neighbours and labels allow.

    words (list[str]): The words.
    arcs (list[dict[str, Any]]): The arcs.
    RETURNS (dict[str, Any]): The settings.
    """
    distances = [WORD_GAP + WORD_CHARACTER * (len(a) + len(b)) / 2 for a, b in pairwise(words)]
    distances += [
        (LABEL_GAP + _label_width(arc["label"])) / (arc["end"] - arc["start"]) for arc in arcs
    ]
    distance = round(max([MIN_DISTANCE, *distances]))
    first = WORD_CHARACTER * len(words[0]) / 2
    return {
        "distance": distance,
        "offset_x": round(max(MIN_DISTANCE / 2, first)),
        "word_spacing": 20,
        "arrow_spacing": 10,
        "arrow_width": 7,
        "arrow_stroke": 1.5,
        "color": "inherit",
        "bg": "none",
        "font": "inherit",
    }
