from collections.abc import Callable, Mapping, Sequence

from .clusters import ClusterTable

FindTables = Callable[[], Mapping[str, ClusterTable]]

class WordAttributes:
    names: list[str]
    def __init__(self, names: Sequence[str], find_tables: FindTables | None = None) -> None: ...
    def __call__(self, text: str) -> list[int]: ...
    def describe(self, name: str, text: str) -> str: ...
