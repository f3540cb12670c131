"""Cuts sentences that are too long where a sentence most probably ends.

A text without boundaries counts as one sentence, and what a search needs grows with the length of
sentences. So a sentence of more words than a component can take is cut at every place that looks
like the end of a sentence: final punctuation before a capital or a line break, and blank lines. A
piece that is still long is cut again, at other punctuation and line breaks, or else between any two
words. The cost is linear in the number of tokens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

from .words import Words

FINAL = frozenset(Sentencizer.default_punct_chars)
_CLOSING = frozenset({*"\"'”’»)]}", "''", "-RRB-", "-RSB-", "-RCB-"})
# The most words of a piece, unless a component takes even fewer. Sentences of this length exist.
LONGEST_PIECE = 200
# How probable it is that a sentence starts at a word.
_ANYWHERE, _AFTER_PUNCTUATION, _PROBABLE = range(3)


def split_long(docs: Sequence[Doc], words: Words, limit: int) -> Words:
    """Cut sentences that are too long.

    docs (Sequence[Doc]): The docs.
    words (Words): Their words.
    limit (int): The most words of a sentence.
    RETURNS (Words): The same words with more sentences; the argument if none is too long.
    """
    lengths = np.diff(words.starts)
    is_long = lengths > limit
    if not is_long.any():
        return words
    ranks = _rank_starts(docs, words)
    longest = min(limit, LONGEST_PIECE)
    new: list[int] = []
    for start, length in zip(words.starts[:-1][is_long], lengths[is_long], strict=True):
        new.extend(int(start) + at for at in _cut(ranks[start : start + length], longest))
    is_start = words.is_start.copy()
    is_start[np.flatnonzero(words.is_word)[new]] = True
    starts = np.union1d(words.starts, np.array(new)).astype(np.int32)
    return replace(words, starts=starts, is_start=is_start)


def _cut(ranks: np.ndarray, longest: int) -> Iterator[int]:
    """Where the pieces of a sentence start, the first one left out."""
    probable = np.flatnonzero(ranks[1:] == _PROBABLE) + 1
    for start, end in pairwise([0, *probable.tolist(), len(ranks)]):
        if start:
            yield start
        while end - start > longest:
            # The last one of the best places in the second half: pieces are not too short either.
            first = start + max(longest // 2, 1)
            window = ranks[first : start + longest + 1]
            start = first + int(np.flatnonzero(window == window.max())[-1])
            yield start


def _rank_starts(docs: Sequence[Doc], words: Words) -> np.ndarray:
    """For each word, how probable it is that a sentence starts with it."""
    ranks = np.full(len(words.orths), _ANYWHERE, np.int8)
    place = 0
    for doc in docs:
        is_final = is_punct = False
        n_lines = 0
        for token in doc:
            if token.is_space:
                n_lines += token.text.count("\n")
                continue
            if n_lines > 1 or (is_final and (n_lines or _may_start(token.text))):
                ranks[place] = _PROBABLE
            elif n_lines or (is_punct and not token.is_punct):
                ranks[place] = _AFTER_PUNCTUATION
            # What closes a quotation or a bracket belongs to what it closes.
            is_final = FINAL.issuperset(token.text) or (is_final and token.text in _CLOSING)
            is_punct = token.is_punct
            n_lines = 0
            place += 1
    return ranks


def _may_start(text: str) -> bool:
    """Whether a sentence may start like this, for all that capitals tell."""
    return not text[0].islower() and text not in _CLOSING and not FINAL.issuperset(text)
