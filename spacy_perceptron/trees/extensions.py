"""Reading constituents from spans: `span._.labels`, `.parse_string`, `.constituents`, `.parent`,
`.children`.

The names follow benepar's. A constituent is a set of tokens here: the members of a unary chain are
one constituent with several labels. Single words count as constituents, without labels unless a
phrase spans just them, and so does a whole sentence. Every call reads `doc.spans["constituents"]`
again, so changes to the group show at once. Time: linear in the constituents of the Doc.
"""

from spacy.tokens import Span

from ..errors import Errors
from .brackets import to_brackets
from .constituents import SPANS_KEY, span_to_tree

_Range = tuple[int, int]


def get_labels(span: Span) -> tuple[str, ...]:
    """Get the labels of the phrases over exactly these tokens.

    span (Span): The span.
    RETURNS (tuple[str, ...]): The labels, outermost first; empty if there is no such phrase.
    """
    group = span.doc.spans.get(SPANS_KEY, ())
    return tuple(part.label_ for part in group if _range(part) == _range(span))


def get_parse_string(span: Span) -> str:
    """Get the tree over a constituent in Penn Treebank brackets.

    span (Span): A constituent.
    RETURNS (str): The brackets on one line, under `ROOT` only for a sentence that is not a single
        phrase.
    """
    _check(span, "parse_string")
    tree = span_to_tree(span)
    return to_brackets(tree.children[0] if len(tree.children) == 1 else tree)


def get_constituents(span: Span) -> list[Span]:
    """Get a constituent and all constituents inside it, words included, in pre-order.

    span (Span): A constituent.
    RETURNS (list[Span]): The spans, the given one first.
    """
    return [
        Span(span.doc, start, end, label=label)
        for (start, end), label in _check(span, "constituents").items()
        if span.start <= start and end <= span.end
    ]


def get_parent(span: Span) -> Span | None:
    """Get the smallest constituent around a constituent.

    span (Span): A constituent.
    RETURNS (Span | None): Its parent, or None at the top of the sentence.
    """
    around = [
        Span(span.doc, start, end, label=label)
        for (start, end), label in _check(span, "parent").items()
        if start <= span.start and span.end <= end and (start, end) != _range(span)
    ]
    # In pre-order, the last constituent that contains the span is the smallest.
    return around[-1] if around else None


def get_children(span: Span) -> list[Span]:
    """Get the constituents directly inside a constituent, words included.

    span (Span): A constituent.
    RETURNS (list[Span]): The children from left to right; none for a word.
    """
    children = []
    reached = span.start
    for (start, end), label in _check(span, "children").items():
        inside = start >= reached and end <= span.end
        if inside and (start, end) != _range(span):
            children.append(Span(span.doc, start, end, label=label))
            reached = end
    return children


def register_extensions() -> None:
    """Register the attributes on Span. May be called any number of times; existing
    attributes with these names are left alone.
    """
    getters = {
        "labels": get_labels,
        "parse_string": get_parse_string,
        "constituents": get_constituents,
        "parent": get_parent,
        "children": get_children,
    }
    for name, getter in getters.items():
        if not Span.has_extension(name):
            Span.set_extension(name, getter=getter)


def _range(span: Span) -> _Range:
    return span.start, span.end


def _sentence(span: Span) -> _Range:
    doc = span.doc
    if doc.has_annotation("SENT_START"):
        return doc[span.start].sent.start, doc[span.start].sent.end
    return 0, len(doc)


def _ranges(span: Span) -> dict[_Range, int]:
    """RETURNS (dict[tuple[int, int], int]): The constituents of the span's sentence in pre-order,
    with the hash of the outermost label of each, or 0.
    """
    start, end = _sentence(span)
    labels: dict[_Range, int] = {}
    for part in span.doc.spans.get(SPANS_KEY, ()):
        if start <= part.start and part.end <= end:
            labels.setdefault(_range(part), part.label)
    labels.setdefault((start, end), 0)
    for token in span.doc[start:end]:
        if not token.is_space:
            labels.setdefault((token.i, token.i + 1), 0)
    return dict(sorted(labels.items(), key=lambda item: (item[0][0], -item[0][1])))


def _check(span: Span, what: str) -> dict[_Range, int]:
    """RETURNS (dict[tuple[int, int], int]): The constituents around the span, which must be one of
    them.
    """
    ranges = _ranges(span) if len(span) else {}
    if _range(span) not in ranges:
        raise ValueError(
            Errors.CONSTITUENTS_NOT_ONE.format(
                text=span.text, start=span.start, end=span.end, what=what
            )
        )
    return ranges
