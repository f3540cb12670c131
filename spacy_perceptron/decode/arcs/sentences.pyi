import numpy as np

from ...features.lexemes import LexemeTable
from ..search.control import Control
from .features import PartFeatures
from .input import ParsingInput
from .labeler import TreeLabeler

# Heads and labels, a row per tree, and scores.
Trees = tuple[np.ndarray, np.ndarray, np.ndarray]

class SentenceParsing:
    labeler: TreeLabeler
    control: Control
    longest: int
    def __init__(self, features: PartFeatures, labeler: TreeLabeler, control: Control) -> None: ...
    @property
    def lexemes(self) -> LexemeTable: ...
    def parse(
        self, words: ParsingInput, starts: np.ndarray, *, scale: float = ..., k: int = ...
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Trees]]: ...
    def nbest(self, sentence: ParsingInput, k: int) -> Trees: ...
