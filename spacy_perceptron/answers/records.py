"""Records that components keep with a Doc, tied to the text and the tokens they are about.

A record lives in `Doc.user_data` under `("._.", name, start, end)`: the characters it is about.
spaCy moves such keys along when it joins or cuts Docs (`Doc.from_docs`, `Span.as_doc`), and they
survive DocBin, bytes and worker processes. `Doc.retokenize` keeps the text but not the tokens, so a
record about tokens also holds their places.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc, Token

# First character and length of a token.
_PLACE = np.dtype("<u4")
_PACK = struct.Struct("<II").pack
_UNPACK = struct.Struct("<II").unpack
_SIZE = 2 * _PLACE.itemsize


def keep_record(doc: Doc, name: str, value: Any) -> None:
    """Keep a record about a whole Doc, in place of all that there are under this name.

    doc (Doc): The document.
    name (str): Name of the record.
    value (Any): Plain data.
    """
    _keep(_data(doc), _key(doc, name), value)


def keep_placed_record(doc: Doc, name: str, places: bytes, value: Any) -> None:
    """The same for a record that starts with the places of the tokens.

    doc (Doc): The document.
    name (str): Name of the record.
    places (bytes): The places of all tokens.
    value (Any): Plain data.
    """
    end = sum(_UNPACK(places[-_SIZE:])) if places else 0
    _keep(_data(doc), ("._.", name, 0, end), [places, value])


def _keep(data: dict[Any, Any], key: tuple[str, str, int, int], value: Any) -> None:
    # This runs for every component and Doc.
    if data and key not in data:
        for other in _named_keys(data, key[1]):
            del data[other]
    data[key] = value


def drop_records(doc: Doc, name: str) -> None:
    """Drop all records of a name.

    doc (Doc): The document.
    name (str): Name of the records.
    """
    data = _data(doc)
    for key in _named_keys(data, name):
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
    data = _data(doc)
    found = [(key[2], data[key]) for key in _named_keys(data, name)]
    return sorted(found, key=lambda record: record[0])


def record_names(doc: Doc, prefix: str) -> list[str]:
    """RETURNS (list[str]): What follows a prefix in the names of records, in order of storing."""
    names = [key[1] for key in _data(doc) if _is_record(key) and key[1].startswith(prefix)]
    return [name.removeprefix(prefix) for name in dict.fromkeys(names)]


def _data(doc: Doc) -> dict[Any, Any]:
    """User data as it is: spaCy's own keys are tuples."""
    return doc.user_data


def _key(doc: Doc, name: str) -> tuple[str, str, int, int]:
    if not len(doc):
        return ("._.", name, 0, 0)
    last = doc[-1]
    return ("._.", name, 0, last.idx + len(last))


def _named_keys(data: dict[Any, Any], name: str) -> list[Any]:
    """The keys of all records of a name. Every component asks, so the usual answer is fast."""
    return [key for key in data if type(key) is tuple and name in key and _is_record(key)]


def _is_record(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 4 and key[0] == "._." and key[2] is not None


def token_places(doc: Doc) -> bytes:
    """RETURNS (bytes): Where the tokens of a Doc are: the same only for the same tokens."""
    return as_places(doc.to_array([IDX, LENGTH]))


def as_places(rows: np.ndarray) -> bytes:
    """RETURNS (bytes): Places, from the first character and the length of each token."""
    return rows.astype(_PLACE).tobytes()


def split_places(rows: np.ndarray, docs: Iterable[Doc]) -> Iterator[bytes]:
    """Places of the tokens of several docs. To read them doc by doc takes much longer.

    rows (np.ndarray): The first character and the length of each token of all docs.
    docs (Iterable[Doc]): The docs.
    YIELDS (bytes): The places of each.
    """
    places = as_places(rows)
    start = 0
    for doc in docs:
        end = start + _SIZE * len(doc)
        yield places[start:end]
        start = end


def move_places(places: bytes, n_characters: int) -> np.ndarray:
    """The places of tokens some characters later.

    places (bytes): The places.
    n_characters (int): How many characters. If negative, first characters can be negative too.
    RETURNS (np.ndarray): The first character and the length of each token.
    """
    rows = np.frombuffer(places, _PLACE).reshape(-1, 2).astype(np.int64)
    rows[:, 0] += n_characters
    return rows


def find_token(places: bytes, token: Token) -> int | None:
    """Find a token among those that a record was made for.

    places (bytes): The places of the record.
    token (Token): The token.
    RETURNS (Optional[int]): The number of the token in the record; None if it is not there.
    """
    place = _PACK(token.idx, len(token))
    i = token.i
    if places[_SIZE * i : _SIZE * (i + 1)] == place:
        return i
    first_characters = np.frombuffer(places, _PLACE)[::2]
    i = int(np.searchsorted(first_characters, token.idx))
    return i if places[_SIZE * i : _SIZE * (i + 1)] == place else None
