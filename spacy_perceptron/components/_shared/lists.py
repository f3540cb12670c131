"""Ranked answers for a doc, from what a search found for each sentence."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc

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


def check_place(doc: Doc, i: int, words: Words) -> int:
    """Refuse to explain what is not a word.

    doc (Doc): The doc.
    i (int): Index of a token; negative ones count from the end.
    words (Words): The words of the doc.
    RETURNS (int): The index, not negative.
    """
    INDEX.check("i", i)
    if not -len(doc) <= i < len(doc):
        raise IndexError(Errors.EXPLAIN_INDEX.format(i=i, n=len(doc)))
    i %= len(doc)
    if not words.is_word[i]:
        raise ValueError(Errors.EXPLAIN_SPACE.format(i=i))
    return i
