"""Answers of any kind as drawings, sentence by sentence, for pages that put them together.

Drawings have neither ids nor attributes `style`: the style sheet of `drawing_styles` goes with
them. Words and phrases carry the numbers of their tokens, see `arcs.svg` and `constituents.svg`.
"""

from typing import NamedTuple

from .answers import Answers
from .arcs.sentences import find_bounds, render_sentence
from .arcs.svg import ARC_STYLE
from .constituents.page import OUTLINE_STYLE, draw_predicted, draw_ranks
from .constituents.svg import SVG_STYLE
from .doubt import DOUBT_STYLE

# Drawings are wider than narrow screens.
TREE_STYLE = ".tree { overflow-x: auto; }"


class SentenceDrawing(NamedTuple):
    """The drawing of one sentence.

    start, end (int): Its first token, and the one after its last.
    html (str): The drawing; empty if the answer is as predicted here.
    """

    start: int
    end: int
    html: str


def draw_sentences(answers: Answers, rank: int | None = None) -> list[SentenceDrawing]:
    """Draw one answer to a text.

    answers (Answers): The answers.
    rank (Optional[int]): 0 for the first answer; None for the prediction. Answers after the first
        show only sentences that differ from the prediction.
    RETURNS (list[SentenceDrawing]): A drawing for each sentence; none for kinds of answers that are
        not drawn.
    """
    if rank is None:
        return _DRAWN.get(answers.kind.drawing, _draw_nothing)(answers, [None])[0]
    return draw_candidates(answers)[rank]


def draw_candidates(answers: Answers) -> list[list[SentenceDrawing]]:
    """Draw all answers to a text, on the same columns.

    answers (Answers): The answers.
    RETURNS (list[list[SentenceDrawing]]): For each answer a drawing for each sentence.
    """
    ranks: list[int | None] = [*range(len(answers.candidates))]
    return _DRAWN.get(answers.kind.drawing, _draw_nothing)(answers, ranks)


def drawing_styles() -> str:
    """RETURNS (str): The style sheet of all drawings. Colours are the page's: `--ink`, `--soft`,
    `--line`, `--tag`, `--differs` and, as three numbers, `--doubt`."""
    return "\n".join([DOUBT_STYLE, TREE_STYLE, ARC_STYLE, SVG_STYLE, OUTLINE_STYLE])


def _draw_arcs(answers: Answers, ranks: list[int | None]) -> list[list[SentenceDrawing]]:
    bounds = find_bounds(answers, ranks)
    drawn = [(start, end, render_sentence(answers, start, end, ranks)) for start, end in bounds]
    return [
        [SentenceDrawing(start, end, html[i]) for start, end, html in drawn]
        for i in range(len(ranks))
    ]


def _draw_brackets(answers: Answers, ranks: list[int | None]) -> list[list[SentenceDrawing]]:
    drawn = draw_predicted(answers) if ranks == [None] else draw_ranks(answers)
    return [
        [SentenceDrawing(start, end, html[i]) for start, end, html in drawn]
        for i in range(len(ranks))
    ]


def _draw_nothing(answers: Answers, ranks: list[int | None]) -> list[list[SentenceDrawing]]:
    return [[] for _ in ranks]


_DRAWN = {"arcs": _draw_arcs, "brackets": _draw_brackets}
