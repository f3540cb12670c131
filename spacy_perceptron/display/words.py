"""Words of a text as HTML: with labels under them, as running text with entities, and in a table
of the answers that differ on them. Doubt is a background that grows stronger, and a figure where it
is large.

The markup has classes but no colours: the style sheet of the page or the notebook has these.
"""

from collections.abc import Iterable, Sequence
from html import escape

from spacy.tokens import Doc, Token

from .answers import Answers
from .doubt import printed, shade

# Pixels of the bar for a probability of 1.
BAR_LENGTH = 80


def render_words(answers: Answers, tokens: Iterable[int]) -> str:
    """Write labels under words.

    answers (Answers): The answers, of which the prediction counts.
    tokens (Iterable[int]): The tokens to show; white space is left out.
    RETURNS (str): HTML.
    """
    words, labels = answers.describe().words, answers.labels()
    shown = (i for i in tokens if not answers.words[i].isspace())
    items = "\n".join(_word(words[i], labels[i], answers.confidences[i]) for i in shown)
    return f'<ol class="words">\n{items}\n</ol>'


def _word(word: str, label: str, confidence: float | None) -> str:
    """A word with its label under it."""
    return (
        f'<li{_doubt(label, confidence)}><span class="word">{escape(word)}</span><br>'
        f'<span class="label">{escape(label)}</span>{_figure(confidence)}</li>'
    )


def _doubt(label: str, confidence: float | None, *classes: str) -> str:
    """The attributes of a word or an entity."""
    title = ""
    if confidence is not None:
        classes = (*classes, shade(confidence))
        title = f' title="{escape(label)} {confidence:.1%}"'
    return (f' class="{" ".join(classes)}"' if classes else "") + title


def _figure(confidence: float | None) -> str:
    figure = printed(confidence)
    return f' <span class="figure">{figure}</span>' if figure else ""


def render_entities(doc: Doc, confidences: Sequence[float | None], tokens: range) -> str:
    """Mark the entities of a text, and other words that may belong to one.

    doc (Doc): The text.
    confidences (Sequence[Optional[float]]): How sure the pipeline is of each token. An entity is
        as sure as the token that is in most doubt.
    tokens (range): The tokens to show. Of an entity, those inside are shown.
    RETURNS (str): HTML.
    """
    part = doc[tokens.start : tokens.stop]
    pieces: list[str] = []
    done = part.start
    for entity in part.ents:
        pieces += [_outside(token, confidences[token.i]) for token in doc[done : entity.start]]
        known = [value for value in confidences[entity.start : entity.end] if value is not None]
        pieces.append(_entity(entity.text, entity.label_, min(known, default=None)))
        pieces.append(escape(doc[entity.end - 1].whitespace_))
        done = entity.end
    pieces += [_outside(token, confidences[token.i]) for token in doc[done : part.end]]
    return f'<p class="running">{"".join(pieces)}</p>'


def _entity(text: str, label: str, confidence: float | None) -> str:
    return (
        f"<mark{_doubt(label, confidence)}>{escape(text)} "
        f'<span class="label">{escape(label)}</span>{_figure(confidence)}</mark>'
    )


def _outside(token: Token, confidence: float | None) -> str:
    """A word outside entities, which is shown as any other unless that is in doubt."""
    text = escape(token.text)
    if printed(confidence):
        text = f"<span{_doubt('O', confidence)}>{text}{_figure(confidence)}</span>"
    return text + escape(token.whitespace_)


def render_rows(answers: Answers) -> str:
    """Write answers as the rows of a table, with a column for every word on which they differ.

    answers (Answers): The answers.
    RETURNS (str): HTML.
    """
    columns = answers.differing()
    words, predicted = answers.describe().words, answers.labels()
    header = "".join(f'<th scope="col">{escape(words[i])}</th>' for i in columns)
    rows = []
    for rank, candidate in enumerate(answers.candidates):
        labels = answers.labels(rank)
        cells = "".join(f"<td>{_label(labels[i], labels[i] != predicted[i])}</td>" for i in columns)
        rows.append(
            f'<tr><th scope="row">{rank + 1}</th><td class="share">{_bar(candidate.probability)}'
            f"{candidate.probability:.1%}</td>{cells}</tr>"
        )
    return (
        '<div class="scroll"><table>\n<thead><tr><th></th><th class="share" scope="col">'
        f"probability</th>{header}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n"
        "</table></div>"
    )


def _label(label: str, differs: bool) -> str:
    """A label in a row, marked if it differs from the prediction."""
    name = "mark" if differs else "span"
    return f'<{name} class="label">{escape(label)}</{name}>'


def _bar(probability: float) -> str:
    return (
        f'<svg class="bar" width="{BAR_LENGTH}" height="9" aria-hidden="true">'
        f'<rect class="all" width="{BAR_LENGTH}" height="9" rx="4"/>'
        f'<rect class="part" width="{BAR_LENGTH * probability:.1f}" height="9" rx="4"/></svg>'
    )
