"""The best answers to one text in words, for tables and pages: what was predicted, what differs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from spacy.tokens import Doc, Token

from ..answers.candidate import Candidate
from ..answers.kinds import Annotation, AnswerKind, Description, find_kind


@dataclass(frozen=True)
class Answers:
    """The answers for one text.

    words (list[str]): The tokens.
    predicted (Annotation): What the pipeline predicts.
    confidences (list[Optional[float]]): How sure it is of each token; None where that is not known.
    candidates (list[Candidate]): The answers, best first. The beam that finds them can be wider
        than the pipeline's own, so the first one can differ from what was predicted.
    tags (list[str]): Tags to print under the words of a tree.
    direction (str): Of the writing system: `ltr` or `rtl`.
    sentence_starts (list[int]): First token of each sentence; none if boundaries are not known.
    item_confidences (dict[tuple, float]): How sure the pipeline is of items that are not tokens,
        such as phrases, as far as that is known.
    """

    words: list[str]
    predicted: Annotation
    confidences: list[float | None]
    candidates: list[Candidate]
    tags: list[str] = field(default_factory=list)
    direction: str = "ltr"
    sentence_starts: list[int] = field(default_factory=list)
    item_confidences: dict[tuple, float] = field(default_factory=dict)

    @cached_property
    def kind(self) -> AnswerKind:
        """What kind of answers they are."""
        return find_kind(self.predicted)

    @cached_property
    def _described(self) -> list[Description]:
        """The prediction in words, then the candidates."""
        annotations = [self.predicted, *(candidate.annotation for candidate in self.candidates)]
        return [self.kind.describe(annotation, self.words) for annotation in annotations]

    def describe(self, rank: int | None = None) -> Description:
        """An answer in words.

        rank (Optional[int]): 0 for the first answer; None for the prediction.
        RETURNS (Description): The description.
        """
        return self._described[0 if rank is None else rank + 1]

    def parts(self, rank: int | None = None) -> list[tuple[str, ...]]:
        """What one answer says about each token, such as its label and its head.

        rank (Optional[int]): 0 for the first answer; None for the prediction.
        RETURNS (list[tuple[str, ...]]): Texts, all empty at whitespace, of which nothing is
            decided.
        """
        return [
            ("",) * len(parts) if word.isspace() else parts
            for word, parts in zip(self.words, self.describe(rank).parts, strict=True)
        ]

    def labels(self, rank: int | None = None) -> list[str]:
        """What one answer says about each token, such as `NN` or `obj ← saw`.

        rank (Optional[int]): 0 for the first answer; None for the prediction.
        RETURNS (list[str]): One text per token.
        """
        return [" ".join(filter(None, parts)) for parts in self.parts(rank)]

    def differences(self, rank: int) -> list[str]:
        """Where and how an answer differs from the prediction.

        rank (int): 0 for the first answer.
        RETURNS (list[str]): For each token the parts that differ, such as the head alone; an empty
            text if none does.
        """
        pairs = zip(self.parts(rank), self.parts(), strict=True)
        return [
            " ".join(a for a, b in zip(answer, predicted, strict=True) if a != b)
            for answer, predicted in pairs
        ]

    def differing(self) -> list[int]:
        """RETURNS (list[int]): The tokens on which some answer differs from the prediction."""
        answers = [self.parts(rank) for rank in (None, *range(len(self.candidates)))]
        return [i for i, parts in enumerate(zip(*answers, strict=True)) if len(set(parts)) > 1]

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): Everything as plain data."""
        return {
            "words": self.words,
            "predicted": self.kind.as_plain_data(self.predicted),
            "confidences": self.confidences,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }


def ask(pipe: Any, doc: Doc, k: int) -> Answers:
    """Ask a component for its best answers.

    pipe (Any): A component with the method `nbest`.
    doc (Doc): A doc that the pipeline has processed; it is not changed.
    k (int): Number of answers.
    RETURNS (Answers): The answers.
    """
    candidates: list[Candidate] = pipe.nbest(doc, k)
    kind = find_kind(candidates[0].annotation)
    return Answers(
        [token.text for token in doc],
        kind.read(doc),
        find_confidences(doc, kind.confidences),
        candidates,
        [token.tag_ or token.pos_ for token in doc],
        doc.vocab.writing_system.get("direction", "ltr"),
        [i for i, token in enumerate(doc) if token.is_sent_start],
        kind.item_confidences(doc),
    )


def find_confidences(doc: Doc, attributes: Iterable[str]) -> list[float | None]:
    """Confidences that components left with a doc.

    doc (Doc): The doc.
    attributes (Iterable[str]): What they can be about, such as `tag`; the first one found counts.
    RETURNS (list[Optional[float]]): One per token.
    """
    for attribute in attributes:
        if Token.has_extension(f"{attribute}_confidence"):
            return [token._.get(f"{attribute}_confidence") for token in doc]
    return [None] * len(doc)
