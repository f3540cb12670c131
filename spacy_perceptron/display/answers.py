"""The best answers to one text in words, for tables and pages: what was predicted, what differs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from spacy.tokens import Doc, Token

from ..answers.candidate import Annotation, Candidate, as_plain_data
from ..answers.explanation import ROOT_NAME, token_names


@dataclass(frozen=True)
class Answers:
    """The answers for one text. An answer gives each token labels, or a head, or both.

    words (list[str]): The tokens.
    predicted (Annotation): What the pipeline predicts: token attribute -> one value per token.
    confidences (list[Optional[float]]): How sure it is of each token; None where nothing is known.
    candidates (list[Candidate]): The answers, best first. The beam that finds them can be wider
        than the pipeline's own, so the first one can differ from what was predicted.
    tags (list[str]): Tags to print under the words of a tree.
    direction (str): Of the writing system: `ltr` or `rtl`.
    """

    words: list[str]
    predicted: Annotation
    confidences: list[float | None]
    candidates: list[Candidate]
    tags: list[str] = field(default_factory=list)
    direction: str = "ltr"

    @property
    def are_trees(self) -> bool:
        """Whether the answers are dependency trees."""
        return "head" in self.predicted

    @cached_property
    def names(self) -> list[str]:
        """Names that tell the tokens apart."""
        return token_names(self.words)

    def values(self, name: str) -> list[str]:
        """What was predicted, as text.

        name (str): A token attribute.
        RETURNS (list[str]): One value per token; of heads, their names.
        """
        return self._heads(self.predicted) if name == "head" else [*map(str, self.predicted[name])]

    def parts(self, rank: int | None = None) -> list[tuple[str, str]]:
        """Label and head of each token, as text.

        rank (Optional[int]): 0 for the first answer; None for the prediction.
        RETURNS (list[tuple[str, str]]): Several labels are joined by a slash. Both texts are empty
            at whitespace, of which nothing is decided.
        """
        annotation = self.predicted if rank is None else self.candidates[rank].annotation
        columns = [values for name, values in annotation.items() if name != "head"]
        nothing = [""] * len(self.words)
        labels = ["/".join(map(str, values)) for values in zip(*columns, strict=True)] or nothing
        heads = [f"← {name}" for name in self._heads(annotation)] if self.are_trees else nothing
        return [
            ("", "") if word.isspace() else (label, head)
            for word, label, head in zip(self.words, labels, heads, strict=True)
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
        RETURNS (list[str]): For each token the label, the head or both, whichever differs; an empty
            text if nothing does.
        """
        pairs = zip(self.parts(rank), self.parts(), strict=True)
        return [
            " ".join(a for a, b in zip(answer, predicted, strict=True) if a != b)
            for answer, predicted in pairs
        ]

    def differing(self) -> list[int]:
        """RETURNS (list[int]): The tokens of which some answer differs from the prediction."""
        answers = [self.parts(rank) for rank in (None, *range(len(self.candidates)))]
        return [i for i, parts in enumerate(zip(*answers, strict=True)) if len(set(parts)) > 1]

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): Everything as plain data."""
        return {
            "words": self.words,
            "predicted": as_plain_data(self.predicted),
            "confidences": self.confidences,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        }

    def _heads(self, annotation: Annotation) -> list[str]:
        heads = map(int, annotation["head"])
        return [ROOT_NAME if head == i else self.names[head] for i, head in enumerate(heads)]


def ask(pipe: Any, doc: Doc, k: int) -> Answers:
    """Ask a component for its best answers.

    pipe (Any): A component with the method `nbest`.
    doc (Doc): A doc that the pipeline has processed; it is not changed.
    k (int): Number of answers.
    RETURNS (Answers): The answers.
    """
    candidates: list[Candidate] = pipe.nbest(doc, k)
    attributes = list(candidates[0].annotation)
    return Answers(
        [token.text for token in doc],
        {name: [_value(token, name) for token in doc] for name in attributes},
        find_confidences(doc, attributes),
        candidates,
        [token.tag_ or token.pos_ for token in doc],
        doc.vocab.writing_system.get("direction", "ltr"),
    )


def find_confidences(doc: Doc, attributes: Iterable[str]) -> list[float | None]:
    """Confidences that components left with a doc.

    doc (Doc): The doc.
    attributes (Iterable[str]): Attributes to look for, such as `tag`; the first one found counts.
    RETURNS (list[Optional[float]]): One per token.
    """
    for attribute in attributes:
        if Token.has_extension(f"{attribute}_confidence"):
            return [token._.get(f"{attribute}_confidence") for token in doc]
    return [None] * len(doc)


def _value(token: Token, name: str) -> Any:
    if name == "ent":
        return f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O"
    return token.head.i if name == "head" else getattr(token, f"{name}_")
