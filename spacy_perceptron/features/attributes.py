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

_REPEATED = re.compile(r"(.)\1+")
_DIGITS = re.compile(r"\d")
_MAIL = re.compile(r"\S+@\S+\.\S+")
_FILE = re.compile(r"\w\.(docx?|exe|gif|html?|jpe?g|mp3|pdf|png|pptx?|txt|xlsx?|xml|zip)$", re.I)


def _collapsed_shape(text: str) -> str:
    """The shape with runs shortened to one letter and a mark: Xxxxx -> Xx+."""
    return _REPEATED.sub(r"\1+", word_shape(text))


def _folded(text: str) -> str:
    """Lower case, with digits folded to one form: 1,024 and 2,048 are the same word."""
    return _DIGITS.sub("0", text.lower())


def _kind(text: str) -> str:
    """What sort of string this is, coarser than its shape."""
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
    if text.isalpha():
        if text.isupper():
            return "upper" if len(text) > 1 else "letter"
        return "lower" if text.islower() else "title" if text.istitle() else "mixed"
    return "compound" if "-" in text else "other"


def _prefix(length: int) -> Callable[[str], str]:
    return lambda text: text.lower()[:length]


def _suffix(length: int) -> Callable[[str], str]:
    return lambda text: text.lower()[-length:]


ATTRIBUTES: dict[str, Callable[[str], str | bool | int]] = {
    "orth": lambda text: text,
    "lower": lambda text: text.lower(),
    "folded": _folded,
    "shape": _collapsed_shape,
    "kind": _kind,
    "digit": lambda text: any(char.isdigit() for char in text),
    "hyphen": lambda text: "-" in text,
    "capital": lambda text: any(char.isupper() for char in text),
    "title": lambda text: text[:1].isupper(),
    "upper": lambda text: text.isupper(),
    "length": lambda text: min(len(text), 12),
    **{f"prefix{n}": _prefix(n) for n in range(1, MAX_AFFIX + 1)},
    **{f"suffix{n}": _suffix(n) for n in range(1, MAX_AFFIX + 1)},
}


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
    """Computes the attributes that some templates use.

    vocab (Vocab): Where word hashes are looked up.
    names (list[str]): Attribute names, in column order.
    """

    def __init__(self, vocab: Vocab, names: list[str]):
        self.vocab = vocab
        self.names = names

    def __call__(self, orth: int) -> list[int]:
        """Attribute values of one word.

        orth (int): The word's hash.
        RETURNS (list[int]): One value per name.
        """
        text = self.vocab.strings[orth]
        return [attribute_value(name, text) for name in self.names]
