"""Word attributes: what a feature template can ask of a word, as 64-bit values.

Every attribute is a function of the word's text alone, so it is computed once per word type.
Strings become numbers through spaCy's own string hash.
"""

import re
from collections.abc import Callable

from spacy.lang.lex_attrs import like_num, like_url, word_shape
from spacy.strings import hash_string  # type: ignore[attr-defined]
from spacy.vocab import Vocab

MAX_AFFIX = 9
# spaCy's word_shape gives all longer words one shape.
LONG_WORD = 100

_REPEATED = re.compile(r"(.)\1+")
_DIGITS = re.compile(r"\d")
_AFFIX = re.compile(r"(?P<end>prefix|suffix)(?P<length>\d)$")
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


def _cut(end: str, length: int) -> slice:
    """Where a prefix or suffix lies in a word."""
    return slice(length) if end == "prefix" else slice(-length, None)


def _affix(end: str, length: int) -> Callable[[str], str]:
    cut = _cut(end, length)
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
_SPELLING = ("orth", "lower", "folded", "length")


def attribute_value(name: str, text: str) -> int:
    """One attribute of one word as a number.

    name (str): Name of the attribute.
    text (str): The word.
    RETURNS (int): A 64-bit value.
    """
    value = ATTRIBUTES[name](text)
    # 1 and 2 are taken by the places outside the sentence.
    return hash_string(value) if isinstance(value, str) else int(value) + 3


class WordAttributes:
    """Computes the attributes that some templates use. Text is full of new words, so this is a hot
    path: what many words have in common is computed once.

    vocab (Vocab): Where word hashes are looked up.
    names (list[str]): Attribute names, in column order.
    """

    def __init__(self, vocab: Vocab, names: list[str]):
        self.vocab = vocab
        self.names = names
        self._affixes = [
            (column, _cut(match["end"], int(match["length"])), int(match["length"]))
            for column, name in enumerate(names)
            if (match := _AFFIX.match(name))
        ]
        self._case = [(i, name) for i, name in enumerate(names) if name in CASE_ATTRIBUTES]
        self._spelling = [(i, name) for i, name in enumerate(names) if name in _SPELLING]
        self._case_values: dict[tuple[bool, bool, bool, int], list[int]] = {}

    def __call__(self, orth: int) -> list[int]:
        """Attribute values of one word.

        orth (int): The word's hash.
        RETURNS (list[int]): One value per name.
        """
        text = self.vocab.strings[orth]
        lower = text.lower()
        whole, n_letters, is_alpha = hash_string(lower), len(lower), text.isalpha()
        values = [0] * len(self.names)
        for column, cut, length in self._affixes:
            values[column] = whole if length >= n_letters else hash_string(lower[cut])
        for column, name in self._spelling:
            if name == "orth":
                values[column] = whole if text == lower else hash_string(text)
            elif name == "lower" or (name == "folded" and is_alpha):
                values[column] = whole
            else:
                values[column] = attribute_value(name, text)
        case = (text.islower(), text.isupper(), text.istitle())
        if is_alpha and any(case) and n_letters < LONG_WORD:
            # Plain words of the same case differ in these attributes only up to three letters.
            key = (*case, min(len(text), 3))
            case_values = self._case_values.get(key)
            if case_values is None:
                case_values = [attribute_value(name, text) for _, name in self._case]
                self._case_values[key] = case_values
        else:
            case_values = [attribute_value(name, text) for _, name in self._case]
        for (column, _), value in zip(self._case, case_values, strict=True):
            values[column] = value
        return values
