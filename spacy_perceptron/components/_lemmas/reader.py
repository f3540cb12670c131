"""Docs -> words with all that a lemmatizer's features look at, as arrays."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import MORPH, POS, TAG
from spacy.morphology import Morphology
from spacy.strings import StringStore
from spacy.tokens import Doc, Token

from ...features.token_attributes import FIRST_VALUE, TokenAttributes
from ...features.word_attributes import WordAttributes
from .._shared.words import Words, read_words, with_cuts

# Attributes of tokens, besides those of texts, that templates can use.
TOKEN_ATTRIBUTES = {"tag": TAG, "pos": POS, "morph": MORPH}
# A word may have no features, or none may be known: both are the same to a template.
_NO_FEATURES = np.uint64(StringStore().add(Morphology.EMPTY_MORPH))


@dataclass(frozen=True)
class TaggedWords:
    """The words of some docs.

    words (Words): Words and sentences.
    values (np.ndarray): Values of token attributes, a row per word.
    """

    words: Words
    values: np.ndarray

    @property
    def n_sentences(self) -> int:
        """RETURNS (int): The number of sentences with words."""
        return self.words.n_sentences

    def split(self, lengths: Sequence[int]) -> Iterator["TaggedWords"]:
        """Split the words by doc.

        lengths (Sequence[int]): The number of tokens of each doc.
        YIELDS (TaggedWords): The docs one by one.
        """
        for words, cut in with_cuts(self.words.split(lengths)):
            yield TaggedWords(words, self.values[cut])


class LemmaReader:
    """Reads docs.

    names (Collection[str]): Attributes that templates use, of texts and tokens.
    make_attributes (Callable): Makes what computes attributes of texts.
    """

    def __init__(
        self,
        names: Collection[str],
        make_attributes: Callable[[Sequence[str]], WordAttributes] = WordAttributes,
    ):
        self.token_names = [name for name in TOKEN_ATTRIBUTES if name in names]
        word_names = sorted(set(names) - set(TOKEN_ATTRIBUTES))
        self.columns = {name: i for i, name in enumerate([*word_names, *self.token_names])}
        self._words = make_attributes(word_names)
        self.attributes = TokenAttributes(self._words, len(self.token_names))

    @property
    def token_attributes(self) -> list[int]:
        """RETURNS (list[int]): The ids of the token attributes that are read."""
        return [TOKEN_ATTRIBUTES[name] for name in self.token_names]

    def __call__(self, docs: Sequence[Doc]) -> TaggedWords:
        """Read docs.

        docs (Sequence[Doc]): The docs.
        RETURNS (TaggedWords): Their words.
        """
        words = read_words(docs, self.token_attributes)
        values = words.more[words.is_word]
        values[values == _NO_FEATURES] = 0
        return TaggedWords(words, values + np.uint64(FIRST_VALUE))

    def describe(self, attribute: str, token: Token) -> str:
        """RETURNS (str): What a template sees of a token."""
        if attribute not in TOKEN_ATTRIBUTES:
            return self._words.describe(attribute, token.text)
        value = str(token.morph) if attribute == "morph" else getattr(token, f"{attribute}_")
        return value or "<none>"
