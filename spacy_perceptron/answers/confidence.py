"""`token._.<attribute>_confidence`: one list of numbers per Doc, read token by token.

The numbers live in `Doc.user_data`, so they survive DocBin, bytes and worker processes.
"""

from collections.abc import Callable
from functools import partial

from spacy.tokens import Token


def confidence_key(attribute: str) -> str:
    """Where a doc's confidences are kept in its user data.

    attribute (str): The attribute they are about, such as `tag`.
    RETURNS (str): The key.
    """
    return f"spacy_perceptron.{attribute}_confidence"


def get_confidence(token: Token, *, attribute: str) -> float | None:
    """Getter of the extension.

    token (Token): A token.
    attribute (str): The attribute the confidence is about.
    RETURNS (Optional[float]): Probability that the attribute is right; None if no component set it.
    """
    values = token.doc.user_data.get(confidence_key(attribute))
    return values[token.i] if values is not None and len(values) == len(token.doc) else None


def register_confidence(attribute: str) -> None:
    """Make `token._.<attribute>_confidence` available.

    attribute (str): The attribute the confidence is about.
    """
    name = f"{attribute}_confidence"
    if not Token.has_extension(name):
        getter: Callable[[Token], float | None] = partial(get_confidence, attribute=attribute)
        Token.set_extension(name, getter=getter)
