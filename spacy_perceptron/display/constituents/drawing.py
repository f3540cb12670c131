"""The constituents of a Doc as pictures, for notebooks, pages and files."""

from spacy.tokens import Doc, Span

from ...answers.kinds.spans import SpanAnswers
from ...trees.constituents import SPANS_KEY
from ..doubt import DOUBT_STYLE
from .comparison import find_sentences
from .layout import find_columns
from .nodes import Excerpt, Row, build_nodes
from .svg import SVG_STYLE, render_svg

KIND = SpanAnswers((SPANS_KEY,))


def render_constituents(source: Doc | Span) -> str:
    """Draw the constituents of a text, a tree per sentence. In a notebook, show the result with
    `IPython.display.HTML`.

    source (Doc | Span): A text with `doc.spans["constituents"]`, or a part of it.
    RETURNS (str): HTML, which scrolls where it is wider than the page.
    """
    part, doc = source[:], source.doc
    starts = [i for i, token in enumerate(doc) if token.is_sent_start]
    sentences = [
        doc[max(start, part.start) : min(end, part.end)]
        for start, end in find_sentences(starts, [_rows(doc)], len(doc))
        if max(start, part.start) < min(end, part.end)
    ]
    return "\n".join(
        f'<div style="overflow-x: auto">{constituents_to_svg(sentence)}</div>'
        for sentence in sentences
        if not sentence.text.isspace()
    )


def constituents_to_svg(span: Span) -> str:
    """Draw the constituents of one sentence, for an image file.

    span (Span): The sentence, or another part of a text; it has at least one word.
    RETURNS (str): SVG that needs nothing else.
    """
    doc = span.doc
    excerpt = Excerpt([token.text for token in doc], span.start, span.end)
    phrases = excerpt.phrases(_rows(doc), KIND.item_confidences(doc))
    tags = [doc[i].tag_ or doc[i].pos_ for i in excerpt.tokens]
    nodes = build_nodes(excerpt.words, tags, phrases)
    direction = doc.vocab.writing_system.get("direction", "ltr")
    return render_svg(
        nodes,
        find_columns([nodes]),
        name="Tree",
        direction=direction,
        tokens=excerpt.tokens,
        style=f"{DOUBT_STYLE}\n{SVG_STYLE}",
    )


def _rows(doc: Doc) -> list[Row]:
    return [(start, end, label) for start, end, label in KIND.read(doc)[SPANS_KEY]]
