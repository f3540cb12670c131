"""Sentence starts, `S` for the first token of a sentence and `I` for others: sentences count."""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example

from ...learn.kernels.structures import Sequences
from ..sentence_starts import (
    INSIDE,
    START,
    UNKNOWN,
    can_be_judged,
    gold_starts,
    known_sentences,
)
from .base import Annotation, Counts, PlainData
from .mistakes import EXTRA, MISSING, Mistake
from .tokens import TokenAnswers, encode_tags

ATTRIBUTE = "sent_start"
# The names that spaCy's `senter` has for them.
INSIDE_LABEL, START_LABEL = "I", "S"


class BoundaryAnswers(TokenAnswers):
    """Which tokens start a sentence. No kernel compares them."""

    own_names = (ATTRIBUTE,)
    metric = "sents_f"
    finds_sentences = True

    def read(self, doc: Doc) -> PlainData:
        return {ATTRIBUTE: [START_LABEL if token.is_sent_start else INSIDE_LABEL for token in doc]}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        return {"SENT_START": _as_starts(annotation).view(np.uint64)}

    def read_gold(self, example: Example) -> np.ndarray | None:
        starts = gold_starts(example)
        return starts if (starts[1:] != UNKNOWN).any() else None

    def count(self, gold: np.ndarray, annotation: Annotation, start: int, end: int) -> Counts:
        known = gold[start:end]
        expected = known_sentences(known)
        found = {s for s in known_sentences(_as_starts(annotation)) if can_be_judged(*s, known)}
        return Counts(len(found & expected), len(found), len(expected))

    def find_mistakes(
        self, gold: np.ndarray, annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        """Starts of sentences that are missing or extra; the first token of a doc is always one."""
        mistakes = []
        pairs = zip(gold[start:end].tolist(), _as_starts(annotation).tolist(), strict=True)
        for i, (known, found) in enumerate(pairs):
            if start + i and known != UNKNOWN and known != found:
                if known == START:
                    mistakes.append(Mistake(MISSING, START_LABEL, "", (i,)))
                else:
                    mistakes.append(Mistake(EXTRA, "", START_LABEL, (i,)))
        return mistakes

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Sequences:
        return encode_tags(sentence, [annotation[ATTRIBUTE] for annotation in annotations])


def _as_starts(annotation: Annotation) -> np.ndarray:
    is_start = np.array([label == START_LABEL for label in annotation[ATTRIBUTE]], dtype=bool)
    return np.where(is_start, START, INSIDE)
