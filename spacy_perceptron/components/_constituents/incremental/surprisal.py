"""How unexpected words are: a search of its own, with probabilities alone."""

from functools import partial

import numpy as np

from ....decode.constituents.incremental.parsing import IncrementalParsing
from ..._shared.decoders import Decoders, cut_sentences
from ..reader import TaggedWords
from .decoding import IncrementalDecoding, SearchSpace


class SurprisalMeter:
    """Measures surprisal by prefix probabilities.

    decoding (IncrementalDecoding): Makes decoders.
    space (SearchSpace): What to search, with probabilities.
    longest (int): As of `Decoders`.
    """

    def __init__(self, decoding: IncrementalDecoding, space: SearchSpace, *, longest: int):
        self._decoding = decoding
        self._space = space
        make = partial(decoding.make_probabilistic, space=space)
        self._decoders: Decoders[IncrementalParsing] = Decoders(
            make, decoding.n_attributes, longest=longest
        )

    def measure(self, words: TaggedWords, n_threads: int) -> list[float | None]:
        """Measure the surprisal of tokens.

        words (TaggedWords): Their words.
        n_threads (int): How many threads.
        RETURNS (list[Optional[float]]): A number of bits per token; None for whitespace.
        """
        decoders, starts = self._decoders, words.words.starts
        input = self._decoding.read(words, decoders.lexemes.extend, self._space)
        while input is None:
            self._decoders = decoders = decoders.with_room(len(words))
            input = self._decoding.read(words, decoders.lexemes.extend, self._space)

        def measure(parsing: IncrementalParsing, part: tuple[int, int]) -> np.ndarray:
            return parsing.surprisal(*input.cut_sentences(starts, *part))

        bits = decoders.run(measure, cut_sentences(starts, n_threads), n_threads)
        spread = words.words.spread(np.concatenate([np.zeros(0), *bits]), np.nan)
        return [None if np.isnan(value) else value for value in spread.tolist()]
