"""What the readers of all parsers share: they warn of docs that lack what a parser needs, and cut
sentences that are too long for it."""

import warnings
from collections.abc import Iterable, Sequence

import numpy as np
from spacy.tokens import Doc

from ...errors import Warnings
from .splitting import FINAL, split_long
from .words import Words

# The longest sentence of a parser that sets no limit of its own.
LONGEST_SENTENCE = 500
# Docs seem to have several sentences each if more than this share goes on after the end of one. In
# the training part of English EWT, 2% of single sentences do, 81% of pairs and 97% of fives.
SEVERAL_SHARE = 0.1


class WarningReader:
    """Warns once of docs without tags, and once of docs without sentence boundaries.

    longest (int): The most words of a sentence. Longer ones are cut.
    """

    def __init__(self, longest: int = LONGEST_SENTENCE) -> None:
        self.longest = longest
        self._warned: set[str] = set()

    def _warn_of_tags(self, parts: Iterable[np.ndarray]) -> None:
        """Warn once that words have no tags.

        parts (Iterable[np.ndarray]): The tags of words, 0 where there is none.
        """
        if "tags" in self._warned:
            return
        n_words = 0
        for tags in parts:
            if tags.any():
                return
            n_words += len(tags)
        if n_words:
            self._warned.add("tags")
            warnings.warn(Warnings.PARSER_NO_TAGS, stacklevel=5)

    def _split_long(self, docs: Sequence[Doc], words: Words) -> Words:
        """Cut sentences that are too long, and warn once that this was necessary.

        docs (Sequence[Doc]): The docs.
        words (Words): Their words.
        RETURNS (Words): Words in sentences that are short enough.
        """
        split = split_long(docs, words, self.longest)
        if split is not words and "sentences" not in self._warned:
            self._warned.add("sentences")
            n_words = int(np.diff(words.starts).max())
            message = Warnings.PARSER_SPLIT.format(n=n_words, limit=self.longest)
            warnings.warn(message, stacklevel=4)
        return split

    def _warn_of_sentences(self, docs: Sequence[Doc], words: Words, starts: np.ndarray) -> None:
        """Warn once that docs without sentence boundaries seem to have several sentences.

        docs (Sequence[Doc]): The docs.
        words (Words): Their words.
        starts (np.ndarray): What each token knows of the start of a sentence, 0 for nothing.
        """
        if "sentences" in self._warned or not len(words.orths):
            return
        unbounded = [docs[i] for i in _unbounded(docs, words, starts)]
        if sum(map(_goes_on, unbounded)) > SEVERAL_SHARE * len(unbounded):
            self._warned.add("sentences")
            warnings.warn(Warnings.PARSER_NO_SENTENCES, stacklevel=4)


def _goes_on(doc: Doc) -> bool:
    """Whether a word comes right after final punctuation or a newline. A sentence quoted within
    another one does not count: it ends with a quotation mark."""
    has_begun = is_over = False
    for token in doc:
        if token.is_space:
            is_over = is_over or (has_begun and "\n" in token.text)
        elif is_over and not token.is_punct:
            return True
        else:
            has_begun = True
            is_over = FINAL.issuperset(token.text)
    return False


def _unbounded(docs: Sequence[Doc], words: Words, starts: np.ndarray) -> list[int]:
    """The docs with several words about whose sentence boundaries nothing is known."""
    lengths = np.array([len(doc) for doc in docs])
    number = np.repeat(np.arange(len(docs)), lengths)
    is_first = np.diff(number, prepend=-1) > 0
    n_known = np.bincount(number, (starts != 0) & ~is_first, len(docs))
    n_words = np.bincount(number, words.is_word, len(docs))
    return np.flatnonzero((n_known == 0) & (n_words > 1)).tolist()
