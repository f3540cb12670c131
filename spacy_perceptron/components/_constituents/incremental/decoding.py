"""How an incremental parser's decoders are made, and what they take."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....decode.constituents.incremental.generative import GenerativeModel
from ....decode.constituents.incremental.grammar import Grammar
from ....decode.constituents.incremental.input import IncrementalInput
from ....decode.constituents.incremental.parsing import IncrementalParsing
from ....decode.constituents.incremental.program import IncrementalProgram
from ....decode.constituents.incremental.scorer import EventScorer
from ....decode.constituents.incremental.search import IncrementalSearch
from ....features.known_words import KNOWN_WORD_ATTRIBUTES, KnownWords
from ....features.lexemes import LexemeTable
from ....features.token_attributes import LookUp
from ....features.word_attributes import WordAttributes
from ....learn.hashed import BITS, HashedWeights
from ....trees.head_rules import load_head_rules
from ..columns import ReadingColumns
from ..gold import GoldSentence
from ..reader import TaggedWords
from ..readings import Readings
from .generative import Generative
from .settings import IncrementalSettings
from .symbols import Symbols
from .templates import compile_templates
from .trees_to_build import TreesToBuild


@dataclass(frozen=True)
class SearchSpace:
    """What trees there are, and how probable they are.

    grammar (Grammar): What can be built.
    chains (dict[tuple[str, ...], int]): The numbers of its chains.
    symbols (Symbols): What its other numbers mean.
    readings (Readings): The tags that words can have.
    known (Optional[KnownWords]): The words that probabilities are known for.
    generative (Optional[GenerativeModel]): Probabilities, if they count.
    """

    grammar: Grammar
    chains: dict[tuple[str, ...], int]
    symbols: Symbols
    readings: Readings
    known: KnownWords | None = None
    generative: GenerativeModel | None = None

    def with_probabilities(self, found: Generative | None) -> "SearchSpace":
        """RETURNS (SearchSpace): The same trees with other probabilities, or none."""
        known, model = found or (None, None)
        return replace(self, known=known, generative=model)


class IncrementalDecoding:
    """Makes decoders, and words as they take them.

    settings (IncrementalSettings): The settings.
    make_attributes (Callable): Makes what computes attributes of words.
    """

    def __init__(
        self,
        settings: IncrementalSettings,
        make_attributes: Callable[[Sequence[str]], WordAttributes],
    ):
        self.program, attributes, columns = compile_templates(settings)
        self.columns = ReadingColumns(columns, load_head_rules().coordinators)
        self.width = settings.beam_width
        self._gamma = settings.gamma or math.inf
        self._log_weight = settings.log_weight
        self.attributes = make_attributes(attributes)

    @property
    def has_features(self) -> bool:
        """RETURNS (bool): Whether there are weights to learn."""
        return bool(self.program.nodes or self.program.words)

    @property
    def n_attributes(self) -> int:
        """RETURNS (int): The number of values per word."""
        return len(self.attributes.names) + len(KNOWN_WORD_ATTRIBUTES) * bool(self._log_weight)

    def make(
        self, lexemes: LexemeTable, *, weights: HashedWeights, space: SearchSpace
    ) -> IncrementalParsing:
        """Make a decoder.

        lexemes (LexemeTable): The words that sentences are made of.
        weights (HashedWeights): The weights of features.
        space (SearchSpace): What to search.
        RETURNS (IncrementalParsing): The decoder.
        """
        return self._make(
            lexemes, weights, space, self.program, log_weight=self._log_weight, gamma=self._gamma
        )

    def make_alone(self, weights: HashedWeights, space: SearchSpace) -> IncrementalParsing:
        """RETURNS (IncrementalParsing): A decoder with a lexeme table of its own."""
        return self.make(LexemeTable(self.n_attributes), weights=weights, space=space)

    def make_probabilistic(self, lexemes: LexemeTable, *, space: SearchSpace) -> IncrementalParsing:
        """RETURNS (IncrementalParsing): A decoder whose scores are log-probabilities. Only its beam
        limits the hypotheses that these are summed over."""
        program = replace(self.program, nodes=[], words=[])
        weights = HashedWeights(BITS[0])
        return self._make(lexemes, weights, space, program, log_weight=1.0, gamma=math.inf)

    def _make(
        self,
        lexemes: LexemeTable,
        weights: HashedWeights,
        space: SearchSpace,
        program: IncrementalProgram,
        *,
        log_weight: float,
        gamma: float,
    ) -> IncrementalParsing:
        grammar, symbols = space.grammar, space.symbols
        scorer = EventScorer(
            lexemes,
            weights,
            program,
            len(self.columns.names),
            grammar.n_phrases,
            symbols.values(),
            generative=space.generative,
            log_weight=log_weight,
        )
        search = IncrementalSearch(scorer, grammar, tag_events=not grammar.wraps, gamma=gamma)
        return IncrementalParsing(search, width=self.width, labels=symbols.labels)

    def read(
        self, words: TaggedWords, look_up: LookUp, space: SearchSpace
    ) -> IncrementalInput | None:
        """Words as decoders take them.

        words (TaggedWords): The words.
        look_up (LookUp): Finds their rows in a lexeme table.
        space (SearchSpace): What will be searched.
        RETURNS (Optional[IncrementalInput]): None if there is no room in the lexeme table.
        """
        texts = words.words.texts
        known = (space.known or KnownWords({})) if self._log_weight else None

        def values(orth: int) -> list[int]:
            text = texts(orth)
            return [*self.attributes(text), *(known(text) if known is not None else ())]

        rows = look_up(words.words.orths, values)
        if rows is None:
            return None
        found = space.readings(words)
        tags = space.symbols.tags(found.tags)
        return IncrementalInput(rows, found.starts, tags, self.columns(words, found))

    def read_gold(
        self,
        sentence: GoldSentence,
        trees: TreesToBuild,
        parsing: IncrementalParsing,
        space: SearchSpace,
    ) -> tuple[IncrementalInput, np.ndarray]:
        """A gold sentence as a decoder takes it.

        sentence (GoldSentence): The sentence.
        trees (TreesToBuild): Makes its tree.
        parsing (IncrementalParsing): A decoder that is alone with its lexeme table.
        space (SearchSpace): What it searches.
        RETURNS (tuple[IncrementalInput, int32 array]): The words, and the actions that build the
            tree.
        """
        words = self.read(sentence.words, parsing.lexemes.lookup, space)
        assert words is not None
        return words, trees.actions(sentence, space.chains)
