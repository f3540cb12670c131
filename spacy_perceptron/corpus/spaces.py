"""Running text from the tokens of a treebank: which words are followed by a space."""

import re
from collections.abc import Sequence

from spacy.tokens import Token

_NO_SPACE_BEFORE = re.compile(
    r"^(?:[.,:;?!%)\]}]+|'|''|\u2019|\u201d|n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m|em))$",
    re.IGNORECASE,
)
_NO_SPACE_AFTER = re.compile(r"^(?:[(\[{]|``|`|\u2018|\u201c|[A-Z]{0,3}[$\u00a3\u20ac#])$")
_SPLIT_WORDS = {
    ("can", "not"),
    ("gon", "na"),
    ("wan", "na"),
    ("got", "ta"),
    ("lem", "me"),
    ("gim", "me"),
}


def guess_spaces(words: Sequence[str]) -> list[bool]:
    """Guess from the words of a treebank whether a space follows each of them in running text.

    words (Sequence[str]): The words, brackets unescaped.
    RETURNS (list[bool]): One value per word, False for the last.
    """
    spaces = []
    quotes = 0
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else ""
        quotes += word == '"'
        opens = word == '"' and quotes % 2 == 1
        closes = following == '"' and quotes % 2 == 1
        joined = (
            not following
            or opens
            or closes
            or _NO_SPACE_AFTER.match(word) is not None
            or _NO_SPACE_BEFORE.match(following) is not None
            or (word.lower(), following.lower()) in _SPLIT_WORDS
        )
        spaces.append(not joined)
    return spaces


def is_white(token: Token) -> bool:
    """Whether a token is white space. Unlike `token.is_space`, this needs no language's vocab."""
    return token.text.isspace()
