"""The tags that words can have, with log P(word | tag): the lexicon of a treebank without the
splits of its tags."""

import math
from collections.abc import Mapping
from typing import Any

from ...errors import Errors
from .annotation import Symbol
from .lexicon import Lexicon

# Words up to this frequency also stand for unknown ones.
RARE = 2
# How much wider classes of words count.
STRENGTH = 1.0


class WordTags:
    """Finds the tags of words.

    counts (Mapping[str, Mapping[str, int]]): How often each word has each tag.
    """

    def __init__(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        self.counts = counts
        words = [
            (word, Symbol(tag, "", ""))
            for word, tags in counts.items()
            for tag, n in tags.items()
            for _ in range(n)
        ]
        self._lexicon = Lexicon(words, lambda tag, word: "", rare=RARE, strength=STRENGTH)

    def __reduce__(self) -> tuple:
        return WordTags, (self.counts,)

    def __call__(self, word: str, max_tags: int) -> list[tuple[str, float]]:
        """The tags that a word can have.

        word (str): The word.
        max_tags (int): The most tags to find.
        RETURNS (list[tuple[str, float]]): The most likely tags of the word, with log P(word | tag)
            up to a term that they share. None if there are no counts.
        """
        if not self.counts:
            return []
        totals = self._lexicon.tag_counts
        found = sorted(
            self._lexicon.tag_logs(word),
            key=lambda item: (-item[1] - math.log(totals[item[0]]), item[0]),
        )
        return found[:max_tags]

    def to_dict(self) -> dict[str, dict[str, int]]:
        """RETURNS (dict[str, dict[str, int]]): The counts, for JSON."""
        return {word: dict(tags) for word, tags in self.counts.items()}

    @classmethod
    def from_dict(cls, data: Any) -> "WordTags":
        """Read what `to_dict` returned.

        data (Any): Plain data.
        RETURNS (WordTags): The tags of words.
        """
        is_sound = isinstance(data, dict) and all(
            isinstance(word, str) and isinstance(tags, dict) for word, tags in data.items()
        )
        is_sound = is_sound and all(
            isinstance(tag, str) and type(n) is int and n > 0
            for tags in data.values()
            for tag, n in tags.items()
        )
        if not is_sound:
            raise ValueError(Errors.READINGS_DAMAGED)
        return cls(data)
