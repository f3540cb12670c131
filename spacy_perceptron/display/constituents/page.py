"""Constituency trees of a text side by side, for the page of n-best answers. Phrases that were not
predicted are marked; predicted ones that an answer lacks are named below its tree.
"""

from dataclasses import replace
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers import Answers
from ..doubt import printed
from ..figures import render_figures
from .comparison import Sentence, compare_sentences
from .layout import find_columns
from .nodes import Node
from .outline import outline_tree
from .svg import SVG_STYLE, render_svg, tell_words

# Wider trees are outlines on narrow screens. In pixels.
WIDE = 600

OUTLINE_STYLE = """
.label { direction: ltr; unicode-bidi: isolate; }
.outline { display: none; margin: .6rem 0 0; overflow-x: auto; line-height: 1.25;
  font-size: .75rem; color: var(--soft); }
.outline b { color: var(--tag); }
.outline .differs { color: var(--differs); text-decoration: underline; }
.outline i { font-style: normal; color: var(--ink); }
@media (max-width: 40rem) { .wide { display: none; } .wide + .outline { display: block; } }
.missing { margin-top: .4rem; unicode-bidi: plaintext; }
""".strip()

# Deeper trees than any sentence needs can be scrolled.
PHRASE_STYLE = f"""
{SVG_STYLE}
.tree {{ max-height: 80rem; overflow-y: auto; }}
.tree + .tree {{ margin-top: .8rem; }}
{OUTLINE_STYLE}
""".strip()

PHRASE_FOOTER = (
    "Under each word: the phrases that begin and end with it. "
    "Below: the best trees for the whole text. Underlined labels with thick lines differ from "
    "what is predicted; predicted phrases that an answer lacks are listed below it. Where it is "
    "known how sure the pipeline is of a phrase, its label is shaded and, below 95 %, has a figure."
)


class Drawn(NamedTuple):
    """One sentence.

    start, end (int): Its first token, and the one after its last.
    html (list[str]): A drawing for each answer; empty if it is as predicted here.
    """

    start: int
    end: int
    html: list[str]


def render_phrases(answers: Answers) -> str:
    """Draw the answers to one text. Answers after the first show only sentences that differ from
    the prediction.

    answers (Answers): The answers, which are trees.
    RETURNS (str): HTML.
    """
    return render_figures(answers, [sentence.html for sentence in draw_ranks(answers)])


def draw_ranks(answers: Answers) -> list[Drawn]:
    """Draw the answers to one text.

    answers (Answers): The answers, which are trees.
    RETURNS (list[Drawn]): The sentences; answers after the first show only those that differ.
    """
    return [
        Drawn(*_bounds(predicted), _draw(sentences, answers.direction))
        for predicted, sentences in compare_sentences(answers)
    ]


def draw_predicted(answers: Answers) -> list[Drawn]:
    """Draw the prediction for one text.

    answers (Answers): The answers, which are trees; there may be none but the prediction.
    RETURNS (list[Drawn]): The sentences, with one drawing each.
    """
    return [
        Drawn(
            *_bounds(predicted),
            [_tree(predicted, "Tree", find_columns([predicted.nodes]), answers.direction)],
        )
        for predicted, _ in compare_sentences(replace(answers, candidates=[]))
    ]


def _bounds(sentence: Sentence) -> tuple[int, int]:
    return sentence.tokens[0], sentence.tokens[-1] + 1


def _draw(sentences: list[Sentence], direction: str) -> list[str]:
    """One sentence of all answers, on the same columns; empty for all but the first if it does not
    differ from the prediction."""
    shown = {rank: one for rank, one in enumerate(sentences, start=1) if one.differs or rank == 1}
    columns = find_columns([one.nodes for one in shown.values()])
    drawn = {rank: _tree(one, f"Tree {rank}", columns, direction) for rank, one in shown.items()}
    return [drawn.get(rank, "") for rank in range(1, len(sentences) + 1)]


def _tree(sentence: Sentence, name: str, columns: NDArray[np.float64], direction: str) -> str:
    """The tree as a picture and, if it is wide, also as an outline; and what is missing."""
    svg = render_svg(
        sentence.nodes, columns, name=name, direction=direction, tokens=sentence.tokens
    )
    if columns.sum() <= WIDE:
        return f'<div class="tree">{svg}</div>{_missing(sentence)}'
    lines = "\n".join(line for _, line in outline_tree(sentence.nodes, _name))
    outline = f'<pre class="outline" dir="ltr">{lines}</pre>'
    return f'<div class="tree wide">{svg}</div>{outline}{_missing(sentence)}'


def _name(node: Node) -> str:
    """A node in an outline: a label, or a word after its tag."""
    label, word, figure = node.phrase.label, node.word, printed(node.phrase.confidence)
    differs = ' class="differs"' if node.phrase.differs else ""
    if word is not None:
        tag = f"<span{differs}>{escape(label)}</span> " if label else ""
        return f"{tag}<i>{escape(word)}</i>"
    return f"<b{differs}>{escape(label)}</b>" + (f" {figure}" if figure else "")


def _missing(sentence: Sentence) -> str:
    """What an answer lacks."""
    phrases = "; ".join(
        f'<span class="label">{escape(phrase.label)}</span> '
        f"{escape(tell_words(sentence.words[phrase.start : phrase.end]))}"
        for phrase in sentence.missing
    )
    return f'\n<p class="note missing">Without {phrases}</p>' if phrases else ""
