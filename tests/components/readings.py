"""How to read what components write: an attribute of each token, or constituents."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Protocol

from spacy.tokens import Doc, Span

from spacy_perceptron.answers.kinds import find_kind
from spacy_perceptron.trees.constituents import SPANS_KEY, set_constituents

# First character of a text with a confidence of its own, and the one after its last.
Place = tuple[int, int]


class Reading(Protocol):
    """One way in which Docs hold annotation. A cell is what it says about one token, as text."""

    # Whether every token has a confidence, whitespace included.
    per_token: bool

    def cells(self, doc: Doc) -> list[str]:
        """RETURNS (list[str]): The annotation, token by token."""

    def names(self, cells: Iterable[str]) -> set[str]:
        """RETURNS (set[str]): The labels in some cells."""

    def label(self, cell: str) -> str:
        """RETURNS (str): The label that a token was given alone; another text if it was not."""

    def rename(self, cell: str, suffix: str) -> str:
        """RETURNS (str): The cell with a suffix at each of its labels."""

    def places(self, doc: Doc) -> list[Place]:
        """RETURNS (list[tuple[int, int]]): Every text that could have a confidence."""

    def confidences(self, doc: Doc, extension: str) -> list[float | None]:
        """RETURNS (list[Optional[float]]): All confidences, in the order of the text."""

    def confidence_at(self, doc: Doc, place: Place, extension: str) -> float | None:
        """RETURNS (Optional[float]): The confidence of one of the places."""


class TokenReading:
    """A text attribute of tokens, such as `tag_`.

    attribute (str): The attribute.
    unlabelled (Sequence[str]): What words without a label have in it.
    """

    per_token = True

    def __init__(self, attribute: str, unlabelled: Iterable[str] = ()):
        self.attribute = attribute
        self.unlabelled = frozenset(unlabelled)

    def cells(self, doc: Doc) -> list[str]:
        return [getattr(token, self.attribute) for token in doc]

    def names(self, cells: Iterable[str]) -> set[str]:
        return set(cells)

    def label(self, cell: str) -> str:
        return cell

    def rename(self, cell: str, suffix: str) -> str:
        return cell if cell in self.unlabelled else cell + suffix

    def places(self, doc: Doc) -> list[Place]:
        return [(token.idx, token.idx + len(token)) for token in doc]

    def confidences(self, doc: Doc, extension: str) -> list[float | None]:
        return [token._.get(extension) for token in doc]

    def confidence_at(self, doc: Doc, place: Place, extension: str) -> float | None:
        return doc.char_span(*place)[0]._.get(extension)


class ValuesReading(TokenReading):
    """Several attributes of tokens, with tabs between their values.

    attributes (Sequence[str]): The attributes.
    """

    def __init__(self, attributes: Sequence[str]):
        super().__init__("tag_")
        self.attributes = attributes

    def cells(self, doc: Doc) -> list[str]:
        columns = [find_kind({name: ()}).read(doc)[name] for name in self.attributes]
        return ["\t".join(values) for values in zip(*columns, strict=True)]

    def rename(self, cell: str, suffix: str) -> str:
        tag, rest = cell.split("\t", 1)
        return f"{tag}{suffix}\t{rest}"


class BoundaryReading(TokenReading):
    """Sentence starts: `S` and `I`, as spaCy's `senter` has them, and nothing at whitespace."""

    def __init__(self) -> None:
        super().__init__("is_sent_start")

    def cells(self, doc: Doc) -> list[str]:
        return ["" if t.is_space else "S" if t.is_sent_start else "I" for t in doc]


def give_start(doc: Doc, i: int, label: str) -> None:
    doc[i].is_sent_start = label == "S"


class ConstituentReading:
    """Constituents. A cell has the brackets that open before a token and close after it, such as
    `(S(NP*` or `*)`."""

    per_token = False

    def cells(self, doc: Doc) -> list[str]:
        kind = find_kind({SPANS_KEY: ()})
        return kind.describe(kind.read(doc), [token.text for token in doc]).columns[SPANS_KEY]

    def names(self, cells: Iterable[str]) -> set[str]:
        return {name for cell in cells for name in re.findall(r"\(([^(*]+)", cell)}

    def label(self, cell: str) -> str:
        """The phrase of one word, whatever is around it."""
        alone = re.fullmatch(r".*\(([^(*]+)\*\)+", cell)
        return alone[1] if alone else cell

    def rename(self, cell: str, suffix: str) -> str:
        return re.sub(r"\(([^(*]+)", rf"(\1{suffix}", cell)

    def places(self, doc: Doc) -> list[Place]:
        ends = [(token.idx, token.idx + len(token)) for token in doc]
        return [*ends, *((first[0], last[1]) for first, last in combinations(ends, 2))]

    def confidences(self, doc: Doc, extension: str) -> list[float | None]:
        return [span._.get(extension) for span in doc.spans.get(SPANS_KEY, ())]

    def confidence_at(self, doc: Doc, place: Place, extension: str) -> float | None:
        return doc.char_span(*place)._.get(extension)


def give_phrase(doc: Doc, i: int, label: str) -> None:
    """A phrase of one token, in place of another one."""
    others = [span for span in doc.spans.get(SPANS_KEY, ()) if span.start != i]
    phrases = [*others, Span(doc, i, i + 1, label=label)]
    set_constituents(doc, sorted(phrases, key=lambda span: span.start))
