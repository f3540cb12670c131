"""Several tags a word: what else a tagger's choice may be, for a parser that can overrule it.

A word seen often enough in training can have every tag that it had in a fair share of the cases. Of
other words, only the tagger's tag is known; they can also have the tags that it was most often
mistaken for. On the Wall Street Journal sample, that is 1.4 tags a word, with the right one among
them for six in ten of the words that are tagged wrongly.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import Errors
from ...features.string_ids import string_id
from .reader import TaggedWords

# A word seen this often is known.
KNOWN_COUNT = 5
# The smallest share of a known word's tags.
MIN_SHARE = 0.1
# How many (word, tag) pairs to remember.
MAX_REMEMBERED = 1 << 16


class WordReadings(NamedTuple):
    """The readings of words, the tagger's first.

    starts (np.ndarray): The first reading of each word, then the number of readings.
    tags (np.ndarray): Hash of the tag of each reading.
    given (np.ndarray): Whether it is the tagger's.
    scores (np.ndarray | None): What is added to the score of a tree that has the reading.
    """

    starts: np.ndarray
    tags: np.ndarray
    given: np.ndarray
    scores: np.ndarray | None = None


class TagCounts:
    """Counts tags, to find out what else words can be."""

    def __init__(self) -> None:
        self.words: dict[str, Counter[str]] = {}
        self.mistakes: dict[str, Counter[str]] = {}

    def add(self, words: Sequence[str], tags: Sequence[str], gold: Sequence[str | None]) -> None:
        """Count the words of a sentence.

        words (Sequence[str]): The words.
        tags (Sequence[str]): The tagger's tags.
        gold (Sequence[Optional[str]]): The right ones, None where they are not known.
        """
        for word, tag, right in zip(words, tags, gold, strict=True):
            if right:
                self.words.setdefault(word.lower(), Counter())[right] += 1
                if right != tag:
                    self.mistakes.setdefault(tag, Counter())[right] += 1

    def readings(self, max_tags: int) -> "Readings":
        """What was found.

        max_tags (int): The most tags a word can have.
        RETURNS (Readings): The tags that words can have besides the tagger's.
        """
        if max_tags == 1:
            return Readings({}, {}, max_tags=1)
        known = {
            word: [tag for tag, n in _ranked(tags) if n >= MIN_SHARE * tags.total()]
            for word, tags in self.words.items()
            if tags.total() >= KNOWN_COUNT
        }
        mistaken = {tag: [_ranked(right)[0][0]] for tag, right in self.mistakes.items()}
        return Readings(known, mistaken, max_tags=max_tags)


class Readings:
    """The tags that words can have besides the tagger's.

    words (Mapping[str, Sequence[str]]): Tags of known words, in lower case.
    mistaken (Mapping[str, Sequence[str]]): What other words with a tag can be.
    max_tags (int): The most tags a word can have.
    """

    def __init__(
        self,
        words: Mapping[str, Sequence[str]],
        mistaken: Mapping[str, Sequence[str]],
        *,
        max_tags: int,
    ):
        self._data = {"words": dict(words), "mistaken": dict(mistaken)}
        self.max_tags = max_tags
        self._words = {word: [string_id(tag) for tag in tags] for word, tags in words.items()}
        self._mistaken = {
            string_id(tag): [string_id(other) for other in tags] for tag, tags in mistaken.items()
        }
        self._remembered: dict[tuple[int, int], list[int]] = {}

    def __call__(self, words: TaggedWords) -> WordReadings:
        """The readings of words.

        words (TaggedWords): The words.
        RETURNS (WordReadings): Their readings.
        """
        if self.max_tags == 1:
            n = len(words)
            return WordReadings(np.arange(n + 1, dtype=np.int32), words.tags, np.ones(n, bool))
        texts = words.words.texts
        found: list[int] = []
        starts = [0]
        for pair in zip(words.words.orths.tolist(), words.tags.tolist(), strict=True):
            tags = self._remembered.get(pair)
            if tags is None:
                if len(self._remembered) >= MAX_REMEMBERED:
                    self._remembered = {}
                tags = self._remembered[pair] = self._list(texts(pair[0]).lower(), pair[1])
            found += tags
            starts.append(len(found))
        given = np.zeros(len(found), bool)
        given[starts[:-1]] = True
        return WordReadings(np.array(starts, np.int32), np.array(found, np.uint64), given)

    def _list(self, word: str, tag: int) -> list[int]:
        others = self._words.get(word)
        if others is None:
            others = self._mistaken.get(tag, [])
        return [tag, *(other for other in others if other != tag)][: self.max_tags]

    def names(self) -> set[str]:
        """RETURNS (set[str]): All tags that words can have besides the tagger's."""
        return {tag for lists in self._data.values() for tags in lists.values() for tag in tags}

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The readings as plain data, for JSON."""
        return {**self._data, "max_tags": self.max_tags}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Readings":
        """Read what `to_dict` returned.

        data (Mapping[str, Any]): Plain data.
        RETURNS (Readings): The readings.
        """
        try:
            words, mistaken, max_tags = data["words"], data["mistaken"], data["max_tags"]
            lists: Iterable[Any] = [*words.items(), *mistaken.items()]
            is_sound = type(max_tags) is int and max_tags >= 1
            for name, tags in lists:
                is_sound &= isinstance(name, str) and isinstance(tags, list)
                is_sound &= all(isinstance(tag, str) for tag in tags)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(Errors.READINGS_DAMAGED) from error
        if not is_sound:
            raise ValueError(Errors.READINGS_DAMAGED)
        return cls(words, mistaken, max_tags=max_tags)


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """Most frequent first; ties in the order of names."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
