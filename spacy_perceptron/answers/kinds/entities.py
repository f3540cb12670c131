"""Entities as BIO tags, `B-PER`, `I-PER`, `O`: exact spans count."""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example, iob_to_biluo

from ...learn.kernels.structures import Sequences
from .base import DEFAULT_OPTIONS, Annotation, Counts, KindOptions, PlainData
from .mistakes import Mistake, span_mistakes
from .tokens import SEQUENCE_KERNELS, TokenAnswers, encode_tags, string_ids

# Token.ent_iob of the first letter of a BIO tag.
_ENT_IOB = {"I": 1, "O": 2, "B": 3}


class EntityAnswers(TokenAnswers):
    """Entities. The option `typed` says whether their labels must be right too."""

    own_names = ("ent",)
    kernels = SEQUENCE_KERNELS

    def __init__(self, names: Sequence[str] = own_names, options: KindOptions = DEFAULT_OPTIONS):
        super().__init__(names, options)
        self.metric = "ents_f" if options.typed else "ents_boundary_f"

    def read(self, doc: Doc) -> PlainData:
        tags = [f"{t.ent_iob_}-{t.ent_type_}" if t.ent_iob in (1, 3) else "O" for t in doc]
        return {"ent": tags}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        tags = [str(tag) for tag in annotation["ent"]]
        return {
            "ENT_IOB": np.array([_ENT_IOB[tag[0]] for tag in tags], np.uint64),
            "ENT_TYPE": string_ids(doc, [tag[2:] for tag in tags]),
        }

    def read_gold(self, example: Example) -> list[str | None] | None:
        tags = example.get_aligned_ner()
        if all(tag is None or tag == "-" for tag in tags):
            return None
        return [None if tag == "-" else tag for tag in tags]

    def count(
        self, gold: Sequence[str | None], annotation: Annotation, start: int, end: int
    ) -> Counts:
        expected, judged = self._judged(gold[start:end], annotation)
        return Counts(len(judged & expected), len(judged), len(expected))

    def find_mistakes(
        self, gold: Sequence[str | None], annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        """Entities with another label or boundary, or that only one side has."""
        sides = self._judged(gold[start:end], annotation)
        expected, judged = ([(x, i, j) for i, j, x in sorted(spans)] for spans in sides)
        return span_mistakes(expected, judged)

    def _judged(
        self, known: Sequence[str | None], annotation: Annotation
    ) -> tuple[set[tuple[int, int, str]], set[tuple[int, int, str]]]:
        """The gold entities of a sentence, and those of an answer of which gold says anything."""
        expected = self._spans([tag or "O" for tag in known])
        predicted = self._spans(iob_to_biluo(annotation["ent"]))
        # Nothing can be said about an entity that touches a token without gold annotation.
        judged = {s for s in predicted if all(tag is not None for tag in known[s[0] : s[1]])}
        return expected, judged

    def _spans(self, biluo: Sequence[str]) -> set[tuple[int, int, str]]:
        """The entities of some tags, without those that misaligned gold has cut into pieces."""
        spans = set()
        start = None
        for i, tag in enumerate(biluo):
            begins, label = tag[:1], tag[2:] if self.options.typed else ""
            if begins in ("B", "U"):
                start = i
            elif begins == "O":
                start = None
            if begins in ("L", "U") and start is not None:
                spans.add((start, i + 1, label))
        return spans

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Sequences:
        return encode_tags(sentence, [annotation["ent"] for annotation in annotations])
