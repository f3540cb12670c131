"""`token._.<attribute>_confidence`: one list of numbers per Doc, read token by token.

The numbers are a record of the Doc (`records.py`): they survive DocBin, bytes and worker processes,
and a token that was merged or split since has none.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from spacy.tokens import Doc, Token

from .records import (
    all_characters,
    keep_values,
    token_value,
    token_values,
)

Confidences = Sequence[float | None]


@cache
def confidence_key(attribute: str) -> str:
    """The name of a Doc's confidences. A plain list in `Doc.user_data` under this key, as older
    versions wrote it, counts as well: a number per token, in place of what components found.

    attribute (str): The attribute they are about, such as `tag`.
    RETURNS (str): The key.
    """
    return f"spacy_perceptron.{attribute}_confidence"


def store_confidences(
    docs: Sequence[Doc], attribute: str, values: list[Any], rows: np.ndarray | None = None
) -> None:
    """Keep confidences with Docs.

    docs (Sequence[Doc]): The documents.
    attribute (str): The attribute they are about.
    values (list[Optional[float]]): One per token of all docs; None: unknown.
    rows (Optional[np.ndarray]): First character and length of each token, if they are at hand.
    """
    if rows is None or len(rows) != len(values):
        rows = all_characters(docs)
    name = confidence_key(attribute)
    for doc in docs:
        if doc.user_data:
            doc.user_data.pop(name, None)
    keep_values(docs, name, values, rows)


def read_confidences(doc: Doc, attribute: str) -> list[float | None] | None:
    """The confidences of all tokens.

    doc (Doc): The document.
    attribute (str): The attribute they are about.
    RETURNS (Optional[list]): One per token, None where unknown; None if no component set any.
    """
    plain = doc.user_data.get(confidence_key(attribute))
    if plain is not None:
        return list(plain) if len(plain) == len(doc) else None
    return token_values(doc, confidence_key(attribute))


def get_confidence(token: Token, *, attribute: str) -> float | None:
    """Getter of the extension.

    token (Token): A token.
    attribute (str): The attribute the confidence is about.
    RETURNS (Optional[float]): Probability that the attribute is right; None if no component set it.
    """
    doc, name = token.doc, confidence_key(attribute)
    plain = doc.user_data.get(name)
    if plain is not None:
        return plain[token.i] if len(plain) == len(doc) else None
    value: float | None = token_value(token, name)
    return value


def register_confidence(attribute: str) -> None:
    """Make `token._.<attribute>_confidence` available, and the list of all as
    `doc._.<attribute>_confidence`, which `Doc.to_json` and `Doc.from_json` need.

    attribute (str): The attribute the confidence is about.
    """
    name = f"{attribute}_confidence"
    if not Token.has_extension(name):
        getter: Callable[[Token], float | None] = partial(get_confidence, attribute=attribute)
        Token.set_extension(name, getter=getter)
    if not Doc.has_extension(name):
        Doc.set_extension(
            name,
            getter=partial(read_confidences, attribute=attribute),
            setter=partial(_set_confidences, attribute=attribute),
        )


def _set_confidences(doc: Doc, values: list[float | None] | None, *, attribute: str) -> None:
    if values is not None:
        store_confidences([doc], attribute, values)
