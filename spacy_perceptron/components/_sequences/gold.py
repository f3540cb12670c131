"""What a tagger's training needs of the examples, computed once per gold Doc."""

from collections import Counter
from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import LOWER, ORTH, SENT_START
from spacy.tokens import Doc
from spacy.training import Example

from ..words import read_words

# Words, gold tags and the probability of hiding each word.
TrainingSentence = tuple[np.ndarray, np.ndarray, np.ndarray]


class ReferenceCache(WeakKeyDictionary):
    """What was computed from a gold Doc, for as long as the Doc lives.

    spaCy gives `update` the same gold Docs in every epoch. A pickled cache is empty: the other
    process has other Docs.
    """

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()


class PreparedSentences:
    """Sentences computed once per gold Doc, and how often their words occur.

    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    """

    def __init__(self, hide_rare: float):
        self.hide_rare = hide_rare
        self._prepared = ReferenceCache()
        self._word_counts: Counter[int] = Counter()

    def forget(self) -> None:
        """Start anew: other labels or another corpus."""
        self._prepared.clear()

    def reset_counts(self) -> None:
        """Forget how often words occur."""
        self._word_counts.clear()
        self._prepared.clear()

    def count(self, reference: Doc) -> None:
        """Count the words of a training Doc.

        reference (Doc): The gold Doc.
        """
        self._word_counts.update(reference.to_array(LOWER).tolist())

    def _hiding_probability(self, word: int) -> float:
        # Without counts, as in a sourced pipe, no word is known to be rare.
        count = self._word_counts.get(word)
        return self.hide_rare / (self.hide_rare + count) if count and self.hide_rare else 0.0


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
