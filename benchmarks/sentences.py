"""Tagged sentences as plain data, for all systems alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence with their gold tags (XPOS)."""

    words: list[str]
    spaces: list[bool]
    tags: list[str]


def count_words(sentences: Sequence[Sentence]) -> int:
    """The number of words in all sentences together."""
    return sum(len(sentence.words) for sentence in sentences)


def resegment(sentences: Sequence[Sentence], length: int, total: int) -> list[Sentence]:
    """Join sentences and cut them again into ones of exactly `length` words.

    sentences (Sequence[Sentence]): the sentences to join; repeated when they are too few.
    length (int): words in each result.
    total (int): words in all results together, rounded down to a multiple of the length.
    RETURNS (list[Sentence]): the artificial sentences, at least one.
    """
    words = [word for sentence in sentences for word in sentence.words]
    spaces = [space for sentence in sentences for space in sentence.spaces]
    tags = [tag for sentence in sentences for tag in sentence.tags]
    copies = -(-max(total, length) // len(words))
    words, spaces, tags = words * copies, spaces * copies, tags * copies
    starts = range(0, max(total // length, 1) * length, length)
    return [
        Sentence(words[i : i + length], spaces[i : i + length], tags[i : i + length])
        for i in starts
    ]
