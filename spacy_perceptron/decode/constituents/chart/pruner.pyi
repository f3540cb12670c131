from .grammar import Grammar
from .sentence import TaggedWords
from .spans import Spans

class CoarsePruner:
    grammar: Grammar
    full_length: int
    width: int
    def __init__(self, grammar: Grammar, *, full_length: int = ..., width: int = ...) -> None: ...
    def choose(self, words: TaggedWords, threshold: float) -> Spans: ...
