"""Raw text of any length: a text, repeated with some of its words varied.

Plain repetition would bring no new words, and so favour whatever costs time or memory per word
type. In nature the number of types grows with a power of the length (Heaps' law), here with the
square root: in each copy after the first, as many of the rare types get new forms as there should
be new types. All occurrences of a type in a copy get the same form. Frequent words, which texts
share, stay as they are. The same text and length give the same result.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

POWER = 0.5
# A word is rare up to this number of occurrences in the text.
RARE = 20
# What the hashes of words are compared with.
SCALE = 1 << 16


def vary(sentences: Sequence[Sequence[str]], n_words: int) -> Iterator[list[str]]:
    """Repeat sentences until there are enough words.

    sentences (Sequence[Sequence[str]]): the words of each sentence.
    n_words (int): how many words there are at least, unless there are none at all.
    YIELDS (list[str]): the words of each sentence.
    """
    counts = Counter(word for sentence in sentences for word in sentence)
    rare = {word for word, count in counts.items() if count <= RARE and word.isalpha()}
    n_read = copy = 0
    while n_read < n_words and counts:
        varied = _varied(rare, len(counts), copy) if copy else frozenset()
        for sentence in sentences:
            if n_read >= n_words:
                return
            n_read += len(sentence)
            yield [f"{word}{_suffix(copy)}" if word in varied else word for word in sentence]
        copy += 1


def _varied(rare: Iterable[str], n_types: int, copy: int) -> frozenset[str]:
    """The rare words that get new forms in a copy: as many as there should be new types."""
    n_new = n_types * ((copy + 1) ** POWER - copy**POWER)
    rare = list(rare)
    limit = min(n_new / max(len(rare), 1), 1.0) * SCALE
    return frozenset(word for word in rare if crc32(f"{copy} {word}".encode()) % SCALE < limit)


def _suffix(copy: int) -> str:
    """Letters that tell copies apart."""
    letters = ""
    for _ in range(max(1, math.ceil(math.log(copy + 1, 26)))):
        copy, letter = divmod(copy, 26)
        letters += chr(ord("a") + letter)
    return f"qx{letters}"
