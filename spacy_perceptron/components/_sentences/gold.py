"""What training needs from the examples, computed once per gold Doc.

A Doc is cut into parts of a few dozen words, so that one mistake does not make a search go over the
whole Doc again. The words around a part, as far as features look, come along with their gold tags
given: features are the same as in the whole Doc.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from spacy.attrs import LOWER, ORTH, SENT_START, SPACY
from spacy.training import Example

from ...answers.sentence_starts import INSIDE, START, gold_starts
from .._shared.gold import PreparedSentences
from .reader import INSIDE_TAG, START_TAG, SenterWords

# The words of a part, and how far features look beyond it.
PART, CONTEXT = 40, 5


@dataclass(frozen=True)
class SenterPart:
    """A part of a Doc to learn from.

    orths, values (np.ndarray): Its words and the values of token attributes.
    gold (np.ndarray): Gold tags, below 0 where unknown.
    given (np.ndarray): Tags given in advance, below 0 where free.
    hiding (np.ndarray): The probability of hiding each word.
    """

    orths: np.ndarray
    values: np.ndarray
    gold: np.ndarray
    given: np.ndarray
    hiding: np.ndarray


class SenterParts(PreparedSentences):
    """Cuts examples into parts with gold tags.

    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    read (Callable): Example -> its words, as if no boundaries were known but those of quiet
        contexts.
    """

    def __init__(self, *, hide_rare: float, read: Callable[[Example], SenterWords]):
        super().__init__(hide_rare)
        self._read = read

    def __call__(self, example: Example) -> list[SenterPart]:
        """The parts of an example with gold tags, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[SenterPart]): The parts.
        """
        state = (
            example.predicted.to_array([ORTH, SPACY]).tobytes(),
            example.reference.to_array([ORTH, SENT_START]).tobytes(),
        )
        known, parts = self._prepared.get(example.reference, (None, []))
        if known != state:
            parts = list(self._cut(example))
            self._prepared[example.reference] = (state, parts)
        return parts

    def _cut(self, example: Example) -> Iterator[SenterPart]:
        read = self._read(example)
        gold = gold_tags(example, read)
        lower = example.predicted.to_array(LOWER)[read.words.is_word]
        hiding = np.array([self._hiding_probability(int(word)) for word in lower])
        given = read.given
        assert given is not None
        # A start in a quiet context is left to be learned.
        settled = np.where((gold == START_TAG) & (given == INSIDE_TAG), -1, given)
        n_words = len(gold)
        for start in range(0, n_words, PART):
            end = min(start + PART, n_words)
            first, last = max(start - CONTEXT, 0), min(end + CONTEXT, n_words)
            at = slice(first, last)
            tags = gold[at].copy()
            tags[start - first : end - first] = settled[start:end]
            if ((gold[at] >= 0) & (tags < 0)).any():
                yield SenterPart(read.words.orths[at], read.values[at], gold[at], tags, hiding[at])


def gold_tags(example: Example, read: SenterWords) -> np.ndarray:
    """Gold tags of the words of the doc to predict on.

    example (Example): The example.
    read (SenterWords): The words.
    RETURNS (np.ndarray): A tag per word, -1 where it is unknown.
    """
    starts = read.word_starts(gold_starts(example))
    tags = np.select([starts == START, starts == INSIDE], [START_TAG, INSIDE_TAG], -1)
    return tags.astype(np.int32)
