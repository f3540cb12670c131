"""Constituents: trees, `doc.spans["constituents"]` and flat arrays, and how to convert them.

A span group holds the phrases of a Doc in pre-order. A span is repeated for each member of a unary
chain, outermost first. `ROOT` and the tags of words are left out. As arrays, the same sequence is
three columns: labels (spaCy's string hashes), starts and ends (half-open, in tokens). Rebuilding a
tree sorts the spans by start and descending length, stably, so only the order within unary chains
matters. Time: O(c log c) for c constituents.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc, Span, SpanGroup

from ..errors import Errors
from .tree import ROOT, Tree, clean_label

SPANS_KEY = "constituents"
Constituent = tuple[str, int, int]


class ConstituentArrays(NamedTuple):
    """Constituents as columns, in pre-order.

    labels (NDArray[np.uint64]): Hashes of the labels in the vocab's string store.
    starts (NDArray[np.int32]): First token of each constituent.
    ends (NDArray[np.int32]): Token after the last one of each constituent.
    """

    labels: NDArray[np.uint64]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]


def tree_to_constituents(tree: Tree, *, keep_function_tags: bool = True) -> list[Constituent]:
    """List the phrases of a tree in pre-order, without a `ROOT` on top and without the leaves.

    tree (Tree): The tree.
    keep_function_tags (bool): Keep function tags on the labels.
    RETURNS (list[tuple[str, int, int]]): Label, start and end (exclusive) of each phrase.
    """
    entries: list[tuple[str, int]] = []
    ends: list[int] = []
    position = 0
    stack: list[Tree | int] = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            ends[item] = position
        elif item.word is not None:
            position += 1
        else:
            stack.append(len(entries))
            label = clean_label(item.label, keep_function_tags=keep_function_tags)
            entries.append((label, position))
            ends.append(-1)
            stack.extend(reversed(item.children))
    constituents = [(label, start, end) for (label, start), end in zip(entries, ends, strict=True)]
    return constituents[1:] if tree.label == ROOT else constituents


def constituents_to_tree(
    constituents: Iterable[Constituent], words: Sequence[str], tags: Sequence[str]
) -> Tree:
    """Build a tree, the inverse of `tree_to_constituents`.

    constituents (Iterable[tuple[str, int, int]]): Label, start and end of each phrase. Of phrases
        over the same words, the outer one comes first.
    words (Sequence[str]): The words.
    tags (Sequence[str]): Their tags.
    RETURNS (Tree): The tree under a `ROOT`. Words outside all phrases hang on the `ROOT`.
    """
    if len(words) != len(tags):
        raise ValueError(Errors.CONSTITUENTS_TAGS.format(tags=len(tags), words=len(words)))
    root = Tree(ROOT)
    open_nodes: list[tuple[Tree, Constituent]] = [(root, (ROOT, 0, len(words)))]
    position = 0

    def advance(target: int) -> None:
        """Attach the words up to the target, closing the phrases that end on the way."""
        nonlocal position
        while True:
            node, (_, _, end) = open_nodes[-1]
            for i in range(position, min(end, target)):
                node.children.append(Tree(tags[i], word=words[i]))
            position = max(position, min(end, target))
            if end > target or len(open_nodes) == 1:
                return
            open_nodes.pop()

    for constituent in sorted(constituents, key=lambda c: (c[1], -c[2])):
        label, start, end = constituent
        if not 0 <= start < end <= len(words):
            raise ValueError(
                Errors.CONSTITUENTS_OUTSIDE.format(span=constituent, length=len(words))
            )
        advance(start)
        parent, outer = open_nodes[-1]
        if end > outer[2]:
            raise ValueError(Errors.CONSTITUENTS_CROSSING.format(first=outer, second=constituent))
        node = Tree(label)
        parent.children.append(node)
        open_nodes.append((node, constituent))
    advance(len(words))
    return root


def spans_to_arrays(spans: Iterable[Span], *, offset: int = 0) -> ConstituentArrays:
    """Turn spans into arrays.

    spans (Iterable[Span]): The spans in pre-order, usually `doc.spans["constituents"]`.
    offset (int): Token that counts as position 0, such as the start of a sentence.
    RETURNS (ConstituentArrays): Labels, starts and ends.
    """
    rows = [(span.label, span.start - offset, span.end - offset) for span in spans]
    return ConstituentArrays(
        np.array([row[0] for row in rows], dtype=np.uint64),
        np.array([row[1] for row in rows], dtype=np.int32),
        np.array([row[2] for row in rows], dtype=np.int32),
    )


def arrays_to_spans(doc: Doc, arrays: ConstituentArrays, *, offset: int = 0) -> list[Span]:
    """Turn arrays into spans, the inverse of `spans_to_arrays`.

    doc (Doc): The Doc; its string store knows the labels.
    arrays (ConstituentArrays): Labels, starts and ends.
    offset (int): Token at position 0.
    RETURNS (list[Span]): The spans in the order of the arrays.
    """
    rows = zip(arrays.labels.tolist(), arrays.starts.tolist(), arrays.ends.tolist(), strict=True)
    return [Span(doc, start + offset, end + offset, label=label) for label, start, end in rows]


def tree_to_arrays(doc: Doc, tree: Tree, *, keep_function_tags: bool = True) -> ConstituentArrays:
    """Turn a tree into arrays.

    doc (Doc): The Doc whose string store gets the labels.
    tree (Tree): The tree.
    keep_function_tags (bool): Keep function tags on the labels.
    RETURNS (ConstituentArrays): Labels, starts and ends.
    """
    rows = tree_to_constituents(tree, keep_function_tags=keep_function_tags)
    add = doc.vocab.strings.add
    return ConstituentArrays(
        np.array([add(label) for label, _, _ in rows], dtype=np.uint64),
        np.array([start for _, start, _ in rows], dtype=np.int32),
        np.array([end for _, _, end in rows], dtype=np.int32),
    )


def tree_to_spans(
    doc: Doc, tree: Tree, *, offset: int = 0, keep_function_tags: bool = True
) -> list[Span]:
    """Turn a tree into spans of a Doc with the same words.

    doc (Doc): The Doc.
    tree (Tree): The tree, one leaf per token.
    offset (int): Token of the tree's first leaf.
    keep_function_tags (bool): Keep function tags on the labels.
    RETURNS (list[Span]): The spans in pre-order.
    """
    size = len(tree.leaves())
    if offset + size > len(doc):
        raise ValueError(
            Errors.CONSTITUENTS_LENGTH.format(tree=size, doc=len(doc) - offset, offset=offset)
        )
    arrays = tree_to_arrays(doc, tree, keep_function_tags=keep_function_tags)
    return arrays_to_spans(doc, arrays, offset=offset)


def spans_inside(doc: Doc, start: int, end: int, *, key: str = SPANS_KEY) -> list[Span]:
    """Find the constituents inside a range of tokens.

    doc (Doc): The Doc.
    start (int): The first token.
    end (int): The token after the last one.
    key (str): Name of the span group.
    RETURNS (list[Span]): The spans in the order of the group.
    """
    return [s for s in doc.spans.get(key, ()) if start <= s.start and s.end <= end]


def set_constituents(doc: Doc, spans: Iterable[Span], *, key: str = SPANS_KEY) -> None:
    """Write spans to the Doc as its constituents.

    doc (Doc): The Doc.
    spans (Iterable[Span]): The spans in pre-order, sentence after sentence.
    key (str): Name of the span group.
    """
    doc.spans[key] = SpanGroup(doc, name=key, spans=list(spans))


def span_to_tree(span: Span, *, key: str = SPANS_KEY) -> Tree:
    """Build the tree over a part of a Doc from the constituents inside it.

    span (Span): A sentence or another span of the Doc.
    key (str): Name of the span group.
    RETURNS (Tree): The tree under a `ROOT`. White-space tokens are left out; a word without a tag
        gets its part of speech, or `X`.
    """
    return _build_tree(span, spans_inside(span.doc, span.start, span.end, key=key))


def sentence_trees(doc: Doc, *, key: str = SPANS_KEY) -> list[Tree]:
    """Build the tree of each sentence. See `span_to_tree`, which takes longer for many sentences,
    as it reads the span group again each time.

    doc (Doc): The Doc; without sentence boundaries, it is one sentence.
    key (str): Name of the span group.
    RETURNS (list[Tree]): A tree under a `ROOT` for each of `doc.sents`.
    """
    sents = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    starts = [sent.start for sent in sents]
    inside: list[list[Span]] = [[] for _ in sents]
    for part in doc.spans.get(key, ()):
        i = bisect_right(starts, part.start) - 1
        if part.end <= sents[i].end:
            inside[i].append(part)
    return [_build_tree(sent, parts) for sent, parts in zip(sents, inside, strict=True)]


def doc_to_tree(doc: Doc, *, key: str = SPANS_KEY) -> Tree:
    """Build the tree of a whole Doc from its constituents. See `span_to_tree`.

    doc (Doc): The Doc, usually of one sentence.
    key (str): Name of the span group.
    RETURNS (Tree): The tree under a `ROOT`; with several sentences, at least one child each.
    """
    return span_to_tree(doc[:], key=key)


def _build_tree(span: Span, parts: Iterable[Span]) -> Tree:
    """RETURNS (Tree): The tree over a part of a Doc with these constituents inside it."""
    doc = span.doc
    kept = [token for token in doc[span.start : span.end] if not token.text.isspace()]
    # Number of kept tokens before each token: its position in the tree.
    is_kept = np.zeros(len(span) + 1, dtype=np.int64)
    is_kept[[token.i - span.start + 1 for token in kept]] = 1
    before = np.cumsum(is_kept).tolist()
    inside: list[Constituent] = []
    for part in parts:
        start, end = before[part.start - span.start], before[part.end - span.start]
        if start < end:
            inside.append((part.label_, start, end))
    tags = [token.tag_ or token.pos_ or "X" for token in kept]
    return constituents_to_tree(inside, [token.text for token in kept], tags)
