"""Ranked answers for a doc, from what a search found for each sentence."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span, Token

from ...answers.candidate import Annotation
from ...answers.sentences import SentenceAnswers, cut_answers
from ...errors import Errors
from ...values import Values
from .words import Words

# Which token to explain.
INDEX = Values(int)


def rank_answers(
    words: Words,
    found: Sequence[tuple[Any, np.ndarray]],
    annotate: Callable[[list[Any]], Annotation],
    *,
    k: int,
    depth: int | None = None,
) -> list[SentenceAnswers]:
    """The k best answers for each sentence of a doc.

    words (Words): The words of the doc.
    found (Sequence[tuple]): What the search found for each sentence, best first, and scores.
    annotate (Callable): One result per sentence -> the annotation of the doc.
    k (int): How many different answers to keep.
    depth (Optional[int]): How many results to look at, if more than k: some may be the same answer.
    RETURNS (list[SentenceAnswers]): At most k per sentence, best first.
    """
    depth = depth or k
    annotations = []
    for i in range(max((min(depth, len(scores)) for _, scores in found), default=1)):
        # Sentences with fewer results repeat their last one, which is not looked at again.
        annotations.append(annotate([finds[min(i, len(scores) - 1)] for finds, scores in found]))
    # A doc without words has one answer: what whitespace gets.
    scores = [scores.tolist() for _, scores in found] or [[0.0]]
    return cut_answers(words.sentence_bounds(), scores, annotations, k=k)


def find_place(doc: Doc, i: int | Token) -> int:
    """Refuse to explain what is not of this doc.

    doc (Doc): The doc.
    i (Union[int, Token]): A token, or the index of one.
    RETURNS (int): The index, not checked.
    """
    if isinstance(i, Token):
        check_owner(doc, i)
        return i.i
    INDEX.check("i", i)
    return i


def check_owner(doc: Doc, item: Token | Span) -> None:
    """Refuse tokens and spans of another doc.

    doc (Doc): The doc.
    item (Union[Token, Span]): What should be in it.
    """
    if item.doc is not doc:
        kind = "token" if isinstance(item, Token) else "span"
        raise ValueError(Errors.EXPLAIN_OTHER_DOC.format(kind=kind, text=item.text))


def words_of(doc: Doc, span: Span) -> Span:
    """A span without white space at its edges.

    doc (Doc): The doc.
    span (Span): A span of it, with a word or more.
    RETURNS (Span): The span from the first to the last word.
    """
    check_owner(doc, span)
    words = [token.i for token in span if not token.is_space]
    if not words:
        raise ValueError(Errors.EXPLAIN_NO_WORDS.format(start=span.start, end=span.end))
    return doc[words[0] : words[-1] + 1]


def check_place(doc: Doc, i: int, words: Words) -> int:
    """Refuse to explain what is not a word.

    doc (Doc): The doc.
    i (int): Index of a token; negative ones count from the end.
    words (Words): The words of the doc.
    RETURNS (int): The index, not negative.
    """
    if not -len(doc) <= i < len(doc):
        raise IndexError(Errors.EXPLAIN_INDEX.format(i=i, n=len(doc)))
    i %= len(doc)
    if not words.is_word[i]:
        raise ValueError(Errors.EXPLAIN_SPACE.format(i=i))
    return i
