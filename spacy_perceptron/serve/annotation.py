"""What a pipeline says of a text, as plain data for a page."""

from collections.abc import Iterable, Sequence
from typing import Any

from spacy.tokens import Doc

from ..answers.confidence import read_confidences
from ..answers.explanation import Explanation
from ..display.answers import Answers, ask, find_confidences
from ..display.drawing import SentenceDrawing, draw_candidates, draw_sentences
from .components import Component


def read_prediction(doc: Doc, component: Component) -> Answers:
    """What was predicted, without other answers.

    doc (Doc): A doc that the pipeline has processed.
    component (Component): The component.
    RETURNS (Answers): The prediction; there are no candidates.
    """
    kind = component.kind
    return Answers(
        [token.text for token in doc],
        kind.read(doc),
        find_confidences(doc, kind.confidences),
        [],
        [token.tag_ or token.pos_ for token in doc],
        direction_of(doc),
        [i for i, token in enumerate(doc) if token.is_sent_start],
        kind.item_confidences(doc),
    )


def direction_of(doc: Doc) -> str:
    """RETURNS (str): The direction of the writing system: `ltr` or `rtl`."""
    return str(doc.vocab.writing_system.get("direction", "ltr"))


def find_sentences(doc: Doc) -> list[tuple[int, int]]:
    """RETURNS (list[tuple[int, int]]): Start and end of each sentence; without known boundaries, a
    text is one."""
    if not len(doc):
        return []
    if not doc.has_annotation("SENT_START"):
        return [(0, len(doc))]
    return [(sentence.start, sentence.end) for sentence in doc.sents]


def describe_doc(doc: Doc, components: Sequence[Component]) -> dict[str, Any]:
    """All that a pipeline says of a text.

    doc (Doc): A doc that the pipeline has processed.
    components (Sequence[Component]): The components that are shown.
    RETURNS (dict[str, Any]): Tokens, sentences, entities, and the annotation of each component.
    """
    confidences = _find_confidences(doc, components)
    return {
        "text": doc.text,
        "direction": direction_of(doc),
        "tokens": describe_tokens(doc, confidences),
        "sentences": [list(bounds) for bounds in find_sentences(doc)],
        "ents": _describe_entities(doc, confidences.get("ent")),
        "components": [_describe_component(doc, component) for component in components],
    }


def describe_tokens(
    doc: Doc, confidences: dict[str, list[float | None]] | None = None
) -> list[dict[str, Any]]:
    """The tokens of a text.

    doc (Doc): The doc.
    confidences (Optional[dict]): How sure the pipeline is of each token, by attribute.
    RETURNS (list[dict[str, Any]]): A dict for each token.
    """
    known = confidences or {}
    return [
        {
            "i": token.i,
            "text": token.text,
            "whitespace": token.whitespace_,
            "is_space": token.is_space,
            "tag": token.tag_,
            "pos": token.pos_,
            "morph": str(token.morph),
            "lemma": token.lemma_,
            "head": token.head.i,
            "dep": token.dep_,
            "confidence": {
                name: values[token.i]
                for name, values in known.items()
                if values[token.i] is not None
            },
        }
        for token in doc
    ]


def _find_confidences(doc: Doc, components: Iterable[Component]) -> dict[str, list[float | None]]:
    names = dict.fromkeys(name for one in components for name in one.kind.confidences)
    found = {name: read_confidences(doc, name) for name in names}
    return {name: values for name, values in found.items() if values is not None}


def _describe_entities(doc: Doc, confidences: list[float | None] | None) -> list[dict[str, Any]]:
    """The entities, each as sure as its least sure token."""
    found = []
    for entity in doc.ents:
        known = [x for x in (confidences or [])[entity.start : entity.end] if x is not None]
        found.append(
            {
                "start": entity.start,
                "end": entity.end,
                "label": entity.label_,
                "confidence": min(known, default=None),
            }
        )
    return found


def _describe_component(doc: Doc, component: Component) -> dict[str, Any]:
    answers = read_prediction(doc, component)
    return {
        "name": component.name,
        "kind": component.kind_name,
        "annotation": component.kind.as_plain_data(answers.predicted),
        "labels": answers.labels(),
        "confidences": answers.confidences,
        "drawings": _as_dicts(draw_sentences(answers)) if len(doc) else [],
    }


def describe_answers(doc: Doc, component: Component, k: int) -> dict[str, Any]:
    """The best answers of a component to a text.

    doc (Doc): A doc that the pipeline has processed.
    component (Component): The component.
    k (int): How many answers.
    RETURNS (dict[str, Any]): The answers, and the tokens on which they differ.
    """
    answers = ask(component.pipe, doc, k)
    ranks = range(len(answers.candidates))
    drawings = draw_candidates(answers) if len(doc) else [[] for _ in ranks]
    candidates = [
        {
            "probability": candidate.probability,
            "score": candidate.score,
            "annotation": answers.kind.as_plain_data(candidate.annotation),
            "labels": answers.labels(rank),
            "differs": [bool(text) for text in answers.differences(rank)],
            "drawings": _as_dicts(drawings[rank]),
        }
        for rank, candidate in enumerate(answers.candidates)
    ]
    return {
        "component": component.name,
        "columns": answers.differing(),
        "candidates": candidates,
    }


def describe_explanation(explanation: Explanation) -> dict[str, Any]:
    """Why a component decided as it did.

    explanation (Explanation): The decision.
    RETURNS (dict[str, Any]): All features; and as `rows` the strongest, with the rest as one.
    """
    rows = [feature.to_dict() for feature in explanation.shown]
    return {**explanation.to_dict(), "title": explanation.title, "rows": rows}


def _as_dicts(drawings: Iterable[SentenceDrawing]) -> list[dict[str, Any]]:
    return [{"start": one.start, "end": one.end, "html": one.html} for one in drawings]
