"""The kinds of answers that can be reranked: how a kernel sees them, and how right they are."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example, iob_to_biluo

from ..components._dependencies.gold import read_gold
from ..components._dependencies.reader import COARSE_LENGTH
from ..errors import Errors
from ..learn.kernels.structures import Sequences, Structures
from ..trees.dependency_encoding import DependencyEncoding
from .candidate import Annotation
from .sentences import SentenceAnswers


class Counts(NamedTuple):
    """How right an answer is.

    n_right, n_predicted, n_gold (int): Items such as arcs or entities. Only those count of which
        the gold annotation says something.
    """

    n_right: int
    n_predicted: int
    n_gold: int

    @property
    def loss(self) -> int:
        """Items that are wrong or missing."""
        return self.n_predicted + self.n_gold - 2 * self.n_right


class AnswerKind(Protocol):
    """What a reranker must know of an annotation."""

    kernels: tuple[str, ...]
    metric: str

    def encode(self, doc: Doc, answers: SentenceAnswers) -> Structures:
        """The answers as what kernels compare."""
        ...

    def read_gold(self, example: Example) -> Any:
        """Gold annotation of the predicted tokens; None if there is none."""
        ...

    def count(self, gold: Any, answers: SentenceAnswers, i: int) -> Counts:
        """How right the i-th answer is."""
        ...


class TreeAnswers:
    """Dependency trees: labelled arcs count.

    encoding (DependencyEncoding): How they become trees for a kernel.
    coarse (bool): Use coarse tags.
    """

    kernels: tuple[str, ...] = ("subset_tree",)
    metric = "dep_las_all"

    def __init__(self, encoding: DependencyEncoding, *, coarse: bool = False):
        self._encoding = encoding
        self._coarse = coarse

    def encode(self, doc: Doc, answers: SentenceAnswers) -> Structures:
        tokens = doc[answers.start : answers.end]
        return self._encoding(
            _values(answers, "head"),
            _values(answers, "dep"),
            [_tag(token, self._coarse) for token in tokens],
            [token.text for token in tokens],
            doc.vocab.strings,
        )

    def read_gold(self, example: Example) -> Any:
        heads, labels = read_gold(example)
        is_space = [token.is_space for token in example.predicted]
        arcs = [
            None if head is None or space else (head, label)
            for head, label, space in zip(heads, labels, is_space, strict=True)
        ]
        return arcs if any(arc is not None for arc in arcs) else None

    def count(self, gold: Any, answers: SentenceAnswers, i: int) -> Counts:
        pairs = zip(_values(answers, "head")[i], _values(answers, "dep")[i], strict=True)
        # A label that gold leaves open is right whatever it is.
        right = [
            answers.start + head == arc[0] and arc[1] in (label, None)
            for (head, label), arc in zip(pairs, gold[answers.start : answers.end], strict=True)
            if arc is not None
        ]
        return Counts(sum(right), len(right), len(right))


class TagAnswers:
    """Tags: words count.

    attribute (str): `tag` or `pos`.
    """

    kernels: tuple[str, ...] = ("tagging", "smoothed_tagging")

    def __init__(self, attribute: str):
        self.attribute = attribute
        self.metric = f"{attribute}_acc"

    def encode(self, doc: Doc, answers: SentenceAnswers) -> Structures:
        return encode_tags(doc, answers, self.attribute)

    def read_gold(self, example: Example) -> Any:
        tags = example.get_aligned(self.attribute.upper(), as_string=True)
        known = [
            tag if tag and not token.is_space else None
            for tag, token in zip(tags, example.predicted, strict=True)
        ]
        return known if any(known) else None

    def count(self, gold: Any, answers: SentenceAnswers, i: int) -> Counts:
        tags = answers.annotations[i][self.attribute]
        right = [
            tag == expected
            for tag, expected in zip(tags, gold[answers.start : answers.end], strict=True)
            if expected is not None
        ]
        return Counts(sum(right), len(right), len(right))


class EntityAnswers:
    """Entities: exact spans count.

    typed (bool): Whether their labels must be right too.
    """

    kernels: tuple[str, ...] = ("tagging", "smoothed_tagging")

    def __init__(self, *, typed: bool):
        self.typed = typed
        self.metric = "ents_f" if typed else "ents_boundary_f"

    def encode(self, doc: Doc, answers: SentenceAnswers) -> Structures:
        return encode_tags(doc, answers, "ent")

    def read_gold(self, example: Example) -> Any:
        tags = example.get_aligned_ner()
        if all(tag is None or tag == "-" for tag in tags):
            return None
        return [None if tag == "-" else tag for tag in tags]

    def count(self, gold: Any, answers: SentenceAnswers, i: int) -> Counts:
        known = gold[answers.start : answers.end]
        expected = self._spans([tag or "O" for tag in known])
        predicted = self._spans(iob_to_biluo(_values(answers, "ent")[i]))
        # Nothing can be said about an entity that touches a token without gold annotation.
        judged = {s for s in predicted if all(tag is not None for tag in known[s[0] : s[1]])}
        return Counts(len(judged & expected), len(judged), len(expected))

    def _spans(self, biluo: Sequence[str]) -> set[tuple[int, int, str]]:
        """Entities of tags; those that misaligned gold has cut into pieces are left out."""
        spans = set()
        start = None
        for i, tag in enumerate(biluo):
            begins, label = tag[:1], tag[2:] if self.typed else ""
            if begins in ("B", "U"):
                start = i
            elif begins == "O":
                start = None
            if begins in ("L", "U") and start is not None:
                spans.add((start, i + 1, label))
        return spans


def read_values(doc: Doc, name: str) -> list[Any]:
    """What a doc says of its tokens, in the way answers do.

    doc (Doc): The doc.
    name (str): A token attribute.
    RETURNS (list): One value per token.
    """
    if name == "head":
        return [token.head.i for token in doc]
    if name == "ent":
        return [f"{t.ent_iob_}-{t.ent_type_}" if t.ent_iob in (1, 3) else "O" for t in doc]
    return [getattr(token, f"{name}_") for token in doc]


def encode_tags(doc: Doc, answers: SentenceAnswers, attribute: str) -> Sequences:
    """Tagged sequences, with words in lower case and their shapes.

    doc (Doc): The doc.
    answers (SentenceAnswers): Taggings of one of its sentences.
    attribute (str): The attribute with the tags.
    RETURNS (Sequences): The sequences.
    """
    strings = doc.vocab.strings
    tokens = doc[answers.start : answers.end]
    words = np.array([token.lower for token in tokens], np.uint64)
    shapes = np.array([token.shape for token in tokens], np.uint64)
    tags = [strings.add(tag) for values in _values(answers, attribute) for tag in values]
    n = len(answers)
    offsets = np.arange(n + 1) * len(words)
    return Sequences(np.array(tags, np.uint64), np.tile(words, n), np.tile(shapes, n), offsets)


def _tag(token: Token, coarse: bool) -> str:
    """A token's tag, or its coarse part of speech; one stands in for the other."""
    if not coarse:
        return token.tag_ or token.pos_
    tag = token.tag_
    return token.pos_ or (tag[:COARSE_LENGTH] if tag[:1].isalpha() else tag)


def _values(answers: SentenceAnswers, name: str) -> list[list[Any]]:
    """An attribute of all tokens, answer by answer."""
    return [list(annotation[name]) for annotation in answers.annotations]


def find_kind(
    annotation: Annotation, *, encoding: DependencyEncoding, coarse: bool = False, typed: bool
) -> AnswerKind:
    """The kind of an answer.

    annotation (Annotation): The answer.
    encoding (DependencyEncoding): How dependency trees become trees for a kernel.
    coarse (bool): Whether these have coarse tags.
    typed (bool): Whether labels of entities must be right.
    RETURNS (AnswerKind): The kind.
    """
    if "head" in annotation:
        return TreeAnswers(encoding, coarse=coarse)
    if "ent" in annotation:
        return EntityAnswers(typed=typed)
    for attribute in ("tag", "pos"):
        if attribute in annotation:
            return TagAnswers(attribute)
    raise ValueError(Errors.RERANK_KIND.format(names=", ".join(annotation)))
