"""What templates can ask of a reading besides the attributes of its word.

`tag`; `given`: whether that is the tagger's; `punct`: whether the word is punctuation; `joined`:
the tag of the next word, after punctuation and conjunctions; `question`: whether the sentence ends
with a question mark. The last three are the punctuation features of Collins & Roark (2004).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ...features.punctuation import is_punctuation
from ...features.string_ids import string_id
from ...features.token_attributes import FIRST_VALUE
from .reader import TaggedWords
from .readings import WordReadings

TOKEN_ATTRIBUTES = ("tag", "given", "punct", "joined", "question")
# A question mark may be followed by quotation marks and brackets.
LAST_WORDS = 3
QUESTION_MARKS = frozenset("?？؟\u037e՞")


class ReadingColumns:
    """Computes the values of readings.

    names (Sequence[str]): Which of `TOKEN_ATTRIBUTES`, in the order of the columns.
    coordinators (Iterable[str]): The tags of conjunctions.
    """

    def __init__(self, names: Sequence[str], coordinators: Iterable[str]):
        self.names = tuple(names)
        self._coordinators = np.array([string_id(tag) for tag in sorted(coordinators)], np.uint64)

    def __call__(self, words: TaggedWords, readings: WordReadings) -> np.ndarray:
        """The values of readings.

        words (TaggedWords): The words of one or more sentences.
        readings (WordReadings): Their readings.
        RETURNS (uint64 array): A row per reading.
        """
        columns: dict[str, np.ndarray] = {"tag": readings.tags, "given": _flag(readings.given)}
        if {"punct", "joined", "question"}.intersection(self.names):
            columns |= self._punctuation(words, readings)
        return np.stack([columns[name] for name in self.names], axis=1).astype(np.uint64)

    def _punctuation(self, words: TaggedWords, readings: WordReadings) -> dict[str, np.ndarray]:
        word_of = np.repeat(np.arange(len(words)), np.diff(readings.starts))
        is_punct = np.array([is_punctuation(text) for text in words.word_texts()], bool)
        punct = is_punct[word_of]
        joins = punct | np.isin(readings.tags, self._coordinators)
        after = np.append(words.tags[1:], np.uint64(0))[word_of]
        question = np.zeros(len(words), bool)
        for start, end in pairwise(words.words.starts.tolist()):
            last = words.words.orths[max(start, end - LAST_WORDS) : end].tolist()
            question[start:end] = any(words.words.texts(x) in QUESTION_MARKS for x in last)
        return {
            "punct": _flag(punct),
            "joined": np.where(joins, after, np.uint64(FIRST_VALUE)),
            "question": _flag(question[word_of]),
        }


def _flag(values: np.ndarray) -> np.ndarray:
    return values + np.uint64(FIRST_VALUE)
