"""What a recognizer's training needs from the examples, computed once per gold Doc."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from spacy.attrs import ENT_IOB, ENT_TYPE, LOWER, ORTH, POS, SENT_START, TAG
from spacy.training import Example

from .._shared.gold import PreparedSentences
from .reader import EntityWords

_STATE = [ORTH, SENT_START, TAG, POS, ENT_IOB, ENT_TYPE]


@dataclass(frozen=True)
class EntitySentence:
    """One sentence to learn from.

    orths, values (np.ndarray): Its words and the values of token attributes.
    gold (np.ndarray): Gold tags, below 0 where unknown.
    given (Optional[np.ndarray]): Tags of existing entities.
    hiding (np.ndarray): The probability of hiding each word.
    """

    orths: np.ndarray
    values: np.ndarray
    gold: np.ndarray
    given: np.ndarray | None
    hiding: np.ndarray


class EntitySentences(PreparedSentences):
    """Cuts examples into sentences with gold tags.

    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    read (Callable): Example -> its words, and gold tags compatible with the given ones.
    """

    def __init__(
        self, *, hide_rare: float, read: Callable[[Example], tuple[EntityWords, np.ndarray]]
    ):
        super().__init__(hide_rare)
        self._read = read

    def __call__(self, example: Example) -> list[EntitySentence]:
        """The sentences of an example with gold tags, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[EntitySentence]): The sentences.
        """
        state = (
            example.predicted.to_array(_STATE).tobytes(),
            example.reference.to_array([ORTH, ENT_IOB, ENT_TYPE]).tobytes(),
        )
        known, sentences = self._prepared.get(example.reference, (None, []))
        if known != state:
            read, gold = self._read(example)
            lower = example.predicted.to_array(LOWER)[read.words.is_word]
            hiding = np.array([self._hiding_probability(int(word)) for word in lower])
            sentences = [
                EntitySentence(read.words.orths[at], read.values[at], gold[at], given, hiding[at])
                for at, given in read.sentences()
                if (gold[at] >= 0).any()
            ]
            self._prepared[example.reference] = (state, sentences)
        return sentences
