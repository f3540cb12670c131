"""Docs -> what a constituency parser reads from them: words, tags, and how sure the tagger was."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import POS, SENT_START, TAG
from spacy.tokens import Doc

from ...answers.confidence import read_confidences
from ...trees.incremental_grammar import UNKNOWN_TAG
from .._shared.reading import WarningReader
from .._shared.words import Words, read_words, with_cuts

_COLUMNS = [TAG, POS, SENT_START]


@dataclass(frozen=True)
class TaggedWords:
    """The words of some docs with their tags.

    words (Words): The words and their sentences.
    tags (np.ndarray): Hash of each word's tag, or else of its coarse part of speech; 0: neither.
    sure (np.ndarray): How sure a tagger was of each tag; not a number where that is not known.
    """

    words: Words
    tags: np.ndarray
    sure: np.ndarray

    def __len__(self) -> int:
        return len(self.words.orths)

    @property
    def n_sentences(self) -> int:
        """RETURNS (int): The number of sentences with words."""
        return self.words.n_sentences

    def sentences(self) -> Iterator["TaggedWords"]:
        """YIELDS (TaggedWords): The sentences one by one."""
        yield from self._cut(self.words.sentences())

    def split(self, lengths: Sequence[int]) -> Iterator["TaggedWords"]:
        """Split the words by doc.

        lengths (Sequence[int]): The number of tokens of each doc.
        YIELDS (TaggedWords): The docs one by one.
        """
        yield from self._cut(self.words.split(lengths))

    def _cut(self, parts: Iterable[Words]) -> Iterator["TaggedWords"]:
        for words, cut in with_cuts(parts):
            yield TaggedWords(words, self.tags[cut], self.sure[cut])

    def word_texts(self) -> list[str]:
        """RETURNS (list[str]): The words as text."""
        return [self.words.texts(orth) for orth in self.words.orths.tolist()]

    def tag_texts(self) -> list[str]:
        """RETURNS (list[str]): The tags as text, that of unknown ones where there is none."""
        return [self.words.texts(tag) if tag else UNKNOWN_TAG for tag in self.tags.tolist()]


class TaggedReader(WarningReader):
    """Reads docs for a constituency parser."""

    def __call__(
        self, docs: Sequence[Doc], *, starts_given: bool = False, tags_given: bool = False
    ) -> TaggedWords:
        """Read docs.

        docs (Sequence[Doc]): The docs.
        starts_given (bool): Whether docs without sentence boundaries are meant to have none.
        tags_given (bool): Whether docs without tags are meant to have none, or none yet.
        RETURNS (TaggedWords): Their words.
        """
        words = self._split_long(docs, read_words(docs, _COLUMNS))
        values, sure = words.more, _read_sure(docs)
        if not starts_given:
            self._warn_of_sentences(docs, words, values[:, _COLUMNS.index(SENT_START)])
        if len(words.orths) < len(values):
            values, sure = values[words.is_word], sure[words.is_word]
        # The number of a part of speech is the hash of its name.
        found = TaggedWords(words, np.where(values[:, 0] != 0, values[:, 0], values[:, 1]), sure)
        if not tags_given:
            self.warn_of_tags([found])
        return found

    def warn_of_tags(self, parts: Iterable[TaggedWords]) -> None:
        """Warn once that words have no tags.

        parts (Iterable[TaggedWords]): The words.
        """
        self._warn_of_tags(words.tags for words in parts)


def tag_confidences(doc: Doc) -> np.ndarray | None:
    """RETURNS (Optional[np.ndarray]): How sure a tagger was of each token's tag, if known."""
    values = read_confidences(doc, "tag")
    return None if values is None else np.array(values, np.float64)


def _read_sure(docs: Sequence[Doc]) -> np.ndarray:
    """Confidences of all tokens."""
    sure = [np.zeros(0)]
    for doc in docs:
        known = tag_confidences(doc)
        sure.append(np.full(len(doc), np.nan) if known is None else known)
    return np.concatenate(sure)
