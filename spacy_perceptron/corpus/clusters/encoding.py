"""Texts as numbers: every word type gets an id, and the ids of a text go to a temporary file.

Word types are counted with their digits folded to 0 and their case kept. A text is read once. What
stays in memory is the dictionary of types; the ids of a block of text are written to the disk and
read again a block at a time. Cost: O(n) time and four bytes of disk for n words.
"""

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from .texts import Words

# Stands before and behind sentences, as often as a window reaches beyond a word.
BOUNDARY = 0
BLOCK_SIZE = 1 << 20
_DIGIT = re.compile(r"\d")


def fold_digits(word: str) -> str:
    """RETURNS (str): The word with all digits as 0."""
    return _DIGIT.sub("0", word)


class _Ids(dict[str, int]):
    """Ids of words, made when they are asked for. All words that are folded alike share one."""

    def __init__(self) -> None:
        self.words: list[str] = [""]

    def __missing__(self, word: str) -> int:
        folded = fold_digits(word)
        if folded == word:
            found = len(self.words)
            self.words.append(word)
        else:
            found = self[folded]
        self[word] = found
        return found


@dataclass
class EncodedText:
    """A text as ids.

    words (list[str]): The word of each id.
    counts (np.ndarray): How often it occurs.
    file (IO[bytes]): The ids in the order of the text, with boundaries around sentences.
    """

    words: list[str]
    counts: np.ndarray
    file: IO[bytes]

    def blocks(self, overlap: int) -> Iterator[np.ndarray]:
        """Read the ids again.

        overlap (int): How many ids each block repeats of the one before; the first block starts
            with as many boundaries.
        YIELDS (np.ndarray): The ids of each block.
        """
        self.file.seek(0)
        rest = np.full(overlap, BOUNDARY, dtype=np.int32)
        while True:
            block = np.frombuffer(self.file.read(4 * BLOCK_SIZE), dtype=np.int32)
            if not len(block):
                return
            block = np.concatenate([rest, block])
            yield block
            rest = block[len(block) - overlap :]


def encode(sentences: Iterable[Words], file: IO[bytes], *, window: int) -> EncodedText:
    """Number the words of a text.

    sentences (Iterable[Words]): The words of each sentence.
    file (IO[bytes]): Where to write the ids; must be empty and stay open.
    window (int): How many boundaries stand between sentences.
    RETURNS (EncodedText): The text.
    """
    ids = _Ids()
    buffer = array("i")
    boundaries = [BOUNDARY] * window
    for words in sentences:
        buffer.extend(map(ids.__getitem__, words))
        buffer.extend(boundaries)
        if len(buffer) >= BLOCK_SIZE:
            buffer.tofile(file)
            del buffer[:]
    buffer.tofile(file)
    counts = np.zeros(len(ids.words), dtype=np.int64)
    text = EncodedText(ids.words, counts, file)
    for block in text.blocks(0):
        counts += np.bincount(block, minlength=len(counts))
    counts[BOUNDARY] = 0
    return text
