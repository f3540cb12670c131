"""Records that components keep with a Doc, tied to the text and the tokens they are about.

A record lives in `Doc.user_data` under `("._.", name, start, end)`: the characters it is about.
spaCy moves such keys along when it joins or cuts Docs (`Doc.from_docs`, `Span.as_doc`), and they
survive DocBin, bytes and worker processes. `Doc.retokenize` keeps the text but not the tokens, so a
record about tokens also holds their places.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc, Token

# First character and length of a token.
_PLACE = np.dtype("<u4")
_PACK = struct.Struct("<II").pack
_SIZE = 2 * _PLACE.itemsize


def keep_record(doc: Doc, name: str, value: Any) -> None:
    """Keep a record about a whole Doc, in place of all that there are under this name.

    doc (Doc): The document.
    name (str): Name of the record.
    value (Any): Plain data.
    """
    key = _key(doc, name)
    data = _data(doc)
    if data and key not in data:
        drop_records(doc, name)
    data[key] = value


def keep_values(docs: Sequence[Doc], name: str, values: list[Any], rows: np.ndarray) -> None:
    """Keep records of values, one per token, with the places of the tokens. Every component does so
    for every Doc, so this is fast.

    docs (Sequence[Doc]): The docs.
    name (str): Name of the records.
    values (list): The values of all tokens of all docs.
    rows (np.ndarray): The first character and the length of each of these tokens.
    """
    places, ends = as_places(rows), rows.sum(axis=1).tolist()
    start = 0
    for doc in docs:
        data = _data(doc)
        end = start + len(doc)
        key = ("._.", name, 0, ends[end - 1] if end > start else 0)
        if data and key not in data:
            drop_records(doc, name)
        data[key] = [places[_SIZE * start : _SIZE * end], values[start:end]]
        start = end


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


def joined_record(doc: Doc, name: str) -> list[Any] | None:
    """The record of values with places: one for the whole Doc, also if it was joined from others.

    doc (Doc): The document.
    name (str): Name of the record.
    RETURNS (Optional[list]): The places, then columns of values, one per place; None if there is no
        such record.
    """
    record = whole_record(doc, name)
    if record is None:
        parts = find_records(doc, name)
        if not parts:
            return None
        # One record for the Doc, so that the next value is found at once.
        record = _join_parts(parts)
        keep_record(doc, name, record)
    return record


def _join_parts(parts: Sequence[tuple[int, Any]]) -> list[Any]:
    """One record from those of joined Docs, as far as they are still there."""
    rows = [np.zeros((0, 2), np.int64)]
    joined: list[list[Any]] = [[] for _ in parts[0][1][1:]]
    for first, (places, *columns) in parts:
        moved = move_places(places, first)
        inside = moved[:, 0] >= 0
        rows.append(moved[inside])
        for values, column in zip(joined, columns, strict=True):
            values += [value for value, kept in zip(column, inside, strict=True) if kept]
    return [as_places(np.concatenate(rows)), *joined]


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


def token_values(doc: Doc, name: str) -> list[Any] | None:
    """The values of all tokens, as records say.

    doc (Doc): The document.
    name (str): Name of the records.
    RETURNS (Optional[list]): One per token, None where unknown; None if there are no records.
    """
    record = joined_record(doc, name)
    if record is None:
        return None
    places, values = record
    if places == token_places(doc):
        return list(values)
    found = [find_token(places, token) for token in doc]
    return [None if i is None else values[i] for i in found]


def token_places(doc: Doc) -> bytes:
    """RETURNS (bytes): Where the tokens of a Doc are: the same only for the same tokens."""
    return as_places(token_characters(doc))


def token_characters(doc: Doc) -> np.ndarray:
    """RETURNS (np.ndarray): The first character and the length of each token."""
    return doc.to_array([IDX, LENGTH])


def all_characters(docs: Iterable[Doc]) -> np.ndarray:
    """RETURNS (np.ndarray): The same of all tokens of several Docs."""
    return np.concatenate([np.zeros((0, 2), np.uint64), *map(token_characters, docs)])


def as_places(rows: np.ndarray) -> bytes:
    """RETURNS (bytes): Places, from the first character and the length of each token."""
    return rows.astype(_PLACE).tobytes()


def move_places(places: bytes, n_characters: int) -> np.ndarray:
    """The places of tokens some characters later.

    places (bytes): The places.
    n_characters (int): How many characters. If negative, first characters can be negative too.
    RETURNS (np.ndarray): The first character and the length of each token.
    """
    rows = np.frombuffer(places, _PLACE).reshape(-1, 2).astype(np.int64)
    rows[:, 0] += n_characters
    return rows


def find_places(places: bytes, first: int, length: int) -> list[int]:
    """Find characters among those that a record is about.

    places (bytes): The places of the record, in the order of their first characters.
    first (int): The first character.
    length (int): How many characters.
    RETURNS (list[int]): The numbers of all places that are exactly there.
    """
    first_characters = np.frombuffer(places, _PLACE)[::2]
    start = int(np.searchsorted(first_characters, first))
    end = int(np.searchsorted(first_characters, first, side="right"))
    place = _PACK(first, length)
    return [i for i in range(start, end) if places[_SIZE * i : _SIZE * (i + 1)] == place]


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


def token_value(token: Token, name: str) -> Any:
    """RETURNS (Any): The value of a token in a record that `keep_values` has made; None if there is
    none."""
    record = joined_record(token.doc, name)
    if record is None:
        return None
    places, values = record
    i = find_token(places, token)
    return None if i is None else values[i]
