"""Sentence starts: whole sentences count."""
from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example

from ...learn.kernels.structures import Sequences
from .base import Annotation, Counts, PlainData
from .tokens import TokenAnswers, encode_tags

ATTRIBUTE = "sent_start"
INSIDE_LABEL, START_LABEL = "I", "S"


class BoundaryAnswers(TokenAnswers):
    own_names = (ATTRIBUTE,)
    metric = "sents_f"

    def read(self, doc: Doc) -> PlainData:
        return {ATTRIBUTE: [START_LABEL if token.is_sent_start else INSIDE_LABEL for token in doc]}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        starts = [1 if label == START_LABEL else -1 for label in annotation[ATTRIBUTE]]
        return {"SENT_START": np.array(starts, np.int64).view(np.uint64)}

    def read_gold(self, example: Example):
        raise NotImplementedError

    def count(self, gold, annotation: Annotation, start: int, end: int) -> Counts:
        raise NotImplementedError

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Sequences:
        return encode_tags(sentence, [annotation[ATTRIBUTE] for annotation in annotations])
