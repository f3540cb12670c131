"""What every kind of answer can do.

An answer is plain data: names, each with a list. Only its kind knows what they mean: a list can
have an item per token, as tags do, or none for some tokens and several for others, as constituents
do. Within a sentence, tokens count from its start.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

from spacy.tokens import Doc, Span
from spacy.training import Example

from ...learn.kernels.structures import Structures
from ..confidence import register_confidence
from .mistakes import Mistake

Annotation: TypeAlias = Mapping[str, Sequence[Any]]
PlainData: TypeAlias = dict[str, list[Any]]


class Counts(NamedTuple):
    """How right an answer is.

    n_right, n_predicted, n_gold (int): Items such as arcs or entities, as far as the gold
        annotation says anything about them.
    """

    n_right: int
    n_predicted: int
    n_gold: int

    @property
    def loss(self) -> int:
        """Items that are wrong or missing."""
        return self.n_predicted + self.n_gold - 2 * self.n_right


@dataclass(frozen=True)
class KindOptions:
    """How answers are compared with each other and with gold; each kind takes what concerns it.

    labels (bool): Dependency trees: kernels see labels of arcs.
    words (bool): Trees: kernels see words, not only tags.
    coarse_tags (bool): Trees: kernels see coarse tags in place of fine ones.
    typed (bool): Entities: labels must be right, not only boundaries.
    """

    labels: bool = True
    words: bool = False
    coarse_tags: bool = True
    typed: bool = True


DEFAULT_OPTIONS = KindOptions()


@dataclass(frozen=True)
class Description:
    """An answer in words, for tables and pages.

    words (list[str]): The tokens, under the names that the rest of the description has for them.
    columns (dict[str, list[str]]): The columns of a table: title -> a cell per token.
    parts (list[tuple[str, ...]]): What the answer says about each token, such as its label and its
        head: each part can differ from that of another answer.
    items (list): What a drawing shows. Arcs: head and label of each token; brackets: start, end and
        label of each phrase.
    """

    words: list[str]
    columns: dict[str, list[str]]
    parts: list[tuple[str, ...]]
    items: list[tuple]


class AnswerKind(ABC):
    """One kind of answer.

    names (tuple[str, ...]): Its names in an annotation.
    options (KindOptions): How to compare.
    """

    # The names that belong to the kind. Where the first one is, there is an answer of this kind.
    own_names: ClassVar[tuple[str, ...]] = ()
    # How pages draw it, beside words with labels: `arcs`, `brackets` or not at all.
    drawing = ""
    # The kernels that can compare such answers.
    kernels: tuple[str, ...] = ()
    # The score of scorers that says how right they are.
    metric = ""
    # Whether they say where sentences are: components keep boundaries that are there, so such
    # answers can only be judged on docs without.
    finds_sentences = False

    def __init__(self, names: Sequence[str], options: KindOptions = DEFAULT_OPTIONS):
        self.names = tuple(names)
        self.options = options

    @property
    def confidences(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): What tokens can have a confidence in."""
        return self.names

    def register_confidences(self) -> None:
        """Make the extensions with confidences available."""
        for name in self.confidences:
            register_confidence(name)

    def item_confidences(self, doc: Doc) -> dict[tuple, float]:
        """How sure a component was of the doc's items, for kinds whose items are not tokens.

        doc (Doc): The doc.
        RETURNS (dict[tuple, float]): Items as in a description, with what is known about them.
        """
        return {}

    # --- Plain data -------------------------------------------------------------------------

    @abstractmethod
    def read(self, doc: Doc) -> PlainData:
        """What a doc says.

        doc (Doc): The doc.
        RETURNS (PlainData): The annotation.
        """

    @abstractmethod
    def write(self, doc: Doc, annotation: Annotation) -> None:
        """Write an answer to a doc; its sentence boundaries stay as they are.

        doc (Doc): The doc; changed in place.
        annotation (Annotation): The answer for the whole doc.
        """

    @abstractmethod
    def cut(self, annotation: Annotation, start: int, end: int) -> PlainData:
        """Cut a sentence out.

        annotation (Annotation): An answer for a whole doc.
        start, end (int): The sentence's first token, and the one after its last.
        RETURNS (PlainData): The answer for the sentence.
        """

    @abstractmethod
    def join(self, parts: Iterable[tuple[int, Annotation]]) -> PlainData:
        """Join sentences, the inverse of `cut`.

        parts (Iterable[tuple[int, Annotation]]): For each sentence its start and its answer. They
            follow each other without gaps.
        RETURNS (PlainData): The answer for the whole doc.
        """

    @abstractmethod
    def as_plain_data(self, annotation: Annotation) -> PlainData:
        """Lists of Python's own strings and numbers, which every format can hold.

        annotation (Annotation): An answer; its numbers may be numpy's.
        RETURNS (PlainData): The same as plain data.
        """

    # --- Comparing and describing -----------------------------------------------------------

    @abstractmethod
    def key(self, annotation: Annotation) -> Hashable:
        """RETURNS (Hashable): The same for equal answers, and only for them."""

    def changes(self, before: Annotation, after: Annotation) -> dict[str, list[bool]]:
        """Which confidences do not hold any more when one answer takes the place of another.

        before, after (Annotation): Answers for a whole doc.
        RETURNS (dict[str, list[bool]]): For each of `confidences`, whether a token has changed.
        """
        return {}

    @abstractmethod
    def describe(self, annotation: Annotation, words: Sequence[str]) -> Description:
        """Put an answer into words.

        annotation (Annotation): The answer for a whole doc.
        words (Sequence[str]): The doc's tokens.
        RETURNS (Description): The description.
        """

    # --- Gold and kernels -------------------------------------------------------------------

    @abstractmethod
    def read_gold(self, example: Example) -> Any:
        """RETURNS (Any): Gold for the predicted tokens, for `count`; None if there is none."""

    @abstractmethod
    def count(self, gold: Any, annotation: Annotation, start: int, end: int) -> Counts:
        """Count what is right in a sentence.

        gold (Any): What `read_gold` gave.
        annotation (Annotation): An answer for the sentence.
        start, end (int): Its first token, and the one after its last.
        RETURNS (Counts): The counts.
        """

    @property
    def parts(self) -> "Sequence[AnswerKind]":
        """RETURNS (Sequence[AnswerKind]): The kinds of which an annotation of this kind consists,
        the main one first."""
        return [self]

    @abstractmethod
    def find_mistakes(
        self, gold: Any, annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        """Find what is wrong in a sentence. There is nothing if and only if all that counts is
        right.

        gold (Any): What `read_gold` gave.
        annotation (Annotation): An answer for the sentence.
        start, end (int): Its first token, and the one after its last.
        RETURNS (list[Mistake]): The mistakes, in the order of tokens, which count from the start of
            the sentence.
        """

    @abstractmethod
    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Structures:
        """Turn answers into what kernels compare.

        sentence (Span): A sentence.
        annotations (Sequence[Annotation]): Answers for it.
        RETURNS (Structures): A structure per answer.
        """
