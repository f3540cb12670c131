"""Attributes of a token that depend on more than its text: tags, list matches, sentence casing.

A word together with its other values is one type. The lexeme table holds it under a hash of all
these values, so caches of scores by word type work for these attributes too.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

# Number of words whose text attributes are cached: the same word occurs with different values.
MAX_WORDS = 1 << 14
_MULTIPLIER = np.uint64(0x9FB21C651E98DF25)
_SHIFT = np.uint64(32)
# 1 and 2 stand for places outside a sentence, 0 for no value.
FIRST_VALUE = 3
# Hashes and what computes the values of a new one -> rows, as `lookup` and `extend` of tables.
LookUp = Callable[[np.ndarray, Callable[[int], Sequence[int]]], np.ndarray | None]


class TextAttributes(Protocol):
    """What computes attributes of a word from its text, such as `WordAttributes`."""

    @property
    def names(self) -> Sequence[str]:
        """RETURNS (Sequence[str]): The attributes, in column order."""

    def __call__(self, text: str) -> list[int]:
        """RETURNS (list[int]): One value per name."""


class TokenAttributes:
    """Rows of a lexeme table for words with further values.

    words (TextAttributes): The attributes of the text.
    n_values (int): Number of further values per token; their columns come last.
    """

    def __init__(self, words: TextAttributes, n_values: int):
        self.words = words
        self.n_values = n_values
        self._known: dict[int, Sequence[int]] = {}

    @property
    def n_attributes(self) -> int:
        """RETURNS (int): The number of columns of the lexeme table."""
        return len(self.words.names) + self.n_values

    def forget(self) -> None:
        """Drop all words met so far."""
        self._known.clear()

    def rows(
        self, orths: np.ndarray, values: np.ndarray, texts: Callable[[int], str], look_up: LookUp
    ) -> np.ndarray | None:
        """Rows of tokens, adding types not yet known.

        orths (np.ndarray): Word hashes.
        values (np.ndarray): Further values, n x n_values (uint64).
        texts (Callable): Word hash -> text.
        look_up (Callable): A method of the lexeme table.
        RETURNS (Optional[np.ndarray]): What it returns: one row number per token.
        """
        if not self.n_values:
            return look_up(orths, lambda orth: self.words(texts(orth)))
        keys = hash_columns(orths, values)
        places: dict[int, int] = {}

        def compute(key: int) -> list[int]:
            if not places:
                places.update(zip(keys.tolist(), range(len(keys)), strict=True))
            i = places[key]
            return [*self._word_values(int(orths[i]), texts), *values[i].tolist()]

        return look_up(keys, compute)

    def _word_values(self, orth: int, texts: Callable[[int], str]) -> Sequence[int]:
        found = self._known.get(orth)
        if found is None:
            if len(self._known) >= MAX_WORDS:
                self._known.clear()
            # A fifth of the memory of a list.
            found = self._known[orth] = array("Q", self.words(texts(orth)))
        return found

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_known": {}}


def hash_columns(orths: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Hash each row to one 64-bit value.

    orths (np.ndarray): The first column (uint64).
    values (np.ndarray): The others, n x m (uint64).
    RETURNS (np.ndarray): The hashes.
    """
    keys = orths.copy()
    for column in range(values.shape[1]):
        keys = (keys ^ (keys >> _SHIFT) ^ values[:, column]) * _MULTIPLIER
    return np.ascontiguousarray(keys)


# Values of the attribute `casing`.
CASINGS = ("mixed", "upper", "title", "lower")


def sentence_casing(
    is_lower: np.ndarray, is_upper: np.ndarray, is_title: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    """The casing of each word's sentence.

    `upper`: no lower-case words and at least two in capitals; `title`, as in headlines: at least
    three words with a capital initial, and no more lower-case ones; `lower`: no capitals at all;
    `mixed`: everything else.

    is_lower, is_upper, is_title (np.ndarray): The case of each word, as numbers 0 and 1.
    starts (np.ndarray): Where each sentence starts, then the number of words.
    RETURNS (np.ndarray): An index of `CASINGS` per word.
    """
    if not len(is_lower):
        return np.zeros(0, np.int64)
    first = starts[:-1].astype(np.int64)
    lower, upper, title = (
        np.add.reduceat(flags.astype(np.int64), first) for flags in (is_lower, is_upper, is_title)
    )
    casing = np.select(
        [(lower == 0) & (upper > 1), (title > 2) & (title >= lower), (upper + title) == 0],
        [1, 2, 3],
    )
    return np.repeat(casing, np.diff(starts))
