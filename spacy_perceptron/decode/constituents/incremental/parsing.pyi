import numpy as np

from ....features.lexemes import LexemeTable
from ...search.control import Control
from .input import IncrementalInput
from .search import IncrementalSearch

class IncrementalParsing:
    search: IncrementalSearch
    width: int
    longest: int
    def __init__(self, search: IncrementalSearch, *, width: int = ...) -> None: ...
    @property
    def control(self) -> Control: ...
    @property
    def lexemes(self) -> LexemeTable: ...
    def nbest(
        self, sentence: IncrementalInput, k: int
    ) -> list[tuple[float, np.ndarray, np.ndarray]]: ...
    def surprisal(self, sentence: IncrementalInput) -> np.ndarray: ...
    def rescored(self, rank: int = ...) -> float: ...
