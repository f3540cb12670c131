"""Docs -> arrays of words and sentences, for decoders that know nothing of spaCy."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from spacy.attrs import IS_SPACE, ORTH, SENT_START
from spacy.tokens import Doc

_COLUMNS: list[int | str] = [ORTH, SENT_START, IS_SPACE]


@dataclass(frozen=True)
class Words:
    """The words of some docs, one after the other, without whitespace tokens.

    orths (np.ndarray): Word hashes.
    starts (np.ndarray): Index of the first word of each sentence, and at last the number of words.
    is_word (np.ndarray): For each token of each doc, whether it is among the words.
    is_start (np.ndarray): For each token, whether a sentence or a doc begins with it.
    more (np.ndarray): Further attributes that were asked for, a row per token.
    """

    orths: np.ndarray
    starts: np.ndarray
    is_word: np.ndarray
    is_start: np.ndarray
    more: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint64))

    def places(self) -> np.ndarray:
        """RETURNS (np.ndarray): Number of words before each token, and at last all words."""
        return np.concatenate([[0], np.cumsum(self.is_word)])

    def spread(self, values: np.ndarray, missing: float | int) -> np.ndarray:
        """Values per word -> values per token, with a filler at whitespace tokens.

        values (np.ndarray): One value per word.
        missing (float | int): The filler.
        RETURNS (np.ndarray): One value per token.
        """
        if len(values) == len(self.is_word):
            return values
        spread = np.full(len(self.is_word), missing, dtype=values.dtype)
        spread[self.is_word] = values
        return spread

    def sentence_bounds(self) -> list[int]:
        """RETURNS (list[int]): The first token of each sentence with words, and at last the number
        of tokens. Sentences of whitespace alone belong to the one before, or else to the first.
        """
        firsts = np.flatnonzero(self.is_word)[self.starts[1:-1]]
        starts = np.flatnonzero(self.is_start)
        begins = starts[np.searchsorted(starts, firsts, side="right") - 1]
        return [0, *begins.tolist(), len(self.is_word)]


def read_words(docs: Sequence[Doc], more: Sequence[int] = ()) -> Words:
    """Words and sentences of docs. A doc without sentence boundaries is one sentence.

    docs (Sequence[Doc]): The docs.
    more (Sequence[int]): IDs of further token attributes to read.
    RETURNS (Words): Their words.
    """
    columns = [*_COLUMNS, *more]
    empty = np.zeros((0, len(columns)), np.uint64)
    tokens = np.concatenate([empty, *(doc.to_array(columns) for doc in docs)])
    is_start = tokens[:, 1] == 1
    ends = np.cumsum([len(doc) for doc in docs], dtype=np.int64)
    is_start[ends[:-1][ends[:-1] < len(tokens)]] = True
    is_start[:1] = True
    is_word = tokens[:, 2] == 0
    n_words = int(is_word.sum())
    words_before = np.cumsum(is_word) - is_word
    starts = words_before[is_start]
    bounds = np.unique(np.concatenate([[0], starts, [n_words]])).astype(np.int32)
    return Words(
        np.ascontiguousarray(tokens[is_word, 0]),
        bounds,
        is_word,
        is_start,
        tokens[:, len(_COLUMNS) :],
    )
