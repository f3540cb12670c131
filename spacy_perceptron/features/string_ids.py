"""The numbers by which Docs know texts."""

from spacy.strings import hash_string  # type: ignore[attr-defined]
from spacy.symbols import IDS


def string_id(text: str) -> int:
    """The number that spaCy has for a text. It is the text's hash, but not for names of spaCy's own
    such as `NOUN` or `POS`, which can be tags or words all the same.

    text (str): The text.
    RETURNS (int): What the arrays of a Doc have for it.
    """
    number = IDS.get(text)
    return hash_string(text) if number is None else number
