"""What is shown of a sentence: its words, its phrases, and the nodes of the tree they form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from ...trees.constituents import constituents_to_tree

# Start, end and label of a phrase.
Row = tuple[int, int, str]


class Phrase(NamedTuple):
    """A phrase.

    start, end (int): Its first word, and the one after its last.
    label (str): Its label.
    confidence (Optional[float]): How sure the pipeline is of it.
    differs (bool): Whether it is marked, as one that was not predicted.
    number (Optional[int]): Its place in the annotation, if that is known.
    """

    start: int
    end: int
    label: str
    confidence: float | None = None
    differs: bool = False
    number: int | None = None


@dataclass(eq=False)
class Node:
    """A phrase with children, or a word under its tag.

    phrase (Phrase): The phrase; for a word, its place and its tag.
    word (Optional[str]): The word; None for a phrase.
    children (list[Node]): The children from left to right.
    """

    phrase: Phrase
    word: str | None = None
    children: list["Node"] = field(default_factory=list)


class Excerpt:
    """A part of a text, usually a sentence, without its whitespace tokens.

    texts (Sequence[str]): All tokens of the text.
    start, end (int): First token of the part, and the one after its last.
    """

    def __init__(self, texts: Sequence[str], start: int, end: int) -> None:
        self.start, self.end = start, end
        self.tokens = [i for i in range(start, end) if not texts[i].isspace()]
        self.words = [texts[i] for i in self.tokens]
        # Number of words before each token: its place among the words.
        self._places = [0]
        for i in range(start, end):
            self._places.append(self._places[-1] + (not texts[i].isspace()))

    def phrases(
        self,
        rows: Iterable[Row],
        confidences: Mapping[Row, float] | None = None,
        numbers: Iterable[int] | None = None,
    ) -> list[Phrase]:
        """The phrases inside the part, in pre-order.

        rows (Iterable[tuple[int, int, str]]): Start, end and label of phrases, in tokens. Of
            phrases over the same words, the outer one comes first.
        confidences (Optional[Mapping[tuple[int, int, str], float]]): How sure the pipeline is.
        numbers (Optional[Iterable[int]]): The places of the rows in the annotation.
        RETURNS (list[Phrase]): Phrases, counted in words.
        """
        found = []
        places = repeat(None) if numbers is None else numbers
        for (start, end, label), number in zip(rows, places, strict=False):
            if self.start <= start and end <= self.end:
                first, last = self._places[start - self.start], self._places[end - self.start]
                confidence = (confidences or {}).get((start, end, label))
                if first < last:
                    found.append(Phrase(first, last, label, confidence, number=number))
        return sorted(found, key=lambda phrase: (phrase.start, -phrase.end))


def build_nodes(
    words: Sequence[str],
    tags: Sequence[str],
    phrases: Sequence[Phrase],
    differing: Iterable[int] = (),
) -> list[Node]:
    """Build the tree of a sentence, or several trees if no phrase is around all words.

    words (Sequence[str]): The words.
    tags (Sequence[str]): Their tags, which may be empty.
    phrases (Sequence[Phrase]): The phrases in pre-order.
    differing (Iterable[int]): The words whose tags are marked.
    RETURNS (list[Node]): All nodes in pre-order.
    """
    rows = [(phrase.label, phrase.start, phrase.end) for phrase in phrases]
    marked = set(differing)
    leaves = (
        Node(Phrase(i, i + 1, tag, None, i in marked), word)
        for i, (word, tag) in enumerate(zip(words, tags, strict=True))
    )
    inner = map(Node, phrases)
    nodes: list[Node] = []
    stack = [(tree, nodes) for tree in reversed(constituents_to_tree(rows, words, tags).children)]
    while stack:
        tree, siblings = stack.pop()
        node = next(inner) if tree.word is None else next(leaves)
        nodes.append(node)
        if siblings is not nodes:
            siblings.append(node)
        stack.extend((child, node.children) for child in reversed(tree.children))
    return nodes


def find_tops(nodes: Sequence[Node]) -> list[Node]:
    """RETURNS (list[Node]): The nodes without a parent, of all nodes in pre-order."""
    tops: list[Node] = []
    for node in nodes:
        if not tops or node.phrase.start >= tops[-1].phrase.end:
            tops.append(node)
    return tops
