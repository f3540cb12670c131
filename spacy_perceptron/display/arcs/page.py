"""Dependency trees of a text side by side, for the page of n-best answers. What differs from the
prediction is marked."""

from ..answers import Answers
from ..figures import render_figures
from .sentences import find_bounds, render_sentence

TREE_FOOTER = (
    "Under each word: its label and head and, below 95 %, how sure the pipeline is of the head. "
    "Below: the best trees for the whole text. Marked arcs differ from those above, "
    "roots are in bold. Of long sentences, trees after the first are drawn where they differ."
)


def render_trees(answers: Answers) -> str:
    """Draw the answers to one text. Answers after the first show only sentences that differ
    from the prediction.

    answers (Answers): The answers, which are trees.
    RETURNS (str): HTML.
    """
    ranks = range(len(answers.candidates))
    sentences = [
        render_sentence(answers, start, end, ranks) for start, end in find_bounds(answers, ranks)
    ]
    return render_figures(answers, sentences)
