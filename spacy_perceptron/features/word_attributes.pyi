from spacy.vocab import Vocab

class WordAttributes:
    vocab: Vocab
    names: list[str]
    def __init__(self, vocab: Vocab, names: list[str]) -> None: ...
    def __call__(self, orth: int) -> list[int]: ...
