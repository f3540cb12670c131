"""Tagging inside the chart: words have the tags that they have in the treebank, with their
probabilities, whatever a tagger says."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ....errors import Errors
from ....features.string_ids import string_id
from ....trees.pcfg.word_tags import WordTags
from ..gold import GoldSentence
from ..reader import TaggedWords
from ..readings import Readings, WordReadings

MAX_REMEMBERED = 1 << 16


def count_tags(sentences: Iterable[GoldSentence]) -> WordTags:
    """RETURNS (WordTags): The tags of words, as sentences have them."""
    counts: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for word, tag in zip(sentence.words.word_texts(), sentence.tags, strict=True):
            if tag:
                counts.setdefault(word, Counter())[tag] += 1
    return WordTags(counts)


class LexicalReadings:
    """The tags that words can have by a lexicon.

    tags (WordTags): The lexicon.
    max_tags (int): The most tags a word can have.
    """

    def __init__(self, tags: WordTags, *, max_tags: int):
        self.max_tags = max_tags
        self._tags = tags
        self._remembered: dict[int, tuple[list[int], list[float]]] = {}

    def __call__(self, words: TaggedWords) -> WordReadings:
        """The readings of words.

        words (TaggedWords): The words.
        RETURNS (WordReadings): Their readings, the most likely ones first, and their scores. A
            lexicon without words leaves the tagger's.
        """
        if not self._tags.counts:
            n = len(words)
            places, scores_of_none = np.arange(n + 1, dtype=np.int32), np.zeros(n, np.float32)
            return WordReadings(places, words.tags, np.ones(n, bool), scores_of_none)
        texts = words.words.texts
        found: list[int] = []
        scores: list[float] = []
        starts = [0]
        for orth in words.words.orths.tolist():
            own = self._remembered.get(orth)
            if own is None:
                if len(self._remembered) >= MAX_REMEMBERED:
                    self._remembered = {}
                pairs = self._tags(texts(orth), self.max_tags)
                own = [string_id(tag) for tag, _ in pairs], [score for _, score in pairs]
                self._remembered[orth] = own
            found += own[0]
            scores += own[1]
            starts.append(len(found))
        tags = np.array(found, np.uint64)
        given = tags == np.repeat(words.tags, np.diff(starts))
        return WordReadings(np.array(starts, np.int32), tags, given, np.array(scores, np.float32))

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The readings as plain data, for JSON."""
        return {"lexicon": self._tags.to_dict(), "max_tags": self.max_tags}


def read_readings(data: Mapping[str, Any]) -> Readings | LexicalReadings:
    """Read what `to_dict` of either kind of readings returned.

    data (Mapping[str, Any]): Plain data.
    RETURNS (Union[Readings, LexicalReadings]): The readings.
    """
    if not isinstance(data, Mapping) or "lexicon" not in data:
        return Readings.from_dict(data)
    max_tags = data.get("max_tags")
    if type(max_tags) is not int or max_tags < 1:
        raise ValueError(Errors.READINGS_DAMAGED)
    return LexicalReadings(WordTags.from_dict(data["lexicon"]), max_tags=max_tags)
