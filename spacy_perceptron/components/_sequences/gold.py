"""What a tagger's training needs from the examples, computed once per gold Doc."""

from collections.abc import Callable, Sequence

import numpy as np
from spacy.attrs import LOWER, ORTH, SENT_START
from spacy.training import Example

from .._shared.gold import PreparedSentences
from .._shared.words import read_words

# Words, what gold says about them and the probability of hiding each word.
TrainingSentence = tuple[np.ndarray, np.ndarray, np.ndarray]


class TrainingSentences(PreparedSentences):
    """Cuts examples into sentences with gold and hiding probabilities.

    attributes (Sequence[int]): The token attributes with the gold.
    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    gold (Callable): Example -> a row of numbers per predicted token, -1 for what is not known.
    """

    def __init__(
        self,
        attributes: Sequence[int],
        *,
        hide_rare: float,
        gold: Callable[[Example], np.ndarray],
    ):
        super().__init__(hide_rare)
        self.attributes: list[int | str] = [*attributes]
        self._gold = gold

    def __call__(self, example: Example) -> list[TrainingSentence]:
        """The sentences of an example, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[TrainingSentence]): Words, gold and hiding probabilities.
        """
        values = example.reference.to_array(self.attributes)
        state = (example.predicted.to_array([ORTH, SENT_START]).tobytes(), values.tobytes())
        known, sentences = self._prepared.get(example.reference, (None, []))
        if known != state:
            words = read_words([example.predicted])
            gold = self._gold(example)[words.is_word]
            lower = example.predicted.to_array(LOWER)[words.is_word]
            hiding = np.array([self._hiding_probability(int(word)) for word in lower])
            sentences = [
                (words.orths[start:end], gold[start:end], hiding[start:end])
                for start, end in zip(words.starts[:-1], words.starts[1:], strict=True)
                if (gold[start:end] != -1).any()
            ]
            self._prepared[example.reference] = (state, sentences)
        return sentences
