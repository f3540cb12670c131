"""Words that always had the same tag in training, tagged without search."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
from spacy.strings import StringStore

from ...errors import Errors

# A dictionary word has one tag in all but this share of its occurrences.
IMPURITY = 0.002


def unambiguous_words(
    counts: Mapping[tuple[str, str], int], tags: Mapping[str, str], min_count: int
) -> dict[str, str]:
    """Words with one tag.

    counts (Mapping): How often each word has each label.
    tags (Mapping[str, str]): The tag of each label; labels without one do not count.
    min_count (int): Leave out words with fewer occurrences.
    RETURNS (dict[str, str]): Word -> tag.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (word, label), count in counts.items():
        if label in tags:
            found[word][tags[label]] += count
    dictionary = {}
    for word, own in found.items():
        (tag, n), total = own.most_common(1)[0], own.total()
        if total >= min_count and n >= total * (1 - IMPURITY):
            dictionary[word] = tag
    return dictionary


def check_dictionary(words: Any) -> None:
    """Raise ValueError if this is no dictionary from words to tags."""
    texts = [*words, *words.values()] if isinstance(words, dict) else [words]
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(Errors.MODEL_VALUE.format(name="dictionary", value=text))


class TagDictionary:
    """Looks up the tags of many words at once.

    words (Mapping[str, str]): Word -> tag.
    strings (StringStore): Hashes words and tags.
    label_numbers (Mapping[int, int]): Hash of a tag -> its number; tags without one are left out.
    """

    def __init__(
        self, words: Mapping[str, str], strings: StringStore, label_numbers: Mapping[int, int]
    ):
        pairs = sorted(
            (strings.add(word), label_numbers[strings.add(label)])
            for word, label in words.items()
            if strings.add(label) in label_numbers
        )
        self._orths = np.array([orth for orth, _ in pairs], np.uint64)
        self._tags = np.array([tag for _, tag in pairs], np.int32)

    def __call__(self, orths: np.ndarray) -> np.ndarray | None:
        """Tags of words.

        orths (np.ndarray): Word hashes.
        RETURNS (Optional[np.ndarray]): Tag numbers, -1 for words that are not in the dictionary;
            None if it is empty.
        """
        if not len(self._orths):
            return None
        index = np.minimum(np.searchsorted(self._orths, orths), len(self._orths) - 1)
        return np.where(self._orths[index] == orths, self._tags[index], -1).astype(np.int32)
