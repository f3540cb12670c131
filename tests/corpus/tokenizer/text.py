"""Corpora for tokenizers, written as text."""

from collections.abc import Iterable

import spacy
from spacy.tokens import Doc


def docs_of(texts: Iterable[str]) -> list[Doc]:
    """Docs of texts in which `|` stands between words that follow each other without a space."""
    vocab = spacy.blank("xx").vocab
    docs = []
    for text in texts:
        words: list[str] = []
        spaces: list[bool] = []
        for chunk in text.split():
            parts = chunk.split("|")
            words.extend(parts)
            spaces.extend([False] * (len(parts) - 1) + [True])
        docs.append(Doc(vocab, words=words, spaces=spaces))
    return docs
