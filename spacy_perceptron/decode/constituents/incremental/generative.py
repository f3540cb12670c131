"""The generative model of trees and words, from left to right.

The probability of a tree is the product over its events, in the order in which an incremental
parser builds it: each node, end and tag given what is to its left and above it, and each word given
its tag as well (Roark 2001). Nothing is conditioned on words to come, so the probabilities of all
trees over the first words of a sentence sum to that of these words.

Collins & Roark (2004) condition on the atoms of their templates, without those of the look-ahead.
The contexts here have the head that c-commands the next child, and its tag, in place of the head of
the node itself: on the Wall Street Journal sample (dev), 1.21 bits per node instead of 1.26.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from ....errors import Errors
from ....features.known_words import KnownWords
from ....learn.backoff import BackoffModel
from ....learn.interpolation import fit_backoff

# The most important atoms first: back-off drops the last ones first.
CONTEXTS: Final = (
    "n.label c.label p.label k.tag d.label s.label k.known e.label g.label t.label",
    "q.tag n.label c.label k.tag k.known p.label d.label",
)
N_FOLDS: Final = 10


@dataclass(frozen=True)
class GenerativeModel:
    """Probabilities of events.

    nodes (BackoffModel): Of the next child of a node: a phrase, a tag or the end.
    words (BackoffModel): Of a word under its tag.
    """

    nodes: BackoffModel
    words: BackoffModel

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, dict]): The model as numbers and arrays."""
        return {"nodes": self.nodes.to_arrays(), "words": self.words.to_arrays()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Mapping[str, Any]]) -> "GenerativeModel":
        """Read what `to_dict` returned. Raises ValueError if it is damaged."""
        try:
            return cls(BackoffModel(**data["nodes"]), BackoffModel(**data["words"]))
        except (KeyError, TypeError) as error:
            raise ValueError(Errors.BACKOFF_DAMAGED) from error


# The events of a sentence, as `EventReader` finds them: those of nodes and those of words.
SentenceEvents = tuple[np.ndarray, np.ndarray]


def fit_generative(sentences: Iterable[SentenceEvents], known: KnownWords) -> GenerativeModel:
    """Estimate a generative model.

    sentences (Iterable[SentenceEvents]): The events of each sentence, in the order of the corpus.
    known (KnownWords): The words of these sentences.
    RETURNS (GenerativeModel): The model.
    """
    sentences = list(sentences)
    parts = np.arange(len(sentences)) * N_FOLDS // max(len(sentences), 1)
    nodes, words = (
        (
            np.concatenate([events[kind] for events in sentences]),
            np.repeat(parts, [len(events[kind]) for events in sentences]),
        )
        for kind in range(2)
    )
    return GenerativeModel(
        nodes=fit_backoff(nodes[0][:, :-1], nodes[0][:, -1], nodes[1]),
        words=fit_backoff(*known.share_hapaxes(words[0][:, :-1], words[0][:, -1], words[1])),
    )


def divide(texts: Sequence[Sequence[str]], n_parts: int = N_FOLDS) -> list[int]:
    """Divide a corpus into parts of about the same size. Equal sentences are in the same part.

    texts (Sequence[Sequence[str]]): The words of each sentence.
    n_parts (int): The number of parts.
    RETURNS (list[int]): The part of each sentence: i * n_parts // n for sentence i of n, unless the
        same words were in an earlier sentence.
    """
    n = len(texts)
    first: dict[tuple[str, ...], int] = {}
    return [first.setdefault(tuple(words), i * n_parts // n) for i, words in enumerate(texts)]


def fit_folds(
    sentences: Sequence[SentenceEvents], texts: Sequence[Sequence[str]], parts: Sequence[int]
) -> list[tuple[KnownWords, GenerativeModel]]:
    """Estimate a model for each part of a corpus from all other parts, so that none has seen the
    sentences it scores.

    sentences (Sequence[SentenceEvents]): The events of each sentence, with all words known.
    texts (Sequence[Sequence[str]]): The words of each sentence.
    parts (Sequence[int]): The part of each sentence, as `divide` returns them.
    RETURNS (list[tuple[KnownWords, GenerativeModel]]): For each part, the words of the others and
        the model.
    """
    everything = KnownWords.from_sentences(texts)
    models = []
    for part in range(max(parts, default=-1) + 1):
        kept = [i for i, own in enumerate(parts) if own != part]
        known = KnownWords.from_sentences(texts[i] for i in kept)
        renamed = everything.newly_rare(known)
        events = [tuple(_rename(*pair, renamed) for pair in enumerate(sentences[i])) for i in kept]
        models.append((known, fit_generative(cast(list[SentenceEvents], events), known)))
    return models


def _rename(kind: int, events: np.ndarray, renamed: Mapping[int, int]) -> np.ndarray:
    """Put other values in the place of words in contexts."""
    column = CONTEXTS[kind].split().index("k.known")
    events = events.copy()
    events[:, column] = [renamed.get(value, value) for value in events[:, column].tolist()]
    return events
