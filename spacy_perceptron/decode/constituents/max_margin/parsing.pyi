from collections.abc import Sequence

import numpy as np

from ....features.lexemes import LexemeTable
from ...search.control import Control
from ..chart.grammar import Grammar
from ..chart.heads import HeadScorer
from ..incremental.input import IncrementalInput
from .pruner import SpanPruner
from .scorer import SpanScorer

class SpanParsing:
    control: Control
    grammar: Grammar
    scorer: SpanScorer
    pruner: SpanPruner
    heads: HeadScorer | None
    n_phrases: int
    threshold: float
    max_edges: int
    unknown: int
    longest: int
    def __init__(
        self,
        grammar: Grammar,
        scorer: SpanScorer,
        pruner: SpanPruner,
        rule_values: np.ndarray | Sequence[int],
        unary_values: np.ndarray | Sequence[int],
        labels: Sequence[Sequence[int]],
        unary_labels: Sequence[Sequence[int]],
        *,
        phrase_outcomes: Sequence[int] | None = ...,
        unary_outcomes: Sequence[int] | None = ...,
        heads: HeadScorer | None = ...,
        threshold: float = ...,
        max_edges: int = ...,
        unknown: int = ...,
    ) -> None: ...
    @property
    def lexemes(self) -> LexemeTable: ...
    def parse(
        self, words: IncrementalInput, starts: np.ndarray, *, scale: float = ..., k: int = ...
    ) -> list[tuple[np.ndarray, list[np.ndarray] | None, bool, list[tuple[float, np.ndarray]]]]: ...
    def nbest(self, sentence: IncrementalInput, k: int) -> list[tuple[float, np.ndarray]]: ...
    def features(
        self, sentence: IncrementalInput, rows: np.ndarray
    ) -> list[list[tuple[str, int, int, int, list[float]]]]: ...
