"""The components of a pipeline that a page can show: their kinds of answers, labels, abilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spacy.language import Language

from ..answers.kinds import (
    AnswerKind,
    BoundaryAnswers,
    DependencyAnswers,
    EntityAnswers,
    MixedAnswers,
    SpanAnswers,
    TagAnswers,
    find_kind,
)
from ..components._sequences.tag_labels import SEPARATOR
from ..components._shared.saving import SavedPipe
from ..errors import Errors
from .refusals import RefusedRequest

# What a component can be asked to do, as methods.
ABILITIES = ("nbest", "explain", "correct")
# Annotated when a pipeline is loaded, to see what its components do.
SAMPLE = "a"
OTHER = "other"
LEMMAS = ("lemma",)
KIND_NAMES: dict[type[AnswerKind], str] = {
    DependencyAnswers: "heads",
    SpanAnswers: "constituents",
    EntityAnswers: "entities",
    BoundaryAnswers: "boundaries",
    TagAnswers: "tags",
}


@dataclass(frozen=True)
class Component:
    """One component.

    name (str): Its name in the pipeline.
    factory (str): The factory that made it.
    pipe (Any): The component itself.
    kind (AnswerKind): What its answers are.
    labels (dict[str, list[str]]): The values that can be chosen, by name in the annotation; names
        without a fixed list are left out.
    abilities (list[str]): What it can be asked to do.
    """

    name: str
    factory: str
    pipe: Any
    kind: AnswerKind
    labels: dict[str, list[str]]
    abilities: list[str]

    @property
    def kind_name(self) -> str:
        """What pages call the kind of its answers."""
        return kind_name(self.kind)

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What a page is told."""
        return {
            "name": self.name,
            "factory": self.factory,
            "names": [*self.kind.names],
            "kind": self.kind_name,
            "drawing": self.kind.drawing,
            "abilities": self.abilities,
            "labels": self.labels,
        }


def kind_name(kind: AnswerKind) -> str:
    """RETURNS (str): What pages call a kind of answers."""
    main = kind.main if isinstance(kind, MixedAnswers) else kind
    if main.names == LEMMAS:
        return "lemmas"
    return next((name for make, name in KIND_NAMES.items() if isinstance(main, make)), OTHER)


def find_components(nlp: Language) -> list[Component]:
    """The components that give answers, in the order of the pipeline.

    nlp (Language): A trained pipeline.
    RETURNS (list[Component]): The components.
    """
    doc = nlp(SAMPLE)
    found = []
    for name, pipe in nlp.pipeline:
        pipe_: Any = pipe
        if callable(getattr(pipe_, "nbest", None)):
            kind = find_kind(pipe_.nbest(doc, 1)[0].annotation)
            abilities = [x for x in ABILITIES if callable(getattr(pipe_, x, None))]
            factory = nlp.get_pipe_meta(name).factory
            labels = find_labels(pipe_, kind)
            found.append(Component(name, factory, pipe_, kind, labels, abilities))
    return found


def find_labels(pipe: Any, kind: AnswerKind) -> dict[str, list[str]]:
    """The values that the annotation of a component can have.

    pipe (Any): The component.
    kind (AnswerKind): What its answers are.
    RETURNS (dict[str, list[str]]): The values by name.
    """
    labels = [str(label) for label in getattr(pipe, "labels", ())]
    name = kind_name(kind)
    if name == "tags" and labels:
        attributes: Sequence[str] = getattr(pipe, "attributes", ()) or kind.names
        values = list(zip(*(label.split(SEPARATOR) for label in labels), strict=True))
        columns = dict(zip(attributes, values, strict=False))
        return {x: [*dict.fromkeys(columns[x])] for x in kind.names if x in columns}
    chosen = {"heads": "dep", "entities": "ent", "constituents": kind.names[0]}.get(name)
    return {chosen: labels} if chosen and labels else {}


def can_share(nlp: Language) -> bool:
    """RETURNS (bool): Whether threads can use a pipeline at once: all its components are ours."""
    return all(isinstance(pipe, SavedPipe) for _, pipe in nlp.pipeline)


def choose(components: Sequence[Component], name: str, ability: str, pipeline: str) -> Component:
    """Find a component that can do something; refuse the request if there is none.

    components (Sequence[Component]): The components of the pipeline.
    name (str): The component's name.
    ability (str): What it must be able to do.
    pipeline (str): What the pipeline is called.
    RETURNS (Component): The component.
    """
    for component in components:
        if component.name == name and ability in component.abilities:
            return component
    message = Errors.SERVE_COMPONENT.format(name=pipeline, component=name)
    raise RefusedRequest(404, message, field="component")
