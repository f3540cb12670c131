"""Annotated texts of Docs."""

from collections.abc import Sequence
from typing import Any

from spacy.attrs import MORPH
from spacy.tokens import Doc, Span, Token

from ...trees.constituents import SPANS_KEY
from .texts import AUTO, ENTS, AnnotatedText, Arc, Mark, Place

_UNKNOWN_ENT = 0


def choose_role(docs: Sequence[Doc], role: str = AUTO) -> str:
    """What to mark in the texts of Docs.

    docs (Sequence[Doc]): The Docs.
    role (str): What is asked for.
    RETURNS (str): The same; for `auto` entities if any Doc is annotated with them, and else coarse
        tags, fine tags, or words with relations.
    """
    if role != AUTO:
        return role
    by_attribute = {"ENT_IOB": ENTS, "POS": "pos", "TAG": "tag", "DEP": "pos"}
    found = (name for name in by_attribute if any(doc.has_annotation(name) for doc in docs))
    return by_attribute[next(found, "ENT_IOB")]


def doc_to_text(doc: Doc, role: str) -> AnnotatedText:
    """Make an annotated text of a Doc.

    doc (Doc): The Doc.
    role (str): What to mark, one of `ROLES`.
    RETURNS (AnnotatedText): The text, with its tokens.
    """
    text = AnnotatedText(doc.text, role=role)
    text.tokens = [_place(token) for token in doc]
    text.values = _values(doc)
    has_ents = doc.has_annotation("ENT_IOB")
    if role == ENTS:
        text.marks = [_mark(ent) for ent in doc.ents] if has_ents else None
    elif doc.has_annotation(role.upper()):
        labels = [getattr(token, f"{role}_") for token in doc]
        pairs = zip(text.tokens, labels, strict=True)
        text.marks = [Mark(*place, label) for place, label in pairs if label]
    if doc.has_annotation("DEP"):
        text.arcs = [
            Arc(_place(token.head), _place(token), token.dep_)
            for token in doc
            if token.dep or token.head.i != token.i
        ]
    if SPANS_KEY in doc.spans:
        text.phrases = [_mark(span) for span in doc.spans[SPANS_KEY]]
    text.lost = _lost(doc, role, has_ents=has_ents)
    return text


def _place(token: Token) -> Place:
    return token.idx, token.idx + len(token)


def _mark(span: Span) -> Mark:
    return Mark(span.start_char, span.end_char, span.label_)


def _values(doc: Doc) -> list[dict[str, Any]]:
    """What is known of each token."""
    has_starts = doc.has_annotation("SENT_START")
    strings = doc.vocab.strings
    found = []
    for token, key in zip(doc, doc.to_array(MORPH).tolist(), strict=True):
        known = {"tag": token.tag_, "pos": token.pos_, "morph": strings[key] if key else ""}
        values: dict[str, Any] = {name: value for name, value in known.items() if value}
        if token.lemma_:
            values["lemma"] = token.lemma_
        if has_starts and token.is_sent_start is not None:
            values["sent_start"] = token.is_sent_start
        found.append(values)
    return found


def _lost(doc: Doc, role: str, *, has_ents: bool) -> list[str]:
    """What a Doc has and an annotated text has no place for."""
    found = []
    if role != ENTS and doc.ents:
        found.append("entities")
    if role == ENTS and has_ents and any(token.ent_iob == _UNKNOWN_ENT for token in doc):
        found.append("where entities are unknown")
    if any(ent.kb_id or ent.id for ent in doc.ents):
        found.append("ids of entities")
    if doc.cats:
        found.append("categories")
    found += [f"doc.spans[{name!r}]" for name in doc.spans if name != SPANS_KEY]
    return found
