"""Docs -> words with everything an entity recognizer's features look at, as arrays."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from spacy.attrs import ENT_IOB, ENT_TYPE, IS_LOWER, IS_TITLE, IS_UPPER, POS, TAG
from spacy.tokens import Doc, Token

from ...features.token_attributes import (
    CASINGS,
    FIRST_VALUE,
    TokenAttributes,
    sentence_casing,
)
from ...features.word_attributes import WordAttributes
from .._shared.splitting import split_long
from .._shared.words import PresetWords, Words, read_words
from .gazetteer import Gazetteer
from .tags import EntityTags, find_spans, given_tags
from .writer import forget_own, is_given

# Attributes of tokens, besides those of texts, that templates can use.
TOKEN_ATTRIBUTES = ("tag", "pos", "listed", "casing")
# What each of them is read from, besides texts.
_SOURCES: dict[str, list[int]] = {
    "tag": [TAG],
    "pos": [POS],
    "listed": [],
    "casing": [IS_LOWER, IS_UPPER, IS_TITLE],
}


@dataclass(frozen=True)
class EntityWords(PresetWords):
    """The words of some docs; `given` has the tags of existing entities.

    values (np.ndarray): Values of token attributes, a row per word.
    """

    values: np.ndarray


class EntityReader:
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
        self._read: list[int] = [ENT_IOB, ENT_TYPE]
        self._places: dict[str, slice] = {}
        for name in self.token_names:
            start = len(self._read)
            self._read += _SOURCES[name]
            self._places[name] = slice(start, len(self._read))

    def __call__(
        self,
        docs: Sequence[Doc],
        tags: EntityTags,
        gazetteer: Gazetteer,
        own: str,
        *,
        longest: int,
    ) -> EntityWords:
        """Read docs.

        docs (Sequence[Doc]): The docs.
        tags (EntityTags): The tags, to encode existing entities.
        gazetteer (Gazetteer): The lists of names.
        own (str): Name of the component: entities that it has written itself do not count.
        longest (int): The most words of a sentence. Longer ones are cut.
        RETURNS (EntityWords): Their words.
        """
        words = split_long(docs, read_words(docs, self._read), longest)
        forget_own(docs, words.more[:, :2], own)
        values = np.zeros((len(words.orths), len(self.token_names)), np.uint64)
        more = words.more[words.is_word]
        for column, name in enumerate(self.token_names):
            found = more[:, self._places[name]]
            if name == "casing":
                lower, upper, title = found.T
                casing = sentence_casing(lower, upper, title, words.starts)
                values[:, column] = FIRST_VALUE + casing
            elif name == "listed":
                values[:, column] = self._list_matches(docs, words, gazetteer)
            else:
                values[:, column] = found[:, 0] + np.uint64(FIRST_VALUE)
        return EntityWords(words, self._given(docs, words, tags), values)

    def describe(self, attribute: str, token: Token, values: np.ndarray) -> str:
        """What a template sees of a token.

        attribute (str): One of the attributes.
        token (Token): The token.
        values (np.ndarray): Its row of values.
        RETURNS (str): The value as text.
        """
        if attribute not in TOKEN_ATTRIBUTES:
            return self._words.describe(attribute, token.text)
        if attribute in ("tag", "pos"):
            return getattr(token, f"{attribute}_") or "<none>"
        value = int(values[self.token_names.index(attribute)])
        if attribute == "casing":
            return CASINGS[value - FIRST_VALUE]
        return "<none>" if value == FIRST_VALUE else token.vocab.strings[value]

    def _list_matches(self, docs: Sequence[Doc], words: Words, gazetteer: Gazetteer) -> np.ndarray:
        if not gazetteer:
            return np.full(len(words.orths), FIRST_VALUE, np.uint64)
        keys: list[int] = []
        for doc, own in zip(docs, words.split([len(doc) for doc in docs]), strict=True):
            strings = doc.vocab.strings
            texts = [strings[orth] for orth in own.orths.tolist()]
            for start, end in pairwise(own.starts.tolist()):
                for match in gazetteer(texts[start:end], doc.vocab):
                    keys.append(strings.add(match) if match else FIRST_VALUE)
        return np.array(keys, dtype=np.uint64)

    def _given(self, docs: Sequence[Doc], words: Words, tags: EntityTags) -> np.ndarray | None:
        if not is_given(words.more).any():
            return None
        iob, types = words.more[:, 0], words.more[:, 1]
        spans = []
        start = 0
        for doc in docs:
            end = start + len(doc)
            for first, last, label in find_spans(
                iob[start:end].tolist(), types[start:end].tolist()
            ):
                spans.append(
                    (start + first, start + last, doc.vocab.strings[label] if label else "")
                )
            start = end
        return given_tags(tags, spans, words)
