import numpy as np

from ...learn.weights import WeightTable
from ..arcs.input import ParsingInput
from ..arcs.sentences import SentenceParsing
from .scorer import AttachmentScorer
from .search import AttachmentSearch

class EasyFirstParsing(SentenceParsing):
    scorer: AttachmentScorer
    search: AttachmentSearch
    width: int
    def __init__(
        self, scorer: AttachmentScorer, label_weights: WeightTable, *, width: int = ...
    ) -> None: ...
    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None: ...
    def derivation(self, rank: int = ...) -> list[tuple[int, int]]: ...
    def replay(
        self, sentence: ParsingInput, actions: list[tuple[int, int]]
    ) -> list[tuple[dict[str, int | None], list[tuple[str, int, float]]]]: ...
