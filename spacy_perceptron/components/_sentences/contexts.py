"""Contexts of letter case and white space in which no sentence starts.

Most words are in lower case, after a space and another such word. In the training part of English
EWT, sentences start at 0.02 % of these words, and 74 % of all words are in contexts in which at
most 0.2 % start a sentence. So a segmenter need not look at them.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...answers.sentence_starts import START, UNKNOWN
from ...errors import Errors

# Values of the attribute `space`: what is between a word and the one before it. `wide` is more than
# one space, or a tab; nothing is before the first word.
SPACES = ("none", "space", "wide", "line break", "blank line")
# The case of a word: letters, all of them small; other letters; something else.
CASES = ("other", "lower", "letters")
# The case of the word before, that of the word itself, and the white space between them.
CONTEXTS = tuple(f"{a}, {b}, {space}" for a in CASES for b in CASES for space in SPACES)
# Contexts of fewer words are not known well enough.
MIN_WORDS = 500


def word_contexts(is_alpha: np.ndarray, is_lower: np.ndarray, spaces: np.ndarray) -> np.ndarray:
    """The contexts of words.

    is_alpha, is_lower (np.ndarray): Flags of each word.
    spaces (np.ndarray): The white space before it, an index of `SPACES`.
    RETURNS (np.ndarray): An index of `CONTEXTS` per word.
    """
    cases = np.where(is_alpha != 0, np.where(is_lower != 0, 1, 2), 0)
    before = np.concatenate([[0], cases[:-1]])[: len(cases)]
    return (before * len(CASES) + cases) * len(SPACES) + spaces


class ContextCounter:
    """Counts in which contexts sentences start."""

    def __init__(self) -> None:
        self._n_words = np.zeros(len(CONTEXTS), np.int64)
        self._n_starts = np.zeros(len(CONTEXTS), np.int64)

    def add(self, contexts: np.ndarray, starts: np.ndarray) -> None:
        """Count the words of a gold Doc, apart from the first one.

        contexts (np.ndarray): Their contexts.
        starts (np.ndarray): What is known about their being starts of sentences.
        """
        contexts, starts = contexts[1:], starts[1:]
        known = starts != UNKNOWN
        self._n_words += np.bincount(contexts[known], minlength=len(CONTEXTS))
        self._n_starts += np.bincount(contexts[starts == START], minlength=len(CONTEXTS))

    def quiet(self, max_share: float) -> list[str]:
        """Contexts in which hardly any sentence starts.

        max_share (float): In which at most this share of words does; 0 for no contexts at all.
        RETURNS (list[str]): Their names.
        """
        is_quiet = (self._n_words >= MIN_WORDS) & (self._n_starts <= max_share * self._n_words)
        return [CONTEXTS[i] for i in np.flatnonzero(is_quiet)] if max_share else []


def quiet_flags(names: Iterable[str]) -> np.ndarray:
    """RETURNS (np.ndarray): For each of `CONTEXTS`, whether it is among the named ones."""
    return np.isin(CONTEXTS, list(names))


def check_contexts(names: Any) -> None:
    """Refuse saved contexts that can't be used.

    names (Any): What was saved.
    """
    if not isinstance(names, list) or not all(name in CONTEXTS for name in names):
        raise ValueError(Errors.SENTER_CONTEXTS.format(names=names))
