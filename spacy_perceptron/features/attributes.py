"""Word attributes: what a feature template can ask of a word, as 64-bit values.

Every attribute is a function of the word's text alone, so it is computed once per word type.
Strings become numbers through spaCy's own string hash. `cluster` and its prefixes, such as
`cluster6`, need a table of word clusters as well; `web.cluster6` names one of several tables.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from spacy.lang.lex_attrs import like_num, like_url, word_shape
from spacy.strings import hash_string  # type: ignore[attr-defined]

MAX_AFFIX = 9
# spaCy's word_shape gives all longer words one shape.
LONG_WORD = 100

_REPEATED = re.compile(r"(.)\1+")
_DIGITS = re.compile(r"\d")
AFFIX = re.compile(r"(?P<end>prefix|suffix)(?P<length>\d)$")
_MAIL = re.compile(r"\S+@\S+\.\S+")
_FILE = re.compile(r"\w\.(docx?|exe|gif|html?|jpe?g|mp3|pdf|png|pptx?|txt|xlsx?|xml|zip)$", re.I)


def _collapsed_shape(text: str) -> str:
    """The shape with runs shortened to one letter and a mark: Xxxxx -> Xx+."""
    if text.isalpha() and text.islower() and len(text) < LONG_WORD:
        return "x" if len(text) == 1 else "x+"
    return _REPEATED.sub(r"\1+", word_shape(text))


def _folded(text: str) -> str:
    """Lower case, with digits folded to one form: 1,024 and 2,048 are the same word."""
    return _DIGITS.sub("0", text.lower())


def _kind(text: str) -> str:
    """What sort of string this is, coarser than its shape."""
    if text.isalpha():
        if text.isupper():
            return "upper" if len(text) > 1 else "letter"
        return "lower" if text.islower() else "title" if text.istitle() else "mixed"
    if "@" in text:
        return "address" if _MAIL.fullmatch(text) else "at"
    if "://" in text or text.lower().startswith("www."):
        return "address"
    if _FILE.search(text):
        return "file"
    if like_url(text):
        return "dotted"
    if like_num(text):
        return "number"
    if not any(char.isalnum() for char in text):
        return "symbol" if len(text) == 1 else "symbols"
    return "compound" if "-" in text else "other"


def affix_slice(end: str, length: int) -> slice:
    """Where a prefix or suffix lies in a word."""
    return slice(length) if end == "prefix" else slice(-length, None)


def _affix(end: str, length: int) -> Callable[[str], str]:
    cut = affix_slice(end, length)
    return lambda text: text.lower()[cut]


ATTRIBUTES: dict[str, Callable[[str], str | bool | int]] = {
    "orth": lambda text: text,
    "lower": lambda text: text.lower(),
    "folded": _folded,
    "shape": _collapsed_shape,
    "kind": _kind,
    "digit": lambda text: not text.isalpha() and any(char.isdigit() for char in text),
    "hyphen": lambda text: "-" in text,
    "capital": lambda text: not text.islower() and any(char.isupper() for char in text),
    "title": lambda text: text[:1].isupper(),
    "upper": lambda text: text.isupper(),
    "length": lambda text: min(len(text), 12),
    **{
        f"{end}{length}": _affix(end, length)
        for end in ("prefix", "suffix")
        for length in range(1, MAX_AFFIX + 1)
    },
}


# Attributes that depend on letter case and kind alone, and those that depend on all letters.
CASE_ATTRIBUTES = ("shape", "kind", "digit", "hyphen", "capital", "title", "upper")
SPELLING_ATTRIBUTES = ("orth", "lower", "folded", "length")


# What templates may ask of a word. The last stands for all attributes of clusters.
CLUSTER = "cluster"
WORD_ATTRIBUTES = (*ATTRIBUTES, CLUSTER)
_CLUSTER_NAME = re.compile(rf"((?P<table>[a-z_]+)\.)?{CLUSTER}(?P<bits>\d*)$")


class ClusterAttribute(NamedTuple):
    """A cluster of a word.

    table (str): The name of the table; empty for the one without a name.
    bits (Optional[int]): The length of the prefix of its path; None for the whole path.
    """

    table: str
    bits: int | None


def parse_cluster(name: str) -> ClusterAttribute | None:
    """Read the name of an attribute.

    name (str): The name, such as `web.cluster6`.
    RETURNS (Optional[ClusterAttribute]): What it means; None if it is not about clusters.
    """
    match = _CLUSTER_NAME.match(name)
    if match is None:
        return None
    return ClusterAttribute(match["table"] or "", int(match["bits"]) if match["bits"] else None)


def is_attribute(name: str, known: Collection[str]) -> bool:
    """RETURNS (bool): Whether an attribute is among known ones."""
    return name in known or (CLUSTER in known and parse_cluster(name) is not None)


def word_attribute_names(names: Iterable[str]) -> list[str]:
    """RETURNS (list[str]): Those that are attributes of words, sorted."""
    return sorted(name for name in {*names} if is_attribute(name, WORD_ATTRIBUTES))


def attribute_value(name: str, text: str) -> int:
    """One attribute of one word as a number.

    name (str): Name of the attribute.
    text (str): The word.
    RETURNS (int): A 64-bit value.
    """
    value = ATTRIBUTES[name](text)
    # 1 and 2 are taken by the places outside the sentence.
    return hash_string(value) if isinstance(value, str) else int(value) + 3
