"""A component that never forgets, to show what a jackknifed model has seen, and a simple parser."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model


class Memorizer(TrainablePipe):
    """Tags every token SEEN if the text was in training, else STEP<number of updates>."""

    def __init__(self, nlp: Language, name: str) -> None:
        self.vocab, self.name = nlp.vocab, name
        self.model = Model("memorizer", lambda model, docs, is_train: (docs, lambda d: d))
        self.cfg: dict[str, Any] = {}
        self.texts: set[str] = set()
        self.n_updates = 0

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def initialize(self, get_examples: Callable[[], Iterable[Example]], nlp: Any = None) -> None:
        self.texts = {eg.reference.text for eg in get_examples()}

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float], **kwargs: Any
    ) -> dict[str, float]:
        self.texts.update(eg.reference.text for eg in examples)
        self.n_updates += 1
        losses[self.name] = losses.get(self.name, 0.0)
        return losses

    def finish_update(self, sgd: Any) -> None:
        pass

    def predict(self, docs: Iterable[Doc]) -> list[str]:
        return ["SEEN" if d.text in self.texts else f"STEP{self.n_updates}" for d in docs]

    def set_annotations(self, docs: Iterable[Doc], scores: list[str]) -> None:
        for doc, tag in zip(docs, scores, strict=True):
            for token in doc:
                token.tag_ = tag
            doc.user_data["note"] = len(doc)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, float]:
        pairs = [(p.tag_, g.tag_) for eg in examples for p, g in zip(eg.x, eg.y, strict=True)]
        return {"memo_acc": sum(p == g for p, g in pairs) / len(pairs)} if pairs else {}

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        srsly.write_json(Path(path), {"texts": sorted(self.texts), "n_updates": self.n_updates})

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> "Memorizer":
        data = srsly.read_json(Path(path))
        self.texts, self.n_updates = set(data["texts"]), data["n_updates"]
        return self


@Language.factory("test_memorizer", default_score_weights={"memo_acc": 1.0})
def make_memorizer(nlp: Language, name: str) -> Memorizer:
    return Memorizer(nlp, name)


@Language.component("test_pair_parser")
def parse_in_pairs(doc: Doc) -> Doc:
    """Every second token hangs on the one before; the others are roots, and start sentences."""
    labels = [doc.vocab.strings.add("ROOT"), doc.vocab.strings.add("second")]
    rows = [[-(i % 2) % 2**64, labels[i % 2]] for i in range(len(doc))]
    return doc.from_array([HEAD, DEP], np.array(rows, dtype=np.uint64))
