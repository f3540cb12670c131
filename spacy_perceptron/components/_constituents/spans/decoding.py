"""What a span parser sees of words, and decoders that read it."""

from collections.abc import Callable, Sequence

import numpy as np

from ....decode.constituents.chart.heads import HeadScorer
from ....decode.constituents.incremental.input import IncrementalInput
from ....decode.constituents.max_margin.flat import FlatSpans
from ....decode.constituents.max_margin.parsing import SpanParsing
from ....decode.constituents.max_margin.program import WORD_ROLES, SpanProgram
from ....decode.constituents.max_margin.pruner import SpanPruner
from ....decode.constituents.max_margin.scorer import SpanScorer
from ....features.lexemes import LexemeTable
from ....features.token_attributes import LookUp
from ....features.word_attributes import WordAttributes
from ....learn.hashed import HashedWeights
from ....trees.head_rules import HeadRules
from ..columns import ReadingColumns
from ..reader import TaggedWords
from ..readings import Readings, WordReadings
from .lexical_readings import LexicalReadings
from .symbols import SpanSymbols
from .templates import SpanTemplates


class SpanDecoding:
    """Makes decoders, and what they take.

    templates (SpanTemplates): The templates.
    head_rules (HeadRules): Tell which tags are those of conjunctions.
    threshold (float): How far behind the best tree of the pruner a phrase may be.
    make_attributes (Callable): Makes what computes attributes of words.
    """

    def __init__(
        self,
        templates: SpanTemplates,
        head_rules: HeadRules,
        threshold: float,
        make_attributes: Callable[[Sequence[str]], WordAttributes],
    ):
        self.templates = templates
        self.threshold = threshold
        self.columns = ReadingColumns(templates.columns, head_rules.coordinators)
        self.attributes = make_attributes(templates.attributes)

    @property
    def n_attributes(self) -> int:
        """RETURNS (int): The number of values per word in a lexeme table."""
        return len(self.attributes.names)

    def make(
        self,
        lexemes: LexemeTable,
        weights: HashedWeights,
        pruner_weights: HashedWeights,
        symbols: SpanSymbols,
    ) -> SpanParsing:
        """Make a decoder.

        lexemes (LexemeTable): The words that it knows.
        weights, pruner_weights (HashedWeights): The weights.
        symbols (SpanSymbols): The grammar.
        RETURNS (SpanParsing): The decoder.
        """
        scorer = self._make_scorer(lexemes, weights, self.templates.spans)
        pruner = self._make_scorer(lexemes, pruner_weights, self.templates.pruner)
        heads = None
        if self.templates.spans.heads:
            heads = HeadScorer(
                weights,
                scorer.role_hashes,
                WORD_ROLES.index("h"),
                self.templates.spans.heads,
                symbols.head_sides,
                symbols.head_values,
            )
        return SpanParsing(
            symbols.compiled,
            scorer,
            SpanPruner(pruner, symbols.n_phrases, classes=symbols.coarse_classes),
            symbols.rule_values,
            symbols.chain_values,
            symbols.labels,
            symbols.chain_labels,
            phrase_outcomes=symbols.phrase_outcomes,
            unary_outcomes=symbols.chain_outcomes,
            heads=heads,
            threshold=self.threshold,
            unknown=symbols.unknown,
        )

    def _make_scorer(
        self, lexemes: LexemeTable, weights: HashedWeights, program: SpanProgram
    ) -> SpanScorer:
        columns = self.templates.columns_of(program)
        return SpanScorer(lexemes, weights, program, len(self.columns.names), **columns)

    def make_flat(self, lexemes: LexemeTable, weights: HashedWeights) -> FlatSpans:
        """RETURNS (FlatSpans): A flat classifier of spans."""
        return FlatSpans(self._make_scorer(lexemes, weights, self.templates.flat))

    def make_alone(
        self, weights: HashedWeights, pruner_weights: HashedWeights, symbols: SpanSymbols
    ) -> SpanParsing:
        """RETURNS (SpanParsing): A decoder that is alone with its lexeme table. See `make`."""
        return self.make(LexemeTable(self.n_attributes), weights, pruner_weights, symbols)

    def read(
        self,
        words: TaggedWords,
        look_up: LookUp,
        symbols: SpanSymbols,
        readings: Readings | LexicalReadings,
        brackets: np.ndarray | None = None,
    ) -> IncrementalInput | None:
        """Words as decoders take them.

        words (TaggedWords): The words.
        look_up (LookUp): Finds their rows in a lexeme table.
        symbols (SpanSymbols): Numbers tags.
        readings (Readings | LexicalReadings): The tags that words can have.
        brackets (Optional[int32 array]): What others predict of spans.
        RETURNS (Optional[IncrementalInput]): None if there is no room in the lexeme table.
        """
        texts = words.words.texts
        rows = look_up(words.words.orths, lambda orth: self.attributes(texts(orth)))
        if rows is None:
            return None
        found = readings(words)
        tags = symbols.tags(found.tags)
        columns = self.columns(words, _seen(words, found))
        return IncrementalInput(rows, found.starts, tags, columns, found.scores, brackets)

    def values(
        self, words: TaggedWords, readings: Readings | LexicalReadings
    ) -> dict[str, np.ndarray]:
        """What templates see of words beside their attributes: that of the first readings.

        words (TaggedWords): The words.
        readings (Readings | LexicalReadings): The tags that words can have.
        RETURNS (dict[str, np.ndarray]): A value per word, by the names of columns.
        """
        found = _seen(words, readings(words))
        firsts = self.columns(words, found)[found.starts[:-1]]
        return dict(zip(self.columns.names, firsts.T, strict=True))


def _seen(words: TaggedWords, readings: WordReadings) -> WordReadings:
    """Readings as templates see them: those of a lexicon have the tagger's tag."""
    if readings.scores is None:
        return readings
    n_readings = np.diff(readings.starts)
    return readings._replace(
        tags=np.repeat(words.tags, n_readings), given=np.ones(int(n_readings.sum()), bool)
    )
