"""The brackets of predicted and gold trees, sentence by sentence; `trees.evalb` says what counts.

Brackets are compared by the characters they cover, without white space and punctuation, so the two
sides may have different tokens; where they have the same, this is the same as comparing words.
Sentences are those of the gold Doc; a predicted bracket belongs to the one in which it starts.
Cost: O(characters + brackets).
"""

from bisect import bisect_right
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example

from ..trees.constituents import SPANS_KEY, Constituent
from ..trees.evalb import PUNCTUATION, count_crossing, counted_brackets, right_brackets


@dataclass
class SentenceBrackets:
    """The brackets of a sentence that count, as label, start and end.

    gold (list[tuple[str, int, int]]): Gold brackets.
    predicted (list[tuple[str, int, int]]): Predicted ones.
    """

    gold: list[Constituent] = field(default_factory=list)
    predicted: list[Constituent] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int, int]:
        """RETURNS (tuple[int, int, int]): Numbers of right, predicted and gold brackets."""
        n_right = right_brackets(self.gold, self.predicted).total()
        return n_right, len(self.predicted), len(self.gold)

    @property
    def is_exact(self) -> bool:
        """RETURNS (bool): Whether both sides have the same brackets."""
        n_right, n_predicted, n_gold = self.counts
        return n_right == n_predicted == n_gold

    @property
    def n_crossing(self) -> int:
        """RETURNS (int): How many predicted brackets cross a gold one."""
        return count_crossing(self.gold, self.predicted)


def has_constituents(doc: Doc) -> bool:
    """RETURNS (bool): Whether a Doc has constituents, though perhaps no phrase."""
    return SPANS_KEY in doc.spans


def read_brackets_of_sentences(
    example: Example, punctuation: Collection[str] = PUNCTUATION
) -> list[SentenceBrackets]:
    """Read the brackets of both sides.

    example (Example): Prediction and gold.
    punctuation (Collection[str]): Gold tags of words that do not count.
    RETURNS (list[SentenceBrackets]): One item per gold sentence with at least one word that counts;
        nothing without gold constituents.
    """
    gold = example.reference
    if not has_constituents(gold):
        return []
    # Characters that count before each token, and in all, on both sides.
    counts = _mark_characters(gold, lambda token: token.tag_ not in punctuation)
    before = np.concatenate([[0], np.cumsum(counts)])
    gold_positions = before[_boundaries(gold)].tolist()
    boundaries = _boundaries(example.predicted)
    if boundaries[-1] != len(counts):
        # Other text: spaCy explains.
        _ = example.alignment
    predicted_positions = before[boundaries].tolist()
    sentences, starts = [], []
    for start, end in _sentences(gold):
        if gold_positions[start] < gold_positions[end]:
            sentences.append(SentenceBrackets())
            starts.append(gold_positions[start])
    for bracket in _read(gold, gold_positions):
        sentences[bisect_right(starts, bracket[1]) - 1].gold.append(bracket)
    for bracket in _read(example.predicted, predicted_positions):
        sentences[bisect_right(starts, bracket[1]) - 1].predicted.append(bracket)
    return sentences


def _read(doc: Doc, positions: list[int]) -> list[Constituent]:
    rows = ((span.label_, span.start, span.end) for span in doc.spans.get(SPANS_KEY, ()))
    return counted_brackets(rows, positions)


def _mark_characters(doc: Doc, counts: Callable[[Token], bool]) -> np.ndarray:
    """RETURNS (np.ndarray): For each character that is not white space, whether it counts."""
    tokens = np.array([counts(token) for token in doc], dtype=bool)
    return np.repeat(tokens, np.diff(_boundaries(doc)))


def _boundaries(doc: Doc) -> np.ndarray:
    """RETURNS (np.ndarray): The number of characters before each token and in all, without white
    space.
    """
    lengths = [len("".join(token.text.split())) for token in doc]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _sentences(doc: Doc) -> list[tuple[int, int]]:
    if doc.has_annotation("SENT_START"):
        return [(sent.start, sent.end) for sent in doc.sents]
    return [(0, len(doc))] if len(doc) else []
