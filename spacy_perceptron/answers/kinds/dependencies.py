"""Dependency trees, heads with labels: labelled arcs count."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from spacy.attrs import DEP, HEAD, ORTH
from spacy.tokens import Doc, Span
from spacy.training import Example
from thinc.types import Ints2d

from ...learn.kernels.structures import Trees
from ...trees.coarse_tags import token_tag
from ...trees.dependency_encoding import DependencyEncoding
from ..explanation import ROOT_NAME, token_names
from .base import Annotation, Counts, Description, PlainData
from .mistakes import ATTACHMENT, BOTH, LABEL, Mistake
from .tokens import TokenAnswers, string_ids

# Gold head and label of each token: None where they are missing.
Heads = list[int | None]
Labels = list[str | None]


class DependencyAnswers(TokenAnswers):
    """Dependency trees. `head` has the index of each token's head; a root is its own head."""

    own_names = ("head", "dep")
    drawing = "arcs"
    kernels = ("subset_tree",)
    metric = "dep_las_all"

    def read(self, doc: Doc) -> PlainData:
        values: PlainData = {"head": [t.head.i for t in doc], "dep": [t.dep_ for t in doc]}
        return {name: values[name] for name in self.names}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        heads = np.asarray(annotation["head"], dtype=np.int64)
        columns = {"HEAD": (heads - np.arange(len(heads))).astype(np.uint64)}
        if "dep" in annotation:
            columns["DEP"] = string_ids(doc, annotation["dep"])
        return columns

    def write(self, doc: Doc, annotation: Annotation) -> None:
        # Given heads and labels together, from_array finds children and edges anew; it also sets a
        # boundary for every root, which must not touch boundaries that are there.
        starts = doc.to_array("SENT_START") if doc.has_annotation("SENT_START") else None
        super().write(doc, annotation)
        if starts is not None:
            starts[:1] = 1
            doc.from_array(["SENT_START"], cast(Ints2d, starts))

    def cut(self, annotation: Annotation, start: int, end: int) -> PlainData:
        sentence = super().cut(annotation, start, end)
        sentence["head"] = [head - start for head in sentence["head"]]
        return sentence

    def join(self, parts: Iterable[tuple[int, Annotation]]) -> PlainData:
        return super().join(
            (start, {**part, "head": [start + head for head in part["head"]]})
            for start, part in parts
        )

    def as_plain_data(self, annotation: Annotation) -> PlainData:
        return {
            name: list(map(int if name == "head" else str, annotation[name])) for name in self.names
        }

    def describe(self, annotation: Annotation, words: Sequence[str]) -> Description:
        names = token_names(words)
        heads = [int(head) for head in annotation["head"]]
        columns = super().describe(annotation, words).columns
        columns["head"] = [ROOT_NAME if head == i else names[head] for i, head in enumerate(heads)]
        labels = columns.get("dep", [""] * len(heads))
        arrows = [f"← {name}" for name in columns["head"]]
        parts: list[tuple[str, ...]] = list(zip(labels, arrows, strict=True))
        return Description(names, columns, parts, list(zip(heads, labels, strict=True)))

    def read_gold(self, example: Example) -> list[tuple[int, str | None] | None] | None:
        heads, labels = read_gold(example)
        is_space = [token.is_space for token in example.predicted]
        arcs = [
            None if head is None or space else (head, label)
            for head, label, space in zip(heads, labels, is_space, strict=True)
        ]
        return arcs if any(arc is not None for arc in arcs) else None

    def count(
        self,
        gold: Sequence[tuple[int, str | None] | None],
        annotation: Annotation,
        start: int,
        end: int,
    ) -> Counts:
        pairs = zip(annotation["head"], annotation["dep"], strict=True)
        # Where gold has no label, any is right.
        right = [
            start + head == arc[0] and arc[1] in (label, None)
            for (head, label), arc in zip(pairs, gold[start:end], strict=True)
            if arc is not None
        ]
        return Counts(sum(right), len(right), len(right))

    def find_mistakes(
        self,
        gold: Sequence[tuple[int, str | None] | None],
        annotation: Annotation,
        start: int,
        end: int,
    ) -> list[Mistake]:
        """Arcs with another head, another label, or both."""
        mistakes = []
        arcs = zip(gold[start:end], annotation["head"], annotation["dep"], strict=True)
        for i, (arc, head, label) in enumerate(arcs):
            if arc is None:
                continue
            has_head, has_label = start + head == arc[0], arc[1] in (label, None)
            if not (has_head and has_label):
                wrong = LABEL if has_head else ATTACHMENT if has_label else BOTH
                mistakes.append(Mistake(wrong, arc[1] or "", str(label), (i,)))
        return mistakes

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Trees:
        encoding = DependencyEncoding(labels=self.options.labels, words=self.options.words)
        return encoding(
            [annotation["head"] for annotation in annotations],
            [annotation["dep"] for annotation in annotations],
            [token_tag(token, coarse=self.options.coarse_tags) for token in sentence],
            [token.text for token in sentence],
            sentence.doc.vocab.strings,
        )


def read_gold(example: Example) -> tuple[Heads, Labels]:
    """Gold heads and labels of the predicted tokens.

    example (Example): The example.
    RETURNS (tuple): The head of each token as an index in the doc, and its label; None: missing.
    """
    if not has_gold_tokens(example):
        heads, labels = example.get_aligned_parse(projectivize=False)
        # spaCy gives a token without head and label for its own head.
        known = [
            head if label or head != i else None
            for i, (head, label) in enumerate(zip(heads, labels, strict=True))
        ]
        return known, [label or None for label in labels]
    strings = example.reference.vocab.strings
    arcs = example.reference.to_array([HEAD, DEP])
    offsets = arcs[:, 0].astype(np.int64).tolist()
    names = [strings[int(key)] if key else None for key in arcs[:, 1]]
    # A head without a label is known where it is another token.
    heads = [
        i + offset if name is not None or offset else None
        for i, (offset, name) in enumerate(zip(offsets, names, strict=True))
    ]
    return heads, names


def has_gold_tokens(example: Example) -> bool:
    """RETURNS (bool): Whether both sides of an example have the same tokens."""
    return np.array_equal(example.reference.to_array(ORTH), example.predicted.to_array(ORTH))
