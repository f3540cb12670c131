"""The words of a training corpus, as generative models count them.

A model that generates words needs a probability for those it has never seen. They are generated as
their classes, and words seen once in training count in part as theirs. In contexts, a word must
have been seen twice to be worth its own counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from .word_classes import word_class

# The attributes that `KnownWords` gives a word: as an outcome, and in a context.
KNOWN_WORD_ATTRIBUTES: Final = ("emitted", "known")
# How much of a word seen once counts as its class. On the Wall Street Journal sample (dev), bits
# per word are within 0.01 of the best from 0.5 to 0.9.
CLASS_SHARE: Final = 0.75


class KnownWords:
    """Words with their counts.

    counts (Mapping[str, int]): How often each word was seen.
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = dict(counts)

    @classmethod
    def from_sentences(cls, sentences: Iterable[Iterable[str]]) -> "KnownWords":
        """sentences (Iterable[Iterable[str]]): The words of the training corpus."""
        return cls(Counter(word for words in sentences for word in words))

    def __call__(self, word: str) -> list[int]:
        """RETURNS (list[int]): The values of KNOWN_WORD_ATTRIBUTES."""
        count = self.counts.get(word, 0)
        own, shared = hash_string(word), class_value(word)
        return [own if count else shared, own if count > 1 else shared]

    def to_dict(self) -> dict[str, list[str]]:
        """RETURNS (dict[str, list[str]]): What the values depend on, as plain data."""
        return {
            "once": [word for word, count in self.counts.items() if count == 1],
            "more": [word for word, count in self.counts.items() if count > 1],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Iterable[str]]) -> "KnownWords":
        """Read what `to_dict` returned."""
        return cls({**dict.fromkeys(data["once"], 1), **dict.fromkeys(data["more"], 2)})

    def newly_rare(self, other: "KnownWords") -> dict[int, int]:
        """RETURNS (dict[int, int]): The words that only this corpus has more than once: the value
        of each, and of its class."""
        return {
            hash_string(word): class_value(word)
            for word, count in self.counts.items()
            if count > 1 >= other.counts.get(word, 0)
        }

    def share_hapaxes(
        self, contexts: np.ndarray, outcomes: np.ndarray, folds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Let words seen once count in part as their classes.

        contexts, outcomes, folds (arrays): Events whose outcomes are words, as `fit_backoff` takes
            them.
        RETURNS (tuple): All arguments of `fit_backoff`.
        """
        classes = {
            hash_string(word): class_value(word)
            for word, count in self.counts.items()
            if count == 1
        }
        shared = np.array([classes.get(int(outcome), 0) for outcome in outcomes], np.uint64)
        rare = np.flatnonzero(shared)
        weights = np.ones(len(outcomes) + len(rare))
        weights[rare] = 1 - CLASS_SHARE
        weights[len(outcomes) :] = CLASS_SHARE
        return (
            np.concatenate([contexts, contexts[rare]]),
            np.concatenate([outcomes, shared[rare]]),
            np.concatenate([folds, folds[rare]]),
            weights,
        )


def class_value(word: str) -> int:
    """RETURNS (int): A value for the class of a word that no word has."""
    return hash_string(f"\0{word_class(word)}")
