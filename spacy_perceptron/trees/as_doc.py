"""`Span.as_doc` with span groups, and so with constituents, which spaCy leaves behind."""

from typing import Any

from spacy.tokens import Doc, Span, SpanGroup


def span_as_doc(span: Span, **options: Any) -> Doc:
    """Make a Doc of a span, usually a sentence, as `Span.as_doc` does, and keep span groups.

    span (Span): The span.
    **options: Options of `Span.as_doc`.
    RETURNS (Doc): A new Doc with all span groups. Those spans of a group are kept that lie inside
        the given one, in their order, so that unary chains of constituents stay as they are.
    """
    doc = span.as_doc(**options)
    for key, group in span.doc.spans.items():
        inside = [
            Span(
                doc,
                part.start - span.start,
                part.end - span.start,
                label=part.label,
                kb_id=part.kb_id,
                span_id=part.id,
            )
            for part in group
            if span.start <= part.start and part.end <= span.end
        ]
        doc.spans[key] = SpanGroup(doc, name=group.name, attrs=dict(group.attrs), spans=inside)
    return doc
