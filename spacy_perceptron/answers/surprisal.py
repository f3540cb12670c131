"""`token._.surprisal`: how unexpected a token is after those before it in its sentence, in bits.

The numbers are a record of the Doc (`records.py`), like confidences.
"""

from collections.abc import Sequence
from functools import partial

from spacy.tokens import Doc, Token

from .records import all_characters, keep_values, token_value, token_values

_NAME = "spacy_perceptron.surprisal"


def store_surprisal(docs: Sequence[Doc], values: list[float | None]) -> None:
    """Keep surprisal with Docs.

    docs (Sequence[Doc]): The documents.
    values (list[Optional[float]]): Bits of each token of all docs; None: unknown.
    """
    keep_values(docs, _NAME, values, all_characters(docs))


def get_surprisal(token: Token) -> float | None:
    """Getter of `token._.surprisal`.

    token (Token): A token.
    RETURNS (Optional[float]): Bits; None for whitespace, and if no component has measured it.
    """
    bits: float | None = token_value(token, _NAME)
    return bits


def register_surprisal() -> None:
    """Make `token._.surprisal` available, and the list of all as `doc._.surprisal`."""
    if not Token.has_extension("surprisal"):
        Token.set_extension("surprisal", getter=get_surprisal)
    if not Doc.has_extension("surprisal"):
        Doc.set_extension("surprisal", getter=partial(token_values, name=_NAME), setter=_set)


def _set(doc: Doc, values: list[float | None] | None) -> None:
    if values is not None:
        store_surprisal([doc], values)
