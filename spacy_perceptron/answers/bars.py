"""An explanation as HTML, for notebooks and pages: a row with a bar for each feature.

It needs nothing else, and no scripts. Text has the colour of what is around it, so that it can be
read on light and on dark. Bars that speak for the chosen answer point right and are full, those
against it point left and are hollow; where styles are left out, the figures remain.
"""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .explanation import Explanation, FeatureWeight

# In pixels: the length of the longest bar, room at its end, the height of a row, lines.
LENGTH, MARGIN, HEIGHT, LINE = 60, 1, 11, 1.2

EXPLANATION_STYLE = """
.spacy-perceptron-weights { max-width: 100%; overflow-x: auto; color: inherit; font-size: .9em; }
.spacy-perceptron-weights table { border-collapse: collapse; margin: 0; color: inherit; }
.spacy-perceptron-weights caption { caption-side: top; text-align: start; padding: 0 0 .5em;
  color: inherit; font-weight: 600; }
.spacy-perceptron-weights th, .spacy-perceptron-weights td { text-align: end; padding: .15em .6em;
  border: 0; color: inherit; background: none; font-variant-numeric: tabular-nums;
  max-width: none; }
.spacy-perceptron-weights .text { text-align: start; font-weight: 400; overflow-wrap: anywhere; }
.spacy-perceptron-weights .bar { padding-inline: .6em 0; direction: ltr; }
.spacy-perceptron-weights thead th, .spacy-perceptron-weights tfoot tr > * { font-weight: 600; }
.spacy-perceptron-weights thead th { border-bottom: 1px solid rgba(128, 128, 128, .5); }
.spacy-perceptron-weights tfoot tr > * { border-top: 1px solid rgba(128, 128, 128, .5); }
.spacy-perceptron-weights svg { display: block; }
""".strip()


def render_explanation(explanation: "Explanation") -> str:
    """Draw what spoke for and against an answer.

    explanation (Explanation): The explanation; its `shown` features have a row each.
    RETURNS (str): HTML with its own style sheet.
    """
    # What sums up the others has no bar: beside it, those of single features would be too short.
    listed = set(explanation.features)
    shown = [(feature, feature in listed) for feature in explanation.shown]
    longest = max((abs(one.difference) for one, is_listed in shown if is_listed), default=0.0)
    rows = "\n".join(_row(one, _bar(one, longest) if is_listed else "") for one, is_listed in shown)
    chosen, runner_up = escape(explanation.chosen), escape(explanation.runner_up)
    scores = (explanation.chosen_score, explanation.runner_up_score)
    total = _figures(*scores, scores[0] - scores[1], bar="")
    return (
        f"<style>\n{EXPLANATION_STYLE}\n</style>\n"
        '<div class="spacy-perceptron-weights"><table>\n'
        f"<caption>{escape(explanation.title)}</caption>\n"
        '<thead><tr><th class="text" scope="col">feature</th><th class="text" scope="col">value'
        f'</th><th scope="col">{chosen}</th><th scope="col">{runner_up}</th>'
        f'<th scope="col" colspan="2">for {chosen}</th></tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n"
        f'<tfoot><tr><th class="text" scope="row" colspan="2">total</th>{total}</tr></tfoot>\n'
        "</table></div>\n"
    )


def _row(feature: "FeatureWeight", bar: str) -> str:
    """A feature with its weights."""
    figures = _figures(feature.chosen, feature.runner_up, feature.difference, bar=bar)
    return (
        f'<tr><th class="text" scope="row">{escape(feature.template)}</th>'
        f'<td class="text"><bdi>{escape(feature.values)}</bdi></td>{figures}</tr>'
    )


def _figures(chosen: float, runner_up: float, difference: float, *, bar: str) -> str:
    """Cells with weights."""
    return (
        f"<td>{chosen:+.2f}</td><td>{runner_up:+.2f}</td>"
        f'<td class="bar">{bar}</td><td>{difference:+.2f}</td>'
    )


def _bar(feature: "FeatureWeight", longest: float) -> str:
    """A bar to the right or to the left of a line, drawn with attributes alone: pages may forbid
    style attributes."""
    length = LENGTH * abs(feature.difference) / longest if longest else 0.0
    if feature.difference < 0:
        colours = f'x="{-length:.1f}" fill="none" stroke="#e8590c" stroke-width="{LINE}"'
    else:
        colours = 'x="0" fill="#3b82f6"'
    width = 2 * (LENGTH + MARGIN)
    return (
        f'<svg width="{width}" height="{HEIGHT}" '
        f'viewBox="{-width // 2} 0 {width} {HEIGHT}" aria-hidden="true">'
        f'<rect {colours} y="2" width="{length:.1f}" height="{HEIGHT - 4}"/>'
        f'<path d="M0,0V{HEIGHT}" stroke="currentColor" stroke-width="{LINE}"/></svg>'
    )
