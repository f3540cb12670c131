"""Phrases as arrays -> `doc.spans["constituents"]`, with their confidences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from spacy.strings import get_string_id
from spacy.tokens import Doc, Span

from ...answers.constituents import store_partial_parses, store_span_confidences
from ...answers.records import all_characters
from ...trees.constituents import SPANS_KEY, set_constituents
from .._shared.words import Labels, Words


class Phrases(NamedTuple):
    """The phrases of a sentence, in pre-order, the outermost of a unary chain first.

    labels (np.ndarray): The numbers of their labels.
    starts (np.ndarray): Their first words; words count from the start of the sentence.
    ends (np.ndarray): The words after their last ones.
    """

    labels: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


_NO_PHRASES = Phrases(*(np.zeros(0, np.int32) for _ in Phrases._fields))


class PhraseWriter:
    """Writes phrases.

    labels (Sequence[str]): The labels, in the order of their numbers.
    """

    def __init__(self, labels: Sequence[str]):
        self.names = list(labels)
        self.labels = Labels(labels)
        self._ids = np.array([get_string_id(name) for name in labels], dtype=np.uint64)

    def write_all(
        self,
        docs: Sequence[Doc],
        words: Words,
        trees: Sequence[Phrases],
        *,
        confidences: Sequence[np.ndarray] | None = None,
        partial: Sequence[bool] = (),
    ) -> None:
        """Write the phrases of docs, in place of all constituents that they have. Whitespace within
        a phrase belongs to it, whitespace around it does not.

        docs (Sequence[Doc]): The docs; changed in place. Their vocabs know the labels.
        words (Words): The words of all docs.
        trees (Sequence[Phrases]): The phrases of each sentence of all docs.
        confidences (Optional[Sequence[np.ndarray]]): For each sentence, a confidence per phrase.
        partial (Sequence[bool]): For each sentence, whether its tree is not complete; if empty, all
            are complete.
        """
        phrases = Phrases(*map(np.concatenate, zip(_NO_PHRASES, *trees, strict=True)))
        tokens = np.flatnonzero(words.is_word)
        sizes = np.array([len(tree.labels) for tree in trees], dtype=np.int64)
        before = np.repeat(words.starts[:-1], sizes)
        starts, lasts = tokens[before + phrases.starts], tokens[before + phrases.ends - 1]
        doc_ends = np.cumsum([len(doc) for doc in docs], dtype=np.int64)
        counts = np.searchsorted(starts, doc_ends).tolist()
        labels = self._ids[phrases.labels].tolist()
        values = None if confidences is None else np.concatenate([[], *confidences]).tolist()
        characters = words.characters if len(words.characters) else all_characters(docs)
        places = _text_places(characters, starts, lasts)
        first = 0
        for doc, doc_end, last in zip(docs, doc_ends.tolist(), counts, strict=True):
            cut = slice(first, last)
            doc_start = doc_end - len(doc)
            rows = (starts[cut] - doc_start).tolist(), (lasts[cut] + 1 - doc_start).tolist()
            own = labels[cut]
            spans = [Span(doc, *row) for row in zip(*rows, own, strict=True)]
            set_constituents(doc, spans)
            store_span_confidences(doc, places[cut], own, None if values is None else values[cut])
            first = last
        self._write_partial(docs, doc_ends, words.starts, tokens, characters, partial)

    def _write_partial(
        self,
        docs: Sequence[Doc],
        doc_ends: np.ndarray,
        sentences: np.ndarray,
        tokens: np.ndarray,
        characters: np.ndarray,
        partial: Sequence[bool],
    ) -> None:
        """Keep with docs which sentences have no complete tree."""
        flagged = np.flatnonzero(partial)
        starts, lasts = tokens[sentences[flagged]], tokens[sentences[flagged + 1] - 1]
        places = _text_places(characters, starts, lasts)
        cuts = np.split(places, np.searchsorted(starts, doc_ends[:-1]))
        for doc, own in zip(docs, cuts, strict=False):
            store_partial_parses(doc, own)

    def annotate(self, phrases: Phrases, tokens: np.ndarray) -> dict[str, Any]:
        """The phrases of a sentence as they would be written to a doc.

        phrases (Phrases): The phrases.
        tokens (np.ndarray): Where the words of the sentence are among the tokens of the doc.
        RETURNS (dict): `constituents`: `[start, end, label]` for each phrase, in tokens.
        """
        starts = tokens[phrases.starts].tolist()
        ends = (tokens[phrases.ends - 1] + 1).tolist()
        names = [self.names[number] for number in phrases.labels.tolist()]
        return {SPANS_KEY: list(map(list, zip(starts, ends, names, strict=True)))}


def _text_places(characters: np.ndarray, firsts: np.ndarray, lasts: np.ndarray) -> np.ndarray:
    """First character and length of each span from one token to another."""
    begins = characters[firsts, 0]
    return np.stack([begins, characters[lasts].sum(axis=1) - begins], axis=1)
