from ....features.lexemes import LexemeTable
from ....features.role_hashes import RoleHashes
from ....learn.hashed import HashedWeights
from .program import SpanProgram

class SpanScorer:
    lexemes: LexemeTable
    weights: HashedWeights
    n_tokens: int
    def __init__(
        self,
        lexemes: LexemeTable,
        weights: HashedWeights,
        program: SpanProgram,
        n_tokens: int,
        *,
        tag_column: int = ...,
        kind_column: int = ...,
    ) -> None: ...
    def set_dropout(self, rate: float, seed: int) -> None: ...
    @property
    def role_hashes(self) -> RoleHashes: ...
