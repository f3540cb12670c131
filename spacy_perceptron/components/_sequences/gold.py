"""What a tagger's training needs from the examples, computed once per gold Doc."""

from collections.abc import Callable

import numpy as np
from spacy.attrs import LOWER, ORTH, SENT_START
from spacy.training import Example

from .._shared.gold import PreparedSentences
from .._shared.words import read_words

# Words, gold tags and the probability of hiding each word.
TrainingSentence = tuple[np.ndarray, np.ndarray, np.ndarray]


class TrainingSentences(PreparedSentences):
    """Cuts examples into sentences with gold tags and hiding probabilities.

    attribute (int): The token attribute with the gold tags.
    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    gold_tags (Callable): Example -> gold label number per predicted token, -1 for none.
    """

    def __init__(
        self, attribute: int, *, hide_rare: float, gold_tags: Callable[[Example], np.ndarray]
    ):
        super().__init__(hide_rare)
        self.attribute = attribute
        self._gold_tags = gold_tags

    def __call__(self, example: Example) -> list[TrainingSentence]:
        """The sentences of an example, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[TrainingSentence]): Words, gold tags and hiding probabilities.
        """
        tags = example.reference.to_array(self.attribute)
        state = (example.predicted.to_array([ORTH, SENT_START]).tobytes(), tags.tobytes())
        known, sentences = self._prepared.get(example.reference, (None, []))
        if known != state:
            words = read_words([example.predicted])
            gold = self._gold_tags(example)[words.is_word]
            lower = example.predicted.to_array(LOWER)[words.is_word]
            hiding = np.array([self._hiding_probability(int(word)) for word in lower])
            sentences = [
                (words.orths[start:end], gold[start:end], hiding[start:end])
                for start, end in zip(words.starts[:-1], words.starts[1:], strict=True)
                if (gold[start:end] != -1).any()
            ]
            self._prepared[example.reference] = (state, sentences)
        return sentences
