"""Docs -> arrays of words and sentences, for decoders that know nothing of spaCy."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from spacy.attrs import IDX, IS_SPACE, LENGTH, ORTH, SENT_START
from spacy.tokens import Doc
from spacy.vocab import Vocab

_COLUMNS = [ORTH, SENT_START, IS_SPACE, IDX, LENGTH]

# Nothing is known about the places of tokens in the text.
NO_CHARACTERS = np.zeros((0, 2), np.uint64)
NO_CHARACTERS.flags.writeable = False


@dataclass(frozen=True)
class Words:
    """The words of some docs, one after the other, without whitespace tokens.

    orths (np.ndarray): Word hashes.
    starts (np.ndarray): Index of the first word of each sentence, then the number of words.
    is_word (np.ndarray): For each token of each doc, whether it is among the words.
    is_start (np.ndarray): For each token, whether a sentence or a doc begins with it.
    more (np.ndarray): Further attributes requested, a row per token.
    texts (Texts): The texts of the words.
    characters (np.ndarray): First character and length of each token, as records keep them.
    """

    orths: np.ndarray
    starts: np.ndarray
    is_word: np.ndarray
    is_start: np.ndarray
    more: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint64))
    texts: "Texts" = field(default_factory=lambda: Texts([]))
    characters: np.ndarray = field(default_factory=lambda: NO_CHARACTERS)

    @property
    def n_sentences(self) -> int:
        """RETURNS (int): The number of sentences with words."""
        return len(self.starts) - 1

    def places(self) -> np.ndarray:
        """RETURNS (np.ndarray): Number of words before each token, then the number of all words."""
        return np.concatenate([[0], np.cumsum(self.is_word)])

    def spread(self, values: np.ndarray, missing: float | int) -> np.ndarray:
        """Values per word -> values per token, with a filler at whitespace tokens.

        values (np.ndarray): One value, or row of values, per word.
        missing (float | int): The filler.
        RETURNS (np.ndarray): One value, or row of values, per token.
        """
        if len(values) == len(self.is_word):
            return values
        shape = (len(self.is_word), *values.shape[1:])
        spread = np.full(shape, missing, dtype=values.dtype)
        spread[self.is_word] = values
        return spread

    def sentence_bounds(self) -> list[int]:
        """RETURNS (list[int]): The first token of each sentence with words, then the number of
        tokens. A sentence of whitespace alone belongs to the one before, or else to the first.
        """
        firsts = np.flatnonzero(self.is_word)[self.starts[1:-1]]
        starts = np.flatnonzero(self.is_start)
        begins = starts[np.searchsorted(starts, firsts, side="right") - 1]
        return [0, *begins.tolist(), len(self.is_word)]

    def sentences(self) -> Iterator["Words"]:
        """YIELDS (Words): The sentences one by one, as if they had no whitespace tokens."""
        for start, end in pairwise(self.starts.tolist()):
            bounds = np.array([0, end - start], dtype=np.int32)
            is_word = np.ones(end - start, dtype=bool)
            yield Words(self.orths[start:end], bounds, is_word, ~is_word, texts=self.texts)

    def split(self, lengths: Sequence[int]) -> Iterator["Words"]:
        """Split the words by doc.

        lengths (Sequence[int]): The number of tokens of each doc.
        YIELDS (Words): The docs one by one.
        """
        places = self.places()
        end = 0
        for length in lengths:
            start, end = end, end + length
            first, last = int(places[start]), int(places[end])
            inner = slice(*np.searchsorted(self.starts, (first + 1, last)))
            bounds = [0, *(self.starts[inner] - first), last - first]
            yield Words(
                self.orths[first:last],
                np.unique(np.array(bounds, np.int32)),
                self.is_word[start:end],
                self.is_start[start:end],
                self.more[start:end],
                self.texts,
                self.characters[start:end],
            )


class Texts:
    """Looks up the texts of words by their hashes, which are the same in all vocabs.

    docs (Iterable[Doc]): The docs with the words. Each may have a vocab of its own.
    """

    def __init__(self, docs: Iterable[Doc]):
        self.vocabs = list({id(doc.vocab): doc.vocab for doc in docs}.values())

    def __call__(self, orth: int) -> str:
        """The text of a word.

        orth (int): Its hash.
        RETURNS (str): The text.
        """
        for vocab in self.vocabs[:-1]:
            with suppress(KeyError):
                return vocab.strings[orth]
        return self.vocabs[-1].strings[orth]


class Labels:
    """Labels that docs must know before they get them.

    names (Iterable[str]): The labels.
    morphs (Iterable[str]): Morphological features, as in `Number=Sing|Person=3`.
    """

    def __init__(self, names: Iterable[str], morphs: Iterable[str] = ()):
        self.names = tuple(names)
        self.morphs = tuple(morphs)
        # The last vocab that has got them for good.
        self._last: Vocab | None = None

    def add_to(self, texts: Texts) -> None:
        """Let the vocabs of docs know the labels: a sourced pipe keeps its old one.

        texts (Texts): The texts of the docs.
        """
        for vocab in texts.vocabs:
            if vocab is not self._last:
                for name in self.names:
                    vocab.strings.add(name)
                for features in self.morphs:
                    vocab.morphology.add(features)
                # What a vocab learns in a memory zone, it forgets after it.
                if not vocab.in_memory_zone:  # type: ignore[attr-defined]
                    self._last = vocab


@dataclass(frozen=True)
class PresetWords:
    """The words of some docs, some with tags given in advance.

    words (Words): Words and sentences.
    given (Optional[np.ndarray]): A tag per word, below 0 where it is free; None if all are free.
    """

    words: Words
    given: np.ndarray | None

    @property
    def n_sentences(self) -> int:
        """RETURNS (int): The number of sentences with words."""
        return self.words.n_sentences

    def sentences(self) -> Iterator[tuple[slice, np.ndarray | None]]:
        """YIELDS (tuple): Where each sentence is among the words, and what is given in it."""
        for start, end in pairwise(self.words.starts.tolist()):
            yield slice(start, end), None if self.given is None else self.given[start:end]

    def split(self, lengths: Sequence[int]) -> Iterator["PresetWords"]:
        """Split the words by doc.

        lengths (Sequence[int]): The number of tokens of each doc.
        YIELDS (PresetWords): The docs one by one.
        """
        for words, cut in with_cuts(self.words.split(lengths)):
            yield PresetWords(words, None if self.given is None else self.given[cut])


def with_cuts(parts: Iterable[Words]) -> Iterator[tuple[Words, slice]]:
    """Tell parts of a text where they are, for cutting what else is known word by word.

    parts (Iterable[Words]): All parts, in their order.
    YIELDS (tuple[Words, slice]): Each part, and where its words are among all.
    """
    end = 0
    for words in parts:
        start, end = end, end + len(words.orths)
        yield words, slice(start, end)


def read_words(docs: Sequence[Doc], more: Sequence[int] = ()) -> Words:
    """Words and sentences of docs. A doc without sentence boundaries is one sentence.

    docs (Sequence[Doc]): The docs.
    more (Sequence[int]): IDs of further token attributes to read.
    RETURNS (Words): Their words.
    """
    columns = [*_COLUMNS, *(attribute for attribute in more if attribute not in _COLUMNS)]
    empty = np.zeros((0, len(columns)), np.uint64)
    tokens = np.concatenate([empty, *(doc.to_array(columns) for doc in docs)])
    is_start = tokens[:, 1] == 1
    ends = np.cumsum([len(doc) for doc in docs], dtype=np.int64)
    is_start[ends[:-1][ends[:-1] < len(tokens)]] = True
    is_start[:1] = True
    is_word = tokens[:, 2] == 0
    n_words = int(is_word.sum())
    words_before = np.cumsum(is_word) - is_word
    starts = words_before[is_start]
    bounds = np.unique(np.concatenate([[0], starts, [n_words]])).astype(np.int32)
    return Words(
        np.ascontiguousarray(tokens[is_word, 0]),
        bounds,
        is_word,
        is_start,
        tokens[:, [columns.index(attribute) for attribute in more]],
        Texts(docs),
        tokens[:, 3:5],
    )
