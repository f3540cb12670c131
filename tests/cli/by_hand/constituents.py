"""A parser that knows hand-made constituents of one text."""

from spacy.language import Language
from spacy.tokens import Doc

from spacy_perceptron.answers.candidate import Candidate

SHE = "She saw the man with the telescope."
TAGS = ["PRP", "VBD", "DT", "NN", "IN", "DT", "NN", "."]

_CLAUSE = [[0, 8, "S"], [0, 1, "NP"], [1, 7, "VP"]]
_INSIDE = [[4, 7, "PP"], [5, 7, "NP"]]
# `with the telescope` belongs to `saw`, to `the man` with a phrase for each, or without the inner
# one.
CONSTITUENTS = [
    [*_CLAUSE, [2, 4, "NP"], *_INSIDE],
    [*_CLAUSE, [2, 7, "NP"], [2, 4, "NP"], *_INSIDE],
    [*_CLAUSE, [2, 7, "NP"], *_INSIDE],
]
CANDIDATES = [
    Candidate(9.5 - rank, share, {"constituents": rows})
    for rank, (share, rows) in enumerate(zip((0.5, 0.375, 0.125), CONSTITUENTS, strict=True))
]


@Language.factory("test_hand_constituents")
class HandConstituents:
    """Parses the text it knows, and nothing else."""

    def __init__(self, nlp: Language, name: str) -> None:
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        for token, tag in zip(doc, TAGS, strict=True):
            token.tag_ = tag
        return CANDIDATES[0].apply(doc)

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        assert doc.text == SHE
        return CANDIDATES[:k]
