"""Reading fields of records, with messages that name the line and the field."""

from collections.abc import Mapping
from typing import Any

from ...errors import Errors
from .texts import MARKS, ROLES, AnnotatedText, Mark, Place

Record = Mapping[str, Any]


def fail(where: str, name: str, expected: str, found: Any) -> ValueError:
    """RETURNS (ValueError): That a field should be something else."""
    message = Errors.ANNOTATIONS_FIELD.format(
        where=where, field=name, expected=expected, found=_short(found)
    )
    return ValueError(message)


def read_text(record: Record, where: str) -> str:
    """RETURNS (str): The text of a record."""
    text = record.get("text")
    if not isinstance(text, str) or not _is_unicode(text):
        raise fail(where, "text", "a text", text)
    return text


def _is_unicode(text: str) -> bool:
    """RETURNS (bool): Whether a text has no halves of characters, which JSON can spell."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def read_role(record: Record, where: str) -> str:
    """RETURNS (str): What the marks of a record are; empty if it does not say."""
    role = record.get(MARKS)
    if role is None:
        return ""
    if role not in ROLES:
        raise fail(where, MARKS, "one of " + ", ".join(ROLES), role)
    return str(role)


def read_list(record: Record, name: str, where: str) -> list[Any]:
    """RETURNS (list): A field that is a list; empty if it is not there, or null."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise fail(where, name, "a list", value)
    return value


def read_object(value: Any, name: str, where: str) -> Record:
    """RETURNS (Record): An item that is an object."""
    if not isinstance(value, dict):
        raise fail(where, name, "an object", value)
    return value


def read_number(record: Record, key: str, name: str, where: str) -> int:
    """RETURNS (int): A field of an item that is a whole number."""
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise fail(where, f"{name}.{key}", "a whole number", value)
    return value


def read_label(value: Any, name: str, where: str) -> str:
    """RETURNS (str): A label; empty for null."""
    if value is None:
        return ""
    if not isinstance(value, str) or not _is_unicode(value):
        raise fail(where, name, "a text", value)
    return value


def make_mark(text: str, start: Any, end: Any, label: Any, *, name: str, where: str) -> Mark:
    """A mark, if it lies within the text.

    text (str): The text.
    start, end, label (Any): What a record says.
    name (str): Name of the item, for messages.
    where (str): File and line.
    RETURNS (Mark): The mark.
    """
    start, end = check_place(text, (start, end), name=name, where=where)
    return Mark(start, end, read_label(label, f"{name}.label", where))


def check_place(text: str, place: tuple[Any, Any], *, name: str, where: str) -> Place:
    """RETURNS (tuple[int, int]): Characters, if they lie within the text."""
    are_numbers = all(isinstance(x, int) and not isinstance(x, bool) for x in place)
    if not are_numbers or not 0 <= place[0] < place[1] <= len(text):
        expected = f"characters of the text, which has {len(text)}"
        raise fail(where, name, expected, list(place))
    return place


def check_tokens(text: AnnotatedText) -> None:
    """Raise ValueError if tokens overlap, or leave out something of the text.

    text (AnnotatedText): The text.
    """
    end = 0
    for number, (start, stop) in enumerate(text.tokens or ()):
        if start < end or text.text[end:start].strip():
            raise ValueError(
                Errors.ANNOTATIONS_TOKEN.format(
                    where=text.where,
                    number=number,
                    token=text.text[start:stop],
                    start=start,
                    end=stop,
                    before=end,
                )
            )
        end = stop
    if text.tokens is not None and text.text[end:].strip():
        rest = _short(text.text[end:])
        raise ValueError(Errors.ANNOTATIONS_REST.format(where=text.where, rest=rest))


def _short(value: Any) -> str:
    """RETURNS (str): A value for a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
