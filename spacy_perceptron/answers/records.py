"""Records that components keep with a Doc, tied to the text and the tokens they are about.

A record lives in `Doc.user_data` under `("._.", name, start, end)`: the characters it is about.
spaCy moves such keys along when it joins or cuts Docs (`Doc.from_docs`, `Span.as_doc`), and they
survive DocBin, bytes and worker processes. `Doc.retokenize` keeps the text but not the tokens, so a
record about tokens also holds their places.
"""

from typing import Any

import numpy as np
from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc, Token

# First character and length of a token as one number, which rises from token to token.
_PLACE = np.dtype("<u8")
_SHIFT = 32


def keep_record(doc: Doc, name: str, value: Any) -> None:
    """Keep a record about a whole Doc, in place of all that there are under this name.

    doc (Doc): The document.
    name (str): Name of the record.
    value (Any): Plain data.
    """
    drop_records(doc, name)
    _data(doc)[_key(doc, name)] = value


def drop_records(doc: Doc, name: str) -> None:
    """Drop all records of a name.

    doc (Doc): The document.
    name (str): Name of the records.
    """
    data = _data(doc)
    for key in [key for key in data if _is_named(key, name)]:
        del data[key]


def whole_record(doc: Doc, name: str) -> Any:
    """RETURNS (Any): The record about a whole Doc; None if there is none."""
    return _data(doc).get(_key(doc, name))


def find_records(doc: Doc, name: str) -> list[tuple[int, Any]]:
    """All records of a name: several if the Doc was joined from others.

    doc (Doc): The document.
    name (str): Name of the records.
    RETURNS (list[tuple[int, Any]]): The first character and the value of each, in the order of the
        text. The character can be negative: the Doc was cut from another.
    """
    found = [(key[2], value) for key, value in _data(doc).items() if _is_named(key, name)]
    return sorted(found, key=lambda record: record[0])


def record_names(doc: Doc, prefix: str) -> list[str]:
    """RETURNS (list[str]): What follows a prefix in the names of records, in order of storing."""
    names = [key[1] for key in _data(doc) if _is_record(key) and key[1].startswith(prefix)]
    return [name.removeprefix(prefix) for name in dict.fromkeys(names)]


def _data(doc: Doc) -> dict[Any, Any]:
    """User data as it is: spaCy's own keys are tuples."""
    return doc.user_data


def _key(doc: Doc, name: str) -> tuple[str, str, int, int]:
    end = doc[-1].idx + len(doc[-1]) if len(doc) else 0
    return ("._.", name, 0, end)


def _is_named(key: Any, name: str) -> bool:
    return _is_record(key) and key[1] == name


def _is_record(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 4 and key[0] == "._." and key[2] is not None


def token_places(doc: Doc) -> bytes:
    """RETURNS (bytes): Where the tokens of a Doc are: the same only for the same tokens."""
    starts, lengths = doc.to_array([IDX, LENGTH]).T
    return as_places(starts << np.uint64(_SHIFT) | lengths)


def as_places(numbers: np.ndarray) -> bytes:
    """RETURNS (bytes): Places, from their numbers."""
    return numbers.astype(_PLACE).tobytes()


def move_places(places: bytes, n_characters: int) -> np.ndarray:
    """RETURNS (np.ndarray): Places that many characters later; negative ones are outside."""
    return np.frombuffer(places, _PLACE).astype(np.int64) + (n_characters << _SHIFT)


def find_token(places: bytes, token: Token) -> int | None:
    """Find a token among those that a record was made for.

    places (bytes): The places of the record.
    token (Token): The token.
    RETURNS (Optional[int]): The number of the token in the record; None if it is not there.
    """
    place = token.idx << _SHIFT | len(token)
    at = _PLACE.itemsize * token.i
    if places[at : at + _PLACE.itemsize] == place.to_bytes(_PLACE.itemsize, "little"):
        return token.i
    known = np.frombuffer(places, _PLACE)
    i = int(np.searchsorted(known, np.uint64(place)))
    return i if i < len(known) and int(known[i]) == place else None
