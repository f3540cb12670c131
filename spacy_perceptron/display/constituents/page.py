"""Constituency trees of a text side by side, for the page of n-best answers. Phrases that were not
predicted are marked; predicted ones that an answer lacks are named below its tree.
"""

from html import escape

from ..answers import Answers
from ..figures import FIGURE_STYLE, render_figures
from .comparison import Sentence, compare_sentences
from .layout import find_columns
from .svg import SVG_STYLE, render_svg, tell_words

# Deeper trees than any sentence needs can be scrolled.
PHRASE_STYLE = f"""
{FIGURE_STYLE}
{SVG_STYLE}
.tree {{ max-height: 80rem; overflow-y: auto; }}
.missing s {{ text-decoration-color: var(--differs); }}
""".strip()

PHRASE_FOOTER = (
    "Under each word: the phrases that begin and end with it. "
    "Below: the best trees for the whole text. Underlined labels with thick lines differ from what "
    "is predicted; phrases that an answer lacks are struck out below it. Where it is known how "
    "sure the pipeline is of a phrase, its label is shaded and, below 95 %, has a figure."
)


def render_phrases(answers: Answers, prefix: str) -> str:
    """Draw the answers to one text. Answers after the first show only sentences that differ from
    the prediction.

    answers (Answers): The answers, which are trees.
    prefix (str): Start of ids in the markup; there are none.
    RETURNS (str): HTML.
    """
    drawn = [_draw(sentences, answers.direction) for _, sentences in compare_sentences(answers)]
    return render_figures(answers, drawn)


def _draw(sentences: list[Sentence], direction: str) -> list[str]:
    """One sentence of all answers, on the same columns; empty for all but the first if it does not
    differ from the prediction."""
    columns = find_columns([sentence.nodes for sentence in sentences])
    return [
        f'<div class="tree">'
        f"{render_svg(one.nodes, columns, name=f'Tree {rank}', direction=direction)}</div>"
        f"{_missing(one)}"
        if one.differs or rank == 1
        else ""
        for rank, one in enumerate(sentences, start=1)
    ]


def _missing(sentence: Sentence) -> str:
    """What an answer lacks."""
    phrases = "; ".join(
        f'<s><span class="label">{escape(phrase.label)}</span> '
        f"{escape(tell_words(sentence.words[phrase.start : phrase.end]))}</s>"
        for phrase in sentence.missing
    )
    return f'\n<p class="note missing">Without {phrases}</p>' if phrases else ""
