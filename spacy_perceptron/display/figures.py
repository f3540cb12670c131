"""Drawings of a text's answers side by side, one figure for each."""

from collections.abc import Sequence

from .answers import Answers

FIGURE_STYLE = """
main { max-width: 110rem; }
.trees { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: 1rem; }
figure { margin: 0; max-width: 100%; padding: .6rem .8rem; border: 1px solid var(--line);
  border-radius: .6rem; }
figcaption { color: var(--soft); font-size: .85rem; font-variant-numeric: tabular-nums; }
figcaption b { color: var(--ink); font-weight: 600; direction: ltr; unicode-bidi: isolate; }
.tree { overflow-x: auto; }
""".strip()


def render_figures(answers: Answers, sentences: Sequence[Sequence[str]]) -> str:
    """Put the drawings of all sentences into a figure for each answer.

    answers (Answers): The answers.
    sentences (Sequence[Sequence[str]]): For each sentence a drawing of each answer; empty if the
        answer is as predicted there.
    RETURNS (str): HTML.
    """
    figures = []
    for rank, candidate in enumerate(answers.candidates):
        drawn = [sentence[rank] for sentence in sentences if sentence[rank]]
        if len(drawn) < len(sentences):
            n_same = len(sentences) - len(drawn)
            drawn.append(
                f'<p class="note">{n_same} of {len(sentences)} sentences as predicted.</p>'
            )
        figures.append(
            f"<figure>\n<figcaption><b>{rank + 1}: {candidate.probability:.1%}</b> "
            f"score {candidate.score:.2f}</figcaption>\n" + "\n".join(drawn) + "\n</figure>"
        )
    return '<div class="trees">\n' + "\n".join(figures) + "\n</div>\n"
