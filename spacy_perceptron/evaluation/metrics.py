"""What can be compared between predictions and gold: names of metrics, and what they read.

Token metrics read a value per token, sentence metrics ask whether all tokens of a sentence are
right, span metrics read labelled stretches of text, bracket metrics read constituents.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spacy.tokens import Doc, Token

Value = Any
Spans = set[tuple[int, int, str]]


def _never(token: Token) -> bool:
    return False


@dataclass(frozen=True)
class TokenMetric:
    """What a metric compares.

    attr (str): The annotation both sides need.
    get_value (Callable): Reads a token's value; None where it is missing.
    is_left_out (Callable): Whether to leave out a token, on its own side only.
    """

    attr: str
    get_value: Callable[[Token], Value]
    is_left_out: Callable[[Token], bool] = _never


def _tag(token: Token) -> Value:
    return token.tag_ or None


def _pos(token: Token) -> Value:
    return token.pos_ or None


def _morph(token: Token) -> Value:
    return str(token.morph) if token.has_morph() else None


def _lemma(token: Token) -> Value:
    return token.lemma_ or None


def _head(token: Token) -> Value:
    return token.head.i if token.has_head() else None


def _head_and_label(token: Token) -> Value:
    return (token.head.i, token.dep_) if token.has_head() and token.has_dep() else None


def _head_and_lower_label(token: Token) -> Value:
    value = _head_and_label(token)
    return value and (value[0], value[1].lower())


def _is_punctuation(token: Token) -> bool:
    return token.dep_.lower() in ("p", "punct")


def _entities(doc: Doc) -> Spans:
    return {(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents}


def _sentences(doc: Doc) -> Spans:
    return {(sent.start_char, sent.end_char, "") for sent in doc.sents}


TOKEN_METRICS: dict[str, TokenMetric] = {
    "tag_acc": TokenMetric("TAG", _tag),
    "pos_acc": TokenMetric("POS", _pos),
    "morph_acc": TokenMetric("MORPH", _morph),
    "lemma_acc": TokenMetric("LEMMA", _lemma),
    "dep_uas": TokenMetric("DEP", _head, _is_punctuation),
    "dep_las": TokenMetric("DEP", _head_and_lower_label, _is_punctuation),
    "dep_uas_all": TokenMetric("DEP", _head),
    "dep_las_all": TokenMetric("DEP", _head_and_label),
}
# Name -> the token metric in which all tokens of a sentence must be right.
SENTENCE_METRICS = {"dep_exact": "dep_uas_all", "dep_exact_labelled": "dep_las_all"}
# Name -> the annotation both sides need, and how to read a document's spans, in characters.
SPAN_METRICS: dict[str, tuple[str, Callable[[Doc], Spans]]] = {
    "ents_f": ("ENT_IOB", _entities),
    "sents_f": ("SENT_START", _sentences),
}
# Brackets of constituency trees, and sentences with all of them right.
BRACKET_METRICS = ("const_f", "const_exact")
METRICS = (*TOKEN_METRICS, *SENTENCE_METRICS, *SPAN_METRICS, *BRACKET_METRICS)
