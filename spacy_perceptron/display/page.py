"""N-best answers as one HTML page that needs nothing else: no scripts, fonts or other files.

Each text is a card. Words stand with their labels under them, on a background that grows stronger
with doubt. Below come the answers as rows, with a column for every word on which they differ, and
then as drawings, if there is one for their kind.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from .answers import Answers
from .arcs.page import TREE_FOOTER, render_trees
from .arcs.svg import ARC_STYLE
from .constituents.page import PHRASE_FOOTER, PHRASE_STYLE, render_phrases
from .doubt import DOUBT_STYLE, printed, shade
from .figures import FIGURE_STYLE

FOOTER = (
    "Under each word: its label and, below 95 %, how sure the pipeline is of it. "
    "Rows: the best answers to the whole text; marked labels differ from those above."
)

STYLE = """
:root { color-scheme: light dark; --page: #f4f5f7; --card: #ffffff; --ink: #1b2430;
  --soft: #667085; --line: #e4e7ec; --tag: #175cd3; --doubt: 245, 158, 11; --mark: #fde3b3;
  --mark-ink: #7a3e00; --bar: #84adff; --differs: #c2410c; }
@media (prefers-color-scheme: dark) { :root { --page: #10141b; --card: #1a202a; --ink: #e6e9ef;
  --soft: #98a2b3; --line: #2c3442; --tag: #84b6ff; --doubt: 217, 119, 6; --mark: #6b3f06;
  --mark-ink: #ffe2b0; --bar: #2e66c4; --differs: #fdba74; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--ink);
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  }
main { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.35rem; margin: 0; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: center;
  justify-content: space-between; margin-bottom: 1.2rem; }
.legend { display: flex; gap: .5rem; align-items: center; color: var(--soft); font-size: .8rem; }
.scale { width: 7rem; height: .7rem; border-radius: .35rem; border: 1px solid var(--line);
  background: linear-gradient(to right, rgba(var(--doubt), .85), rgba(var(--doubt), 0)); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .8rem;
  padding: 1.1rem 1.2rem; margin-bottom: 1.2rem; box-shadow: 0 1px 3px rgba(16, 24, 40, .07); }
.words { display: flex; flex-wrap: wrap; gap: .3rem .25rem; margin: 0; padding: 0;
  list-style: none; }
.words li { padding: .25rem .5rem .3rem; border-radius: .45rem; text-align: center;
  line-height: 1.25; max-width: 100%; overflow-wrap: anywhere;
  background: rgba(var(--doubt), calc(var(--u, 0) * .85)); }
.word { font-size: 1.1rem; white-space: pre-wrap; }
.label { font: 600 .74rem/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  color: var(--tag); }
.figure { display: block; font-size: .68rem; color: var(--ink); opacity: .75;
  font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin-top: 1rem; border-top: 1px solid var(--line);
  padding-top: .6rem; }
table { border-collapse: separate; border-spacing: 0 2px; font-size: .9rem; }
th { font-weight: 500; color: var(--soft); text-align: center; padding: .15rem .7rem;
  white-space: nowrap; }
th.share { text-align: left; }
td { text-align: center; padding: .15rem .7rem; white-space: nowrap; }
td.rank { text-align: left; padding-left: 0; color: var(--soft);
  font-variant-numeric: tabular-nums; }
td.share { text-align: left; min-width: 11rem; font-variant-numeric: tabular-nums; }
.bar { display: inline-block; vertical-align: middle; width: 6rem; height: .55rem;
  margin-inline-end: .6rem; border-radius: .3rem; background: var(--line); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--bar); }
mark.label { background: var(--mark); color: var(--mark-ink); border-radius: .35rem;
  padding: .1rem .45rem; }
.note, footer { color: var(--soft); font-size: .8rem; margin: .9rem 0 0; }
""".strip()


class Drawing(NamedTuple):
    """How to draw answers of a kind.

    style (str): Style sheet to add.
    footer (str): What to say below, in place of `FOOTER`.
    render (Callable): Answers -> HTML.
    """

    style: str
    footer: str
    render: Callable[[Answers], str]


# The drawings that kinds of answers can ask for.
DRAWINGS = {
    "arcs": Drawing(ARC_STYLE, TREE_FOOTER, render_trees),
    "brackets": Drawing(PHRASE_STYLE, PHRASE_FOOTER, render_phrases),
}


def render_page(answers: Sequence[Answers], *, title: str) -> str:
    """Make the page.

    answers (Sequence[Answers]): One for each text.
    title (str): Heading.
    RETURNS (str): HTML.
    """
    cards = "\n".join(map(_card, answers))
    found = {item.kind.drawing for item in answers}
    drawings = [drawing for name, drawing in DRAWINGS.items() if name in found]
    styles = "\n".join([FIGURE_STYLE, *(drawing.style for drawing in drawings)] if drawings else [])
    footers = " ".join(drawing.footer for drawing in drawings) or FOOTER
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{STYLE}
{DOUBT_STYLE}
{styles}
</style>
</head>
<body>
<main>
<header>
<h1>{escape(title)}</h1>
<div class="legend"><span>less sure</span><span class="scale"></span><span>sure</span></div>
</header>
{cards}
<footer>{footers}</footer>
</main>
</body>
</html>
"""


def _card(answers: Answers) -> str:
    """One text with its answers."""
    words = "\n".join(
        _word(word, label, confidence)
        for word, label, confidence in zip(
            answers.describe().words, answers.labels(), answers.confidences, strict=True
        )
        if not word.isspace()
    )
    drawing = DRAWINGS.get(answers.kind.drawing)
    drawn = drawing.render(answers) if drawing else ""
    return (
        f'<section dir="{escape(answers.direction)}">\n<ol class="words">\n{words}\n</ol>\n'
        f"{_rows(answers)}\n{drawn}</section>"
    )


def _word(word: str, label: str, confidence: float | None) -> str:
    """A word with its label under it."""
    attributes, figure = "", ""
    if confidence is not None:
        attributes = f' class="{shade(confidence)}" title="{escape(label)} {confidence:.1%}"'
    if printed(confidence):
        figure = f'<span class="figure">{printed(confidence)}</span>'
    return (
        f'<li{attributes}><span class="word">{escape(word)}</span><br>'
        f'<span class="label">{escape(label)}</span>{figure}</li>'
    )


def _rows(answers: Answers) -> str:
    """The answers as a table: one row each, one column for every word they differ on."""
    columns = answers.differing()
    if not columns:
        return '<p class="note">One answer only.</p>'
    words = answers.describe().words
    header = "".join(f"<th>{escape(words[i])}</th>" for i in columns)
    predicted, rows = answers.labels(), []
    for rank, candidate in enumerate(answers.candidates):
        labels = answers.labels(rank)
        cells = "".join(f"<td>{_label(labels[i], labels[i] != predicted[i])}</td>" for i in columns)
        share = (
            f'<span class="bar"><i style="width:{candidate.probability:.1%}"></i></span>'
            f"{candidate.probability:.1%}"
        )
        rows.append(
            f'<tr><td class="rank">{rank + 1}</td><td class="share">{share}</td>{cells}</tr>'
        )
    return (
        '<div class="scroll"><table>\n'
        f'<thead><tr><th></th><th class="share">probability</th>{header}</tr></thead>\n'
        "<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table></div>"
    )


def _label(label: str, differs: bool) -> str:
    """A label in a row, marked if it differs from the prediction."""
    text = f'<span class="label">{escape(label)}</span>'
    return f'<mark class="label">{escape(label)}</mark>' if differs else text
