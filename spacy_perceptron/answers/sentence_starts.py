"""Sentence starts: per token as Docs keep them, per word as a tagger of words needs them.

A token starts a sentence (1), does not (-1), or nothing is known (0). White space belongs to the
sentence before it, so a sentence that starts with whitespace tokens starts, as far as words are
concerned, with the word after them.
"""

from itertools import pairwise

import numpy as np
from spacy.attrs import IS_SPACE, ORTH, SENT_START
from spacy.tokens import Doc
from spacy.training import Example

START, INSIDE, UNKNOWN = 1, -1, 0
# First token of a sentence, and the one after its last.
Sentence = tuple[int, int]


def read_starts(doc: Doc) -> np.ndarray:
    """RETURNS (np.ndarray): What each token of a doc knows of the start of a sentence."""
    return doc.to_array(SENT_START).astype(np.int64)


def word_starts(starts: np.ndarray, is_word: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """Starts of tokens -> starts of words. The first word of a doc starts a sentence.

    starts (np.ndarray): One value per token.
    is_word (np.ndarray): Whether each token is a word.
    firsts (np.ndarray): Number of the first word of each doc that has words.
    RETURNS (np.ndarray): One value per word.
    """
    found = starts[is_word]
    n_starts = np.cumsum(starts == START)[is_word]
    if len(found):
        found[np.diff(n_starts, prepend=0) > 0] = START
        found[firsts] = START
    return found


def gold_starts(example: Example) -> np.ndarray:
    """Gold starts for the doc to predict on, whatever boundaries that has itself.

    example (Example): The example.
    RETURNS (np.ndarray): One value per predicted token; unknown at those that are aligned with no
        gold token, or whose gold token says nothing.
    """
    gold = example.reference
    starts, (orths, is_space) = read_starts(gold), gold.to_array([ORTH, IS_SPACE]).T
    if np.array_equal(orths, example.predicted.to_array(ORTH)):
        return starts
    starts = _moved_to_words(starts, is_space == 0)
    aligned = example.alignment.x2y
    found = np.full(len(example.predicted), UNKNOWN)
    has_gold = aligned.lengths > 0
    first = (np.cumsum(aligned.lengths) - aligned.lengths)[has_gold]
    tokens = aligned.data[first].astype(np.int64).reshape(-1)
    values = starts[tokens]
    # Of the parts of a gold token, only the first one can start a sentence.
    is_later = np.diff(tokens, prepend=-1) == 0
    values[is_later & (values != UNKNOWN)] = INSIDE
    found[has_gold] = values
    return found


def _moved_to_words(starts: np.ndarray, is_word: np.ndarray) -> np.ndarray:
    """The same starts with none at whitespace that a word comes after."""
    moved = starts.copy()
    moved[is_word] = word_starts(starts, is_word, np.zeros(0, np.int64))
    moved[~is_word & (starts == START)] = INSIDE
    return moved


def known_sentences(starts: np.ndarray) -> set[Sentence]:
    """The sentences of which all is known.

    starts (np.ndarray): What is known of each token. The first one starts a sentence in any case.
    RETURNS (set[tuple[int, int]]): First tokens and ends.
    """
    bounds = [0, *(1 + np.flatnonzero(starts[1:] == START)).tolist(), len(starts)]
    return {
        (start, end)
        for start, end in pairwise(bounds)
        if start < end and (starts[start + 1 : end] == INSIDE).all()
    }


def can_be_judged(start: int, end: int, starts: np.ndarray) -> bool:
    """Whether gold says that a sentence is right, or that it is wrong.

    start, end (int): Its first token, and the one after its last.
    starts (np.ndarray): What gold knows of each token.
    RETURNS (bool): False if that depends on tokens of which nothing is known.
    """
    first, last = starts[start] if start else START, starts[end] if end < len(starts) else START
    inner = starts[start + 1 : end]
    if INSIDE in (first, last) or (inner == START).any():
        return True
    return bool(first == last == START and (inner == INSIDE).all())
