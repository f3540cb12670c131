"""What dependency parsers require of their decoders."""

from typing import Protocol

import numpy as np

from ...decode.arcs.input import ParsingInput
from ...decode.search.control import Control
from ...features.lexemes import LexemeTable

# Heads, label numbers and confidences or scores.
Trees = tuple[np.ndarray, np.ndarray, np.ndarray]


class TreeDecoder(Protocol):
    """Finds trees. Heads are numbered within their sentence: words count from 1, 0 is the root."""

    @property
    def control(self) -> Control:
        """RETURNS (Control): Lets other threads stop a search."""

    @property
    def longest(self) -> int:
        """RETURNS (int): The words of the longest sentence so far."""

    @property
    def lexemes(self) -> LexemeTable:
        """RETURNS (LexemeTable): The words that sentences are made of."""

    def parse(
        self, words: ParsingInput, starts: np.ndarray, *, scale: float = ..., k: int = ...
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Trees]]:
        """Parse sentences.

        words (ParsingInput): The words of all sentences.
        starts (int32 array): The first word of each sentence, and at the end the number of words.
        scale (float): What scores are multiplied by for confidences; 0 for no confidences.
        k (int): How many trees of each sentence to list; 0 for no lists.
        RETURNS (tuple): Head and label number of each word, the confidence of its head, and for
            each sentence that is not empty what `nbest` returns.
        """

    def nbest(self, sentence: ParsingInput, k: int) -> Trees:
        """The k best trees of a sentence.

        sentence (ParsingInput): The sentence; not empty.
        k (int): How many.
        RETURNS (tuple): Heads and label numbers, a row per tree, best first, and scores.
        """

    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None:
        """The best tree of a sentence in which a word has another head.

        sentence (ParsingInput): The sentence; not empty.
        word (int): A word, counted from 1.
        head (int): The head it must not have.
        RETURNS (tuple): Heads, label numbers and score; None if there is no such tree.
        """


def is_right(
    parsing: TreeDecoder, words: ParsingInput, heads: np.ndarray, labels: np.ndarray
) -> bool:
    """Whether a sentence is parsed as it should be, as far as that is known.

    parsing (TreeDecoder): The decoder.
    words (ParsingInput): The sentence.
    heads (np.ndarray): Gold heads, -1 for unknown.
    labels (np.ndarray): Gold label numbers, -1 for unknown.
    RETURNS (bool): Whether all that is known is right.
    """
    starts = np.array([0, len(heads)], dtype=np.int32)
    found_heads, found_labels, *_ = parsing.parse(words, starts)
    is_right = (heads < 0) | (found_heads == heads)
    is_labelled = (heads < 0) | (labels < 0) | (found_labels == labels)
    return bool((is_right & is_labelled).all())
