"""The constituents of a Doc as pictures, for notebooks, pages and files."""

from spacy.tokens import Doc, Span

from ...answers.kinds.spans import SpanAnswers
from ...trees.constituents import SPANS_KEY
from .layout import find_columns
from .nodes import Excerpt, build_nodes
from .svg import SVG_STYLE, render_svg


def render_constituents(source: Doc | Span) -> str:
    """Draw the constituents of a text, a tree per sentence. In a notebook, show the result with
    `IPython.display.HTML`.

    source (Doc | Span): A text with `doc.spans["constituents"]`, or a part of it.
    RETURNS (str): HTML, which scrolls where it is wider than the page.
    """
    known = source.doc.has_annotation("SENT_START")
    sentences = list(source.sents) if known else [source[:]]
    return "\n".join(
        f'<div style="overflow-x: auto">{constituents_to_svg(sentence)}</div>'
        for sentence in sentences
        if not sentence.text.isspace() and len(sentence)
    )


def constituents_to_svg(span: Span) -> str:
    """Draw the constituents of one sentence, for an image file.

    span (Span): The sentence, or another part of a text; it has at least one word.
    RETURNS (str): SVG that needs nothing else.
    """
    doc = span.doc
    kind = SpanAnswers((SPANS_KEY,))
    excerpt = Excerpt([token.text for token in doc], span.start, span.end)
    rows = [(start, end, label) for start, end, label in kind.read(doc)[SPANS_KEY]]
    phrases = excerpt.phrases(rows, kind.item_confidences(doc))
    tags = [doc[i].tag_ or doc[i].pos_ for i in excerpt.tokens]
    nodes = build_nodes(excerpt.words, tags, phrases)
    direction = doc.vocab.writing_system.get("direction", "ltr")
    return render_svg(
        nodes, find_columns([nodes]), name="Tree", direction=direction, style=SVG_STYLE
    )
