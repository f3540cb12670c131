"""Annotated sentences as plain data, the same for all systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

ROOT_HEAD = -1
ROOT_LABEL = "ROOT"
Constituent = tuple[str, int, int]


@dataclass(frozen=True)
class Sentence:
    """The words of a sentence with their gold annotation.

    words (list[str]): the words.
    spaces (list[bool]): whether a space follows.
    tags (list[str]): gold tags (XPOS).
    heads (list[int]): index of every word's gold head, ROOT_HEAD for the root; or empty.
    labels (list[str]): gold label of every word's arc, ROOT_LABEL for the root's.
    punct (list[bool]): whether the word is punctuation (gold UPOS).
    pos (list[str]): gold coarse tags (UPOS); or empty.
    constituents (list[Constituent]): gold phrases: label, start and end; or empty.
    """

    words: list[str]
    spaces: list[bool]
    tags: list[str]
    heads: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    punct: list[bool] = field(default_factory=list)
    pos: list[str] = field(default_factory=list)
    constituents: list[Constituent] = field(default_factory=list)


@dataclass(frozen=True)
class Analysis:
    """What a system predicts for a sentence; heads and labels as in `Sentence`."""

    tags: list[str]
    heads: list[int]
    labels: list[str]


@dataclass(frozen=True)
class PhraseAnalysis:
    """The phrases that a system predicts for a sentence; constituents as in `Sentence`.

    is_partial (bool): whether its grammar has no complete tree for the sentence.
    """

    tags: list[str]
    constituents: list[Constituent]
    is_partial: bool = False


def count_words(sentences: Sequence[Sentence]) -> int:
    """The number of words in all sentences together."""
    return sum(len(sentence.words) for sentence in sentences)


def resegment(sentences: Sequence[Sentence], length: int, total: int) -> list[Sentence]:
    """Join sentences and cut them anew into sentences of exactly `length` words, without trees.

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


def first_words(sentences: Sequence[Sentence], n_words: int) -> list[Sentence]:
    """The first sentences, until they have at least `n_words` words."""
    chosen: list[Sentence] = []
    total = 0
    for sentence in sentences:
        if total >= n_words:
            break
        chosen.append(sentence)
        total += len(sentence.words)
    return chosen
