import numpy as np

from ...learn.weights import WeightTable
from ..arcs.input import ParsingInput
from ..arcs.labeler import TreeLabeler
from .scorer import AttachmentScorer
from .search import AttachmentSearch

class EasyFirstParsing:
    scorer: AttachmentScorer
    search: AttachmentSearch
    labeler: TreeLabeler
    width: int
    def __init__(
        self, scorer: AttachmentScorer, label_weights: WeightTable, *, width: int = ...
    ) -> None: ...
    def parse(
        self, words: ParsingInput, starts: np.ndarray, *, scale: float = ...
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def nbest(
        self, sentence: ParsingInput, k: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def without(
        self, sentence: ParsingInput, word: int, head: int
    ) -> tuple[np.ndarray, np.ndarray, float] | None: ...
    def derivation(self, rank: int = ...) -> list[tuple[int, int]]: ...
    def replay(
        self, sentence: ParsingInput, actions: list[tuple[int, int]]
    ) -> list[tuple[dict[str, int | None], list[tuple[str, int, float]]]]: ...
