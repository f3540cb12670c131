import numpy as np

class Spans:
    n_words: int
    n_classes: int
    n_cells: int
    def __init__(self, n_words: int = ..., n_classes: int = ..., *, width: int = ...) -> None: ...
    def to_array(self) -> np.ndarray: ...
