"""Attributes of words that tell what punctuation says about a sentence, for the templates that
Collins & Roark (2004) add to those of a generative model.

`punct`: whether the word is punctuation. `question`: whether the last punctuation of the sentence
is a question mark. `joined`: the tag of the next word, if this one is punctuation or a conjunction.
Words of any language are punctuation if Unicode calls all their characters that.
"""

import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

PUNCTUATION_ATTRIBUTES: Final = ("punct", "question", "joined")
# 0 stands for no value, 1 and 2 for places outside a sentence.
NO, YES = 3, 4
# Question marks of Latin, Greek, Arabic, full-width, Ethiopic and Armenian script.
_QUESTION_MARKS: Final = frozenset("?\u037e\u061f\uff1f\u1367\u055e")
# Punctuation to Unicode, but read aloud; and the other way round.
_WORDS: Final = frozenset("%&@#*\u2030\u00a7\uff05\uff06")
_MARKS: Final = frozenset("`\u00b4")


@lru_cache(1 << 14)
def is_punctuation(word: str) -> bool:
    """RETURNS (bool): Whether a word is nothing but punctuation."""
    return all(
        char in _MARKS or (unicodedata.category(char)[0] == "P" and char not in _WORDS)
        for char in word
    )


def punctuation_values(
    words: Sequence[str], tags: Sequence[int], conjunctions: Collection[int]
) -> np.ndarray:
    """Find the attributes of a sentence's words.

    words (Sequence[str]): The words.
    tags (Sequence[int]): The values of their tags, above YES.
    conjunctions (Collection[int]): The tags of coordinating conjunctions.
    RETURNS (uint64 array): A row of PUNCTUATION_ATTRIBUTES per word.
    """
    marks = [is_punctuation(word) for word in words]
    last = next((w for w, is_mark in zip(words[::-1], marks[::-1], strict=True) if is_mark), "")
    question = YES if not _QUESTION_MARKS.isdisjoint(last) else NO
    values = []
    for i, is_mark in enumerate(marks):
        joins = is_mark or tags[i] in conjunctions
        following = tags[i + 1] if i + 1 < len(words) else YES
        values.append((YES if is_mark else NO, question, following if joins else NO))
    return np.array(values, np.uint64).reshape(-1, len(PUNCTUATION_ATTRIBUTES))
