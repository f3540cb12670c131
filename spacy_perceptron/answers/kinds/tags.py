"""Tags, or any other string per token: words count."""

from collections.abc import Sequence

import numpy as np
from spacy.attrs import MORPH
from spacy.tokens import Doc, Span
from spacy.training import Example

from ...learn.kernels.structures import Sequences
from .base import DEFAULT_OPTIONS, Annotation, Counts, KindOptions, PlainData
from .mistakes import Mistake, label_mistakes
from .tokens import SEQUENCE_KERNELS, TokenAnswers, encode_tags, string_ids

# The attributes that are tags.
TAGS = ("tag", "pos")


class TagAnswers(TokenAnswers):
    """One string attribute of tokens, such as `tag` or `pos`; kernels compare these two."""

    def __init__(self, names: Sequence[str], options: KindOptions = DEFAULT_OPTIONS):
        super().__init__(names, options)
        (self.attribute,) = self.names
        self.metric = f"{self.attribute}_acc"
        self.kernels = SEQUENCE_KERNELS if self.attribute in TAGS else ()

    def read(self, doc: Doc) -> PlainData:
        return {self.attribute: [getattr(token, f"{self.attribute}_") for token in doc]}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        return {self.attribute.upper(): string_ids(doc, annotation[self.attribute])}

    def read_gold(self, example: Example) -> list[str | None] | None:
        tags = example.get_aligned(self.attribute.upper(), as_string=True)
        known = [
            tag if tag and not token.is_space else None
            for tag, token in zip(tags, example.predicted, strict=True)
        ]
        return known if any(known) else None

    def count(
        self, gold: Sequence[str | None], annotation: Annotation, start: int, end: int
    ) -> Counts:
        pairs = zip(annotation[self.attribute], gold[start:end], strict=True)
        right = [tag == expected for tag, expected in pairs if expected is not None]
        return Counts(sum(right), len(right), len(right))

    def find_mistakes(
        self, gold: Sequence[str | None], annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        return label_mistakes(gold[start:end], map(str, annotation[self.attribute]))

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Sequences:
        return encode_tags(sentence, [annotation[self.attribute] for annotation in annotations])


class MorphAnswers(TagAnswers):
    """Morphological features of tokens, as in `Number=Sing|Person=3`; `_` for none."""

    own_names = ("morph",)

    def read(self, doc: Doc) -> PlainData:
        strings = doc.vocab.strings
        return {"morph": [strings[key] if key else "" for key in doc.to_array(MORPH).tolist()]}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        morphology = doc.vocab.morphology
        keys = [morphology.add(text) if text else 0 for text in annotation["morph"]]
        return {"MORPH": np.array(keys, dtype=np.uint64)}

    def read_gold(self, example: Example) -> list[str | None] | None:
        strings = example.reference.vocab.strings
        keys = example.get_aligned("MORPH")
        known = [
            strings[key] if key and not token.is_space else None
            for key, token in zip(keys, example.predicted, strict=True)
        ]
        return known if any(known) else None
