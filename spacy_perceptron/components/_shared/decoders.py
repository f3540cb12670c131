"""A pool of decoders: each works for one thread at a time, and all share weights and words."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ...decode.search.control import Control
from ...features.lexemes import LexemeTable
from .threads import n_cores, run_parts

Result = TypeVar("Result")
# The most word types that decoders remember, unless one batch has more.
MAX_WORDS = 1 << 14
# With several threads, sentences are handed out in parts of at least this many words; several parts
# a thread, so that none of them waits long for the last one.
MIN_WORDS = 64
PARTS_PER_THREAD = 4


class Decoder(Protocol):
    """What finds answers for sentences and keeps scratch memory between them."""

    @property
    def control(self) -> Control:
        """RETURNS (Control): Lets other threads stop a search."""

    @property
    def longest(self) -> int:
        """RETURNS (int): The words of the longest sentence so far: scratch memory grows with it."""


DecoderType = TypeVar("DecoderType", bound=Decoder)


class Decoders(Generic[DecoderType]):
    """Decoders over one state of the weights. Neither the weights nor the rows of words that are
    there ever change: what changes them makes new decoders.

    make (Callable): Lexeme table -> a decoder that reads it.
    n_attributes (int): The number of attributes in the lexeme table.
    longest (int): A decoder that has met a longer sentence than this is not used again, so that its
        memory is freed.
    max_words (int): The most word types that the table can hold.
    """

    def __init__(
        self,
        make: Callable[[LexemeTable], DecoderType],
        n_attributes: int,
        *,
        longest: int,
        max_words: int = MAX_WORDS,
    ):
        self._make = make
        self.longest = longest
        self.lexemes = LexemeTable(n_attributes, max_rows=max_words)
        self._free: list[DecoderType] = []
        self._renew()

    def _renew(self) -> None:
        """Allow at most one decoder at work per core, because each needs memory."""
        self._turns = threading.Semaphore(n_cores())
        self._process = os.getpid()

    def with_room(self, n_words: int) -> "Decoders[DecoderType]":
        """New decoders over the same weights, with an empty lexeme table.

        n_words (int): The number of words that must fit in.
        RETURNS (Decoders): The decoders.
        """
        # Two rows stand for the places before and after a sentence.
        max_words = max(MAX_WORDS, n_words + 2)
        n_attributes, longest = self.lexemes.n_attributes, self.longest
        return Decoders(self._make, n_attributes, longest=longest, max_words=max_words)

    @contextmanager
    def borrow(self) -> Iterator[DecoderType]:
        """Use a decoder, alone. Whoever has one must not ask for another.

        YIELDS (Decoder): The decoder.
        """
        if self._process != os.getpid():
            self._renew()
        with self._turns:
            try:
                decoder = self._free.pop()
            except IndexError:
                decoder = self._make(self.lexemes)
            try:
                yield decoder
            finally:
                if decoder.longest <= self.longest:
                    self._free.append(decoder)

    def run(
        self, work: Callable[[DecoderType, Any], Result], parts: Sequence[Any], n_threads: int
    ) -> list[Result]:
        """Work on parts of a text in several threads.

        work (Callable): Decoder and part -> result.
        parts (Sequence): The parts.
        n_threads (int): How many threads.
        RETURNS (list): The results, in the order of the parts.
        """
        at_work: set[DecoderType] = set()
        # A decoder that was given back may be at work for somebody else.
        guard = threading.Lock()

        def borrow_and_work(part: Any) -> Result:
            with self.borrow() as decoder:
                with guard:
                    at_work.add(decoder)
                try:
                    return work(decoder, part)
                finally:
                    with guard:
                        at_work.discard(decoder)

        def stop() -> None:
            with guard:
                for decoder in at_work:
                    decoder.control.stop()

        return run_parts(borrow_and_work, parts, n_threads, stop=stop)


def cut_sentences(starts: np.ndarray, n_threads: int) -> list[tuple[int, int]]:
    """Divide sentences among threads.

    starts (np.ndarray): The first word of each sentence, then the number of words.
    n_threads (int): How many threads, at least 1.
    RETURNS (list[tuple[int, int]]): The first sentence of each part, and the one after its last.
    """
    n_words, n_sentences = int(starts[-1]), len(starts) - 1
    n_parts = min(PARTS_PER_THREAD * n_threads if n_threads > 1 else 1, n_words // MIN_WORDS)
    if n_parts < 2:
        return [(0, n_sentences)]
    places = np.searchsorted(starts, np.linspace(0, n_words, n_parts + 1))
    bounds = np.unique(np.concatenate([[0], places, [n_sentences]]))
    return list(pairwise(bounds.tolist()))
