"""Docs -> arrays of words and sentences, for decoders that know nothing of spaCy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import IS_SPACE, ORTH, SENT_START
from spacy.tokens import Doc

# What is read of every token, before anything else.
WORD_COLUMNS: list[int | str] = [ORTH, SENT_START, IS_SPACE]


@dataclass(frozen=True)
class Words:
    """The words of some docs, one after the other, without whitespace tokens.

    orths (np.ndarray): Word hashes.
    starts (np.ndarray): Index of the first word of each sentence, and at last the number of words.
    is_word (np.ndarray): For each token of each doc, whether it is among the words.
    is_start (np.ndarray): For each token, whether a sentence or a doc begins with it.
    """

    orths: np.ndarray
    starts: np.ndarray
    is_word: np.ndarray
    is_start: np.ndarray

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


def read_words(docs: Sequence[Doc]) -> Words:
    """Words and sentences of docs. A doc without sentence boundaries is one sentence.

    docs (Sequence[Doc]): The docs.
    RETURNS (Words): Their words.
    """
    return words_of(docs, read_tokens(docs, WORD_COLUMNS))


def read_tokens(docs: Sequence[Doc], columns: list[int | str]) -> np.ndarray:
    """Attributes of the tokens of docs.

    docs (Sequence[Doc]): The docs.
    columns (list[int | str]): Ids of the attributes, two or more.
    RETURNS (np.ndarray): A row per token, a column per attribute.
    """
    empty = np.zeros((0, len(columns)), np.uint64)
    return np.concatenate([empty, *(doc.to_array(columns) for doc in docs)])


def words_of(docs: Sequence[Doc], tokens: np.ndarray) -> Words:
    """Words and sentences, from the tokens of docs.

    docs (Sequence[Doc]): The docs.
    tokens (np.ndarray): What `read_tokens` has read of them, first the `WORD_COLUMNS`.
    RETURNS (Words): Their words.
    """
    is_start = tokens[:, 1] == 1
    ends = np.cumsum([len(doc) for doc in docs], dtype=np.int64)
    is_start[ends[:-1][ends[:-1] < len(tokens)]] = True
    is_start[:1] = True
    is_word = tokens[:, 2] == 0
    n_words = int(is_word.sum())
    words_before = np.cumsum(is_word) - is_word
    starts = words_before[is_start]
    bounds = np.unique(np.concatenate([[0], starts, [n_words]])).astype(np.int32)
    return Words(np.ascontiguousarray(tokens[is_word, 0]), bounds, is_word, is_start)
