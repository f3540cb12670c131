"""Small dependency parsers, as the contract and the tests of single parsers use them.

To put a parser under the contract, add it to `PARSERS`.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import spacy
from spacy.language import Language
from spacy.training import Example

from .sentences import read

NAME = "parser"
ARCS = (
    "p.folded c.folded arc.direction",
    "p.folded c.tag arc.direction",
    "p.tag c.folded arc.direction",
    "p.tag c.tag arc.distance",
    "p.tag p+1.tag c-1.tag c.tag arc.direction",
    "p-1.tag p.tag c.tag c+1.tag arc.direction",
    "p.tag b.tag c.tag arc.direction",
)
SECOND_ORDER = (
    "p.tag s.tag c.tag arc.direction",
    "s.folded c.tag arc.direction",
    "p.folded s.tag arc.direction",
    "g.tag p.tag c.tag arc.direction",
    "g.folded c.tag arc.direction",
)
THIRD_ORDER = ("g.tag p.tag s.tag c.tag arc.direction",)
ATTACHMENTS = (
    "p.tag s.tag c.tag arc.direction",
    "c.tag c.lefts c.rights arc.direction",
    "p.tag c.tag c[lc].tag arc.direction",
    "p.tag c.tag c[rc].tag arc.direction",
    "p.tag p[lc].tag p[rc2].tag c.tag",
    "p.tag c.tag c.span arc.direction",
    "left.tag p.tag c.tag arc.direction",
    "right.tag p.tag c.tag arc.direction",
    "left.tag left2.tag c.tag arc.direction",
    "left.tag right.tag p.tag c.tag",
)
LABELS = ("p.tag c.tag arc.direction", "p.folded c.tag", "p.tag c.folded")
PRUNER = ("p.tag c.tag arc.distance", "p.folded c.tag", "p.tag c.folded")
# A pruner that keeps all arcs.
UNPRUNED: dict[str, Any] = {"pruning": 0.0, "max_heads": 0}


def templates(texts: Iterable[str]) -> dict[str, Any]:
    return {"@misc": "spacy_perceptron.templates.v1", "sets": [], "extra": list(texts)}


def train(nlp: Language, examples: list[Example], *, epochs: int = 2) -> Language:
    """Initialize a pipeline and train it."""
    nlp.initialize(lambda: examples)
    for _ in range(epochs):
        nlp.update(examples)
    return nlp


@dataclass(frozen=True, eq=False)
class Parser:
    """A parser of the contract.

    id (str): Its name in reports.
    factory (str): The factory.
    model (dict): A small model.
    arcs (Sequence[str]): Templates for arcs or attachments.
    config (dict): Further templates, and settings.
    unpruned (dict): Settings with which no arc is left out.
    projective (bool): Whether it finds trees without crossing arcs only, and lifts those of others.
    exact (bool): Whether it looks at all trees, rather than at those of a beam.
    """

    id: str
    factory: str
    model: dict[str, Any]
    arcs: Sequence[str]
    config: dict[str, Any]
    unpruned: dict[str, Any] = field(default_factory=dict)
    projective: bool = True
    exact: bool = True

    def make(self, *, extra: Sequence[str] = (), **settings: Any) -> Language:
        """A pipeline with the parser, not initialized.

        extra (Sequence[str]): More templates for arcs.
        **settings: Settings of the parser.
        RETURNS (Language): The pipeline.
        """
        found = {"templates": templates((*self.arcs, *extra)), **self.config, **settings}
        # English would bring a thousand tokenizer exceptions, and take four times as long.
        nlp = spacy.blank("xx")
        nlp.add_pipe(self.factory, name=NAME, config={"model": self.model, **found})
        return nlp

    def sample(self, *, epochs: int = 2, limit: int | None = None, **settings: Any) -> Language:
        """RETURNS (Language): A pipeline trained on the sample treebank."""
        nlp = self.make(**settings)
        return train(nlp, read(nlp, "train", limit), epochs=epochs)

    @functools.cached_property
    def data(self) -> bytes:
        """The parser, trained once for all tests."""
        return self.sample(limit=200).get_pipe(NAME).to_bytes()

    def load(self, **settings: Any) -> Language:
        """RETURNS (Language): A pipeline of the test's own with the trained parser."""
        nlp = self.make(**settings)
        nlp.get_pipe(NAME).from_bytes(self.data)
        return nlp


def mira(id: str, **settings: Any) -> Parser:
    return Parser(
        id=id,
        factory="mira_parser",
        model={
            "@architectures": "spacy_perceptron.ParserModel.v1",
            "n_bits": 16,
            "pruner_bits": 14,
        },
        arcs=(*ARCS, *SECOND_ORDER, *THIRD_ORDER),
        config={
            "label_templates": templates(LABELS),
            "pruner_templates": templates(PRUNER),
            **settings,
        },
        unpruned=UNPRUNED,
        projective=settings.get("decoder") != "mst",
    )


EISNER1, EISNER2, EISNER3 = (mira(f"eisner{order}", order=order) for order in (1, 2, 3))
MST = mira("mst", decoder="mst", order=1)
EASY_FIRST = Parser(
    id="easy_first",
    factory="easy_first_parser",
    model={"@architectures": "spacy_perceptron.EasyFirstModel.v1", "n_bits": 16},
    arcs=(*ARCS, *ATTACHMENTS),
    config={"tree_label_templates": templates(LABELS)},
    exact=False,
)
PARSERS = [EISNER1, EISNER2, MST, EASY_FIRST]
# One for each factory.
FACTORIES = [EISNER2, EASY_FIRST]
# Every way of the easy-first parser to learn. Early updates do not go with augmented scores.
UPDATES: list[dict[str, Any]] = [
    {"update": update, "learner": learner, "loss_augmented": update == "max_violation"}
    for update in ("early", "max_violation")
    for learner in ("mira", "perceptron")
]
