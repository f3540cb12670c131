"""Reading constituents: `span._.labels`, `.parse_string`, `.constituents`, `.parent`, `.children`,
and the same on tokens.

The names follow benepar's. A constituent is a set of words here: the members of a unary chain are
one constituent with several labels. Single words count as constituents, and so does a whole
sentence. White-space tokens at the edges of a span do not matter, and on their own they are no
constituents. A token stands for the span of just this token; only its labels are different, for
they end with its tag. Every call reads `doc.spans["constituents"]` again, so changes to the group
show at once. Time: linear in the tokens of the sentence and the constituents of the Doc, at about
1 µs per constituent. For all trees of a long Doc, call `constituents.sentence_trees` once.
"""

from collections.abc import Callable
from typing import Any

from spacy.tokens import Doc, Span, Token

from ..errors import Errors, NonConstituentException
from ..span_attributes import register_extensions
from .brackets import to_brackets
from .constituents import span_to_tree, spans_inside
from .tree import Tree

__all__ = [
    "get_children",
    "get_constituents",
    "get_labels",
    "get_parent",
    "get_parse_string",
    "get_tree",
    "register_extensions",
    "sentence_values",
]

_Range = tuple[int, int]


def get_labels(item: Span | Token) -> tuple[str, ...]:
    """Get the labels of the phrases over exactly these words.

    item (Span | Token): The span or token.
    RETURNS (tuple[str, ...]): The labels, outermost first; empty if there is no such phrase. For a
        token, its tag comes last, or its part of speech if it has no tag.
    """
    span = _as_span(item)
    found = _range(span)
    labels = [part.label_ for part in _inside(span.doc, *found) if _range(part) == found]
    if isinstance(item, Token) and not item.text.isspace() and (item.tag_ or item.pos_):
        labels.append(item.tag_ or item.pos_)
    return tuple(labels)


def get_parse_string(item: Span | Token) -> str:
    """Get the tree over a constituent in Penn Treebank brackets.

    item (Span | Token): A constituent.
    RETURNS (str): The brackets on one line, under `ROOT` only for a sentence that is not a single
        phrase.
    """
    return to_brackets(get_tree(item, what="parse_string"))


def get_tree(item: Span | Token, *, what: str = "tree") -> Tree:
    """Get the tree over a constituent.

    item (Span | Token): A constituent.
    what (str): What is asked for, for the error message.
    RETURNS (Tree): The tree, under `ROOT` only for a sentence that is not a single phrase.
    """
    span = _as_span(item)
    _check(span, what)
    tree = span_to_tree(_with_space(span.doc, *_range(span)))
    return tree.children[0] if len(tree.children) == 1 else tree


def get_constituents(item: Span | Token) -> list[Span]:
    """Get a constituent and all constituents inside it, words included, in pre-order.

    item (Span | Token): A constituent.
    RETURNS (list[Span]): The spans, the given one first.
    """
    span = _as_span(item)
    first, last = _range(span)
    return [
        Span(span.doc, start, end, label=label)
        for (start, end), label in _check(span, "constituents").items()
        if first <= start and end <= last
    ]


def get_parent(item: Span | Token) -> Span | None:
    """Get the smallest constituent around a constituent.

    item (Span | Token): A constituent.
    RETURNS (Span | None): Its parent, or None at the top of the sentence.
    """
    span = _as_span(item)
    first, last = _range(span)
    around = [
        Span(span.doc, start, end, label=label)
        for (start, end), label in _check(span, "parent").items()
        if start <= first and last <= end and (start, end) != (first, last)
    ]
    # In pre-order, the last constituent that contains the span is the smallest.
    return around[-1] if around else None


def get_children(item: Span | Token) -> list[Span]:
    """Get the constituents directly inside a constituent, words included.

    item (Span | Token): A constituent.
    RETURNS (list[Span]): The children from left to right; none for a word.
    """
    span = _as_span(item)
    children = []
    reached, last = whole = _range(span)
    for (start, end), label in _check(span, "children").items():
        if reached <= start and end <= last and (start, end) != whole:
            children.append(Span(span.doc, start, end, label=label))
            reached = end
    return children


def sentence_values(doc: Doc, name: str) -> list[Any]:
    """Get an attribute of all sentences of a Doc as plain data: `doc._.parse_string` and the like.

    doc (Doc): The Doc.
    name (str): The attribute.
    RETURNS (list): A value per sentence: texts, and spans as first token and end. None for
        sentences of white space alone.
    """
    sents = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    return [_plain(sent, name) if sent.text.strip() else None for sent in sents]


def _plain(sent: Span, name: str) -> Any:
    value = _GETTERS[name](sent)
    if isinstance(value, Span):
        return [value.start, value.end]
    if isinstance(value, list):
        return [[span.start, span.end] for span in value]
    return list(value) if isinstance(value, tuple) else value


def _as_span(item: Span | Token) -> Span:
    return item.doc[item.i : item.i + 1] if isinstance(item, Token) else item


def _range(span: Span) -> _Range:
    """RETURNS (tuple[int, int]): The tokens of a span without white space at its edges."""
    doc, start, end = span.doc, span.start, span.end
    while start < end and doc[start].text.isspace():
        start += 1
    while start < end and doc[end - 1].text.isspace():
        end -= 1
    return start, end


def _with_space(doc: Doc, start: int, end: int) -> Span:
    """RETURNS (Span): The range with all white space around it."""
    while start > 0 and doc[start - 1].text.isspace():
        start -= 1
    while end < len(doc) and doc[end].text.isspace():
        end += 1
    return doc[start:end]


def _inside(doc: Doc, start: int, end: int) -> list[Span]:
    """RETURNS (list[Span]): The constituents in a range and the white space around it."""
    around = _with_space(doc, start, end)
    return [part for part in spans_inside(doc, around.start, around.end) if part.text.strip()]


def _sentence(span: Span) -> _Range:
    doc = span.doc
    if doc.has_annotation("SENT_START"):
        sent = doc[_range(span)[0]].sent
        return _range(sent)
    return _range(doc[:])


def _ranges(span: Span) -> dict[_Range, int]:
    """RETURNS (dict[tuple[int, int], int]): The constituents of the span's sentence in pre-order,
    with the hash of the outermost label of each, or 0.
    """
    first, last = _sentence(span)
    labels: dict[_Range, int] = {}
    for part in _inside(span.doc, first, last):
        labels.setdefault(_range(part), part.label)
    labels.setdefault((first, last), 0)
    for token in span.doc[first:last]:
        if not token.text.isspace():
            labels.setdefault((token.i, token.i + 1), 0)
    return dict(sorted(labels.items(), key=lambda item: (item[0][0], -item[0][1])))


def _check(span: Span, what: str) -> dict[_Range, int]:
    """RETURNS (dict[tuple[int, int], int]): The constituents around the span, which must be one of
    them.
    """
    start, end = _range(span)
    ranges = _ranges(span) if start < end else {}
    if (start, end) not in ranges:
        raise NonConstituentException(
            Errors.CONSTITUENTS_NOT_ONE.format(
                text=span.text, start=span.start, end=span.end, what=what
            )
        )
    return ranges


_GETTERS: dict[str, Callable[[Span], Any]] = {
    "labels": get_labels,
    "parse_string": get_parse_string,
    "constituents": get_constituents,
    "parent": get_parent,
    "children": get_children,
}
