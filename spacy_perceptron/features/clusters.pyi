from collections.abc import Sequence
from typing import Final

import numpy as np

MAX_CLUSTERS: Final[int]

class ClusterTable:
    paths: tuple[str, ...]
    fingerprint: str
    def __init__(
        self, hashes: np.ndarray, clusters: Sequence[int], paths: Sequence[str]
    ) -> None: ...
    @classmethod
    def from_words(cls, words: Sequence[str], paths: Sequence[str]) -> ClusterTable: ...
    def __len__(self) -> int: ...
    def find(self, text: str) -> int: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> ClusterTable: ...
