"""Auxiliary predictions: which spans others take for phrases, as features of a parser.

There are two predictors (Taskar et al. 2004): the probabilistic grammar of the treebank, and a flat
classifier that looks at each span on its own. What they say of sentences that they were trained on
would be too good to learn from. So training is split into two halves, and the predictors of either
are asked about the other one. A sentence's half depends on its words alone: copies of a sentence
are in the same one.
"""

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np

from ....learn.hashed import BITS, HashedWeights, SavedHashedWeights
from ....learn.states import LearnerState, read_numbers, read_text, text_state
from ....trees.constituents import tree_to_constituents
from ....trees.span_grammar import SpanGrammar
from ..gold import GoldSentence
from ..reader import TaggedWords
from ..readings import Readings
from .decoding import SpanDecoding
from .lexical_readings import LexicalReadings, read_readings
from .symbols import SpanSymbols

BASELINE, FLAT = 1, 2
# Passes over the corpus that train the flat classifier, and the size of its steps.
FLAT_EPOCHS, FLAT_STEP = 5, 0.1


def half_of(words: TaggedWords) -> int:
    """RETURNS (int): The half of the corpus that a sentence belongs to, 0 or 1."""
    return crc32(" ".join(words.word_texts()).encode("utf8")) & 1


class Auxiliary:
    """Predicts which spans are phrases. Threads take turns.

    decoding (SpanDecoding): Makes decoders.
    symbols (SpanSymbols): The grammar, with its probabilities.
    readings (Readings | LexicalReadings): The tags that words can have.
    weights (HashedWeights): Those of the flat classifier.
    pruner (HashedWeights): Those of the pruner.
    """

    def __init__(
        self,
        decoding: SpanDecoding,
        symbols: SpanSymbols,
        readings: Readings | LexicalReadings,
        weights: HashedWeights,
        pruner: HashedWeights,
    ):
        self._decoding = decoding
        self._symbols = symbols
        self._readings = readings
        self._parsing = decoding.make_alone(HashedWeights(BITS[0]), pruner, symbols)
        self._flat = decoding.make_flat(self._parsing.lexemes, weights)
        self._lock = threading.Lock()

    def __call__(self, words: TaggedWords) -> np.ndarray:
        """Predict the phrases of sentences.

        words (TaggedWords): The words.
        RETURNS (int32 array): Start and end of spans, and who takes them for phrases, as bits:
            `BASELINE`, `FLAT`.
        """
        found: dict[tuple[int, int], int] = {}
        with self._lock:
            input = self._decoding.read(
                words, self._parsing.lexemes.lookup, self._symbols, self._readings
            )
            assert input is not None
            starts = words.words.starts
            for (first, last), (rows, _, _, _) in zip(
                pairwise(starts.tolist()), self._parsing.parse(input, starts), strict=True
            ):
                _, begins, ends = self._symbols.phrases(rows)[0]
                for span in zip((begins + first).tolist(), (ends + first).tolist(), strict=True):
                    found[span] = BASELINE
                for begin, end in self._flat.predict(input.cut(first, last)).tolist():
                    span = (begin + first, end + first)
                    found[span] = found.get(span, 0) | FLAT
        brackets = [(*span, bits) for span, bits in sorted(found.items())]
        return np.array(brackets, np.int32).reshape(-1, 3)

    def learn(self, sentences: Sequence[GoldSentence], seed: int) -> int:
        """Train the flat classifier, whose weights must be trainable.

        sentences (Sequence[GoldSentence]): The sentences.
        seed (int): Seed of their order.
        RETURNS (int): The number of examples, for averages.
        """
        look_up = self._parsing.lexemes.lookup
        order = list(sentences)
        time = 0
        for epoch in range(FLAT_EPOCHS):
            random.Random(seed + epoch).shuffle(order)
            for sentence in order:
                input = self._decoding.read(sentence.words, look_up, self._symbols, self._readings)
                assert input is not None
                spans = {(start, end) for _, start, end in tree_to_constituents(sentence.tree)}
                phrases = np.array(sorted(spans), np.int32).reshape(-1, 2)
                self._flat.learn(input, phrases, FLAT_STEP, time)
                time += 1
        return time


@dataclass(frozen=True, eq=False)
class Half:
    """Predictors that have not seen a half of the corpus, and what they are made of.

    predict (Auxiliary): The predictors.
    grammar, readings (dict): The grammar and the tags that words can have, as plain data.
    weights, pruner (SavedHashedWeights): Those of the flat classifier and of the pruner.
    """

    predict: Auxiliary
    grammar: dict[str, Any]
    readings: dict[str, Any]
    weights: SavedHashedWeights
    pruner: SavedHashedWeights

    def state(self) -> LearnerState:
        """RETURNS (LearnerState): What the predictors are made of, as arrays."""
        return {
            "grammar": text_state(self.grammar),
            "readings": text_state(self.readings),
            "places": self.weights["indices"],
            "values": self.weights["values"],
            "pruner_places": self.pruner["indices"],
            "pruner_values": self.pruner["values"],
        }


def read_half(
    state: LearnerState,
) -> tuple[SpanGrammar, Readings | LexicalReadings, SavedHashedWeights, SavedHashedWeights]:
    """RETURNS (tuple): What `Half.state` has written: grammar, readings and weights."""

    def weights(places: str, values: str) -> SavedHashedWeights:
        indices = read_numbers(state, places, np.uint32)
        return {"indices": indices, "values": read_numbers(state, values, np.float32)}

    return (
        SpanGrammar.from_dict(read_text(state, "grammar")),
        read_readings(read_text(state, "readings")),
        weights("places", "values"),
        weights("pruner_places", "pruner_values"),
    )


class Halves(list[Half]):
    """Predictors by the half that they have not seen. Like all that only training needs, they are
    not pickled."""

    def __reduce__(self) -> tuple:
        return Halves, ()


def train_auxiliary(
    decoding: SpanDecoding,
    symbols: SpanSymbols,
    readings: Readings | LexicalReadings,
    pruner: HashedWeights,
    sentences: Sequence[GoldSentence],
    *,
    n_bits: int,
    seed: int,
) -> SavedHashedWeights:
    """Train the flat classifier.

    decoding (SpanDecoding): Makes decoders.
    symbols (SpanSymbols): The grammar of the sentences, with its probabilities.
    readings (Readings | LexicalReadings): The tags that words can have.
    pruner (HashedWeights): Those of the pruner.
    sentences (Sequence[GoldSentence]): The sentences.
    n_bits (int): The flat classifier has 2 ** n_bits weights.
    seed (int): Seed of the order of sentences.
    RETURNS (SavedHashedWeights): Its weights.
    """
    weights = HashedWeights(n_bits, trainable=True, adaptive=True)
    n_examples = Auxiliary(decoding, symbols, readings, weights, pruner).learn(sentences, seed)
    return weights.averaged(n_examples)
