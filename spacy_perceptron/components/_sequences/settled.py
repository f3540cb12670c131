"""Words that a tag says all about: with it, they had the same label whenever training had them.

Most words of a text are among them, and need no second step.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from spacy.strings import StringStore

from ...errors import Errors
from ...features.token_attributes import hash_columns

# How often training must have a word with a tag.
MIN_COUNT = 10


def find_settled(
    counts: Mapping[tuple[str, str], int], labels: Sequence[str], tag_of: np.ndarray
) -> dict[str, list[str]]:
    """Find words that are settled by their tag.

    counts (Mapping): How often each word has each label.
    labels (Sequence[str]): The labels.
    tag_of (np.ndarray): The tag of each.
    RETURNS (dict[str, list[str]]): Word -> labels, the only ones it has with their tags. Labels
        that are alone with their tag are not among them.
    """
    numbers = {label: i for i, label in enumerate(labels)}
    n_labels = Counter(tag_of.tolist())
    found: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
    for (word, label), count in counts.items():
        if label in numbers:
            found[word, int(tag_of[numbers[label]])][label] = count
    settled: dict[str, list[str]] = defaultdict(list)
    for (word, tag), own in sorted(found.items()):
        if len(own) == 1 and n_labels[tag] > 1 and sum(own.values()) >= MIN_COUNT:
            settled[word] += own
    return dict(settled)


def check_settled(words: Any) -> None:
    """Raise ValueError if this is no dictionary from words to lists of labels."""
    lists: Iterable[Any] = words.values() if isinstance(words, dict) else [None]
    if not all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in lists):
        raise ValueError(Errors.MODEL_VALUE.format(name="settled", value=words))


class SettledWords:
    """Looks up the labels of many tagged words at once.

    words (Mapping[str, Sequence[str]]): Word -> labels.
    labels (Sequence[str]): All labels.
    tag_of (np.ndarray): The tag of each.
    strings (StringStore): Hashes words.
    """

    def __init__(
        self,
        words: Mapping[str, Sequence[str]],
        labels: Sequence[str],
        tag_of: np.ndarray,
        strings: StringStore,
    ):
        numbers = {label: i for i, label in enumerate(labels)}
        pairs = [
            (strings.add(word), numbers[label])
            for word, own in words.items()
            for label in own
            if label in numbers
        ]
        orths = np.array([orth for orth, _ in pairs], np.uint64)
        found = np.array([label for _, label in pairs], np.int32)
        keys = _keys(orths, tag_of[found])
        order = np.argsort(keys)
        self._keys, self._labels = keys[order], found[order]

    def __call__(self, orths: np.ndarray, tags: np.ndarray) -> np.ndarray | None:
        """Labels of tagged words.

        orths (np.ndarray): Word hashes.
        tags (np.ndarray): Their tags.
        RETURNS (Optional[np.ndarray]): Label numbers, -1 for words that are not settled; None if
            none are.
        """
        if not len(self._keys):
            return None
        keys = _keys(orths, tags)
        index = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[index] == keys, self._labels[index], -1).astype(np.int32)


def _keys(orths: np.ndarray, tags: np.ndarray) -> np.ndarray:
    return hash_columns(orths, tags.astype(np.uint64)[:, None])
