from collections.abc import Sequence

import numpy as np

from .lexemes import LexemeTable

class RoleHashes:
    lexemes: LexemeTable
    n_token_columns: int
    n_roles: int
    def __init__(
        self,
        lexemes: LexemeTable,
        n_token_columns: int,
        roles: Sequence[Sequence[tuple[int, Sequence[tuple[int, int]]]]],
    ) -> None: ...
    def run(self, rows: np.ndarray, tokens: np.ndarray) -> list[np.ndarray]: ...
