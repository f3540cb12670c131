import numpy as np

class ParsingInput:
    n_words: int
    def __init__(
        self,
        rows: np.ndarray,
        tokens: np.ndarray,
        marks: np.ndarray,
        guides: np.ndarray | None = ...,
    ) -> None: ...
    def cut(self, start: int, end: int) -> ParsingInput: ...
