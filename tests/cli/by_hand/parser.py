"""A parser that knows hand-made trees of two texts."""

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.confidence import confidence_key, register_confidence
from spacy_perceptron.answers.explanation import Explanation, FeatureWeight, token_names
from spacy_perceptron.answers.stored import register_extensions, store_nbest

SAW = "I saw a man with a telescope."
NAPS = "He naps.  Go now"

SAW_LABELS = ["nsubj", "ROOT", "det", "dobj", "prep", "det", "pobj", "punct"]
NAPS_LABELS = ["nsubj", "ROOT", "punct", "dep", "ROOT", "advmod"]


def with_label(labels: list[str], i: int, label: str) -> list[str]:
    return [*labels[:i], label, *labels[i + 1 :]]


# Best first. `with` (4) hangs on `saw` (1) or on `man` (3); in the last tree `I` is the root and
# `saw` hangs on it. Of the second text (the fourth token is a space), only `now` is in doubt.
TREES = {
    SAW: [
        Candidate(9.5, 0.5, {"head": [1, 1, 3, 1, 1, 6, 4, 1], "dep": SAW_LABELS}),
        Candidate(9.0, 0.3, {"head": [1, 1, 3, 1, 3, 6, 4, 1], "dep": SAW_LABELS}),
        Candidate(
            8.0,
            0.15,
            {"head": [1, 1, 3, 1, 3, 6, 4, 1], "dep": with_label(SAW_LABELS, 4, "nmod")},
        ),
        Candidate(
            6.25,
            0.05,
            {"head": [0, 0, 3, 1, 1, 6, 4, 1], "dep": ["ROOT", "ccomp", *SAW_LABELS[2:]]},
        ),
    ],
    NAPS: [
        Candidate(5.0, 0.75, {"head": [1, 1, 1, 2, 4, 4], "dep": NAPS_LABELS}),
        Candidate(
            4.0,
            0.25,
            {"head": [1, 1, 1, 2, 4, 4], "dep": with_label(NAPS_LABELS, 5, "obj")},
        ),
    ],
}
CONFIDENCES = {SAW: [0.99, 0.95, 1.0, 0.97, 0.55, 1.0, 0.98, 0.96], NAPS: [0.9] * 6}


@Language.factory("test_hand_parser", default_config={"nbest": 0})
class HandParser:
    """Parses the texts it knows, and nothing else."""

    def __init__(self, nlp: Language, name: str, nbest: int) -> None:
        self.name = name
        self.n_stored = nbest
        self.calibration = Calibration()
        register_extensions()
        register_confidence("head")

    def __call__(self, doc: Doc) -> Doc:
        candidates = self.nbest(doc, max(1, self.n_stored))
        candidates[0].apply(doc)
        doc.user_data[confidence_key("head")] = CONFIDENCES[doc.text]
        if self.n_stored:
            store_nbest(doc, self.name, candidates)
        return doc

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        return TREES[doc.text][:k]

    def explain(self, doc: Doc, i: int) -> Explanation:
        names = token_names([token.text for token in doc])
        features = [
            FeatureWeight("p.word c.word", "saw with", 1.5, 0.5, "man with"),
            FeatureWeight("c.tag", "IN", 1.0, 1.0),
        ]
        chosen = names[doc[i].head.i]
        return Explanation(names[i], chosen, "man", 2.5, 1.5, None, features, "head")

    def raw_confidences(
        self, examples: list[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Every second arc is right; there are none without gold heads."""
        n = sum(len(eg.reference) for eg in examples if eg.reference.has_annotation("DEP"))
        return np.full(n, 0.9 ** (1 / temperature)), np.arange(n) % 2 == 0
