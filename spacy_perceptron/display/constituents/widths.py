"""How wide texts will be: an estimate on the safe side, as only the browser knows its fonts."""

import unicodedata

# In pixels.
WORD_SIZE, LABEL_SIZE, TAG_SIZE, FIGURE_SIZE = 14, 12, 11, 10
# In parts of the font's size.
MONOSPACE, WIDE, EMOJI = 0.61, 1.05, 1.4
BROAD_LETTERS, BROAD = frozenset("mwMW@%&—…"), 0.98
SLIM_LETTERS, SLIM = frozenset("fijlrtI.,;:'!|()[]/ -"), 0.43
CAPITAL, LETTER = 0.75, 0.64
# Longer texts are cut.
MAX_WORD, MAX_LABEL = 28, 20


def shorten(text: str, length: int) -> str:
    """RETURNS (str): The text, cut to a number of characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def word_width(text: str) -> float:
    """RETURNS (float): The width of a word in pixels."""
    return WORD_SIZE * sum(map(_character, text))


def label_width(text: str, size: int = LABEL_SIZE) -> float:
    """RETURNS (float): The width of a label, whose letters are equally wide, in pixels."""
    return size * sum(_full_width(c) or MONOSPACE for c in text)


def _full_width(character: str) -> float:
    """RETURNS (float): The width of East Asian characters and emoji, 0 for others."""
    if unicodedata.east_asian_width(character) not in "WF":
        return 0.0
    return EMOJI if unicodedata.category(character) == "So" else WIDE


def _character(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if character in SLIM_LETTERS:
        return SLIM
    if character in BROAD_LETTERS:
        return BROAD
    return _full_width(character) or (CAPITAL if character.isupper() else LETTER)
