"""A CoNLL-U sentence as plain data: words, multi-word tokens, comments and the spaces between.

White space behind a token is a string here: nothing after `SpaceAfter=No`, whatever `SpacesAfter=`
says in UDPipe's escapes, and a space otherwise. Inside a multi-word token there is none, and what
follows the token stands on its own line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

NOTHING = "_"
PARAGRAPH = "\n\n"
NO_SPACE = "SpaceAfter=No"
_SPACES = "SpacesAfter="
_CODES = {" ": "s", "\t": "t", "\r": "r", "\n": "n", "|": "p", "\\": "\\"}
_CHARACTERS = {code: char for char, code in _CODES.items()}
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def decode_spaces(text: str) -> str:
    """White space as written in MISC (`\\s\\n`), as it is in the text."""

    def character(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else _CHARACTERS.get(match[2], match[0])

    return _ESCAPED.sub(character, text)


def encode_spaces(text: str) -> str:
    """White space of a text as written in MISC."""
    return "".join(
        f"\\{_CODES[char]}" if char in _CODES else f"\\u{ord(char):04X}" if char.isspace() else char
        for char in text
    )


def spaces_after(misc: str) -> str:
    """The white space behind a token whose MISC column this is."""
    for item in misc.split("|"):
        if item == NO_SPACE:
            return ""
        if item.startswith(_SPACES):
            return decode_spaces(item[len(_SPACES) :])
    return " "


def misc_of(spaces: str) -> str:
    """The MISC column of a token with this white space behind it."""
    if spaces == " ":
        return NOTHING
    return f"{_SPACES}{encode_spaces(spaces)}" if spaces else NO_SPACE


@dataclass(frozen=True)
class Word:
    """A syntactic word: the columns of a line, without its ID.

    form (str): The word.
    lemma (str): Its lemma, or `_`.
    upos (str): Its coarse tag, or `_`.
    xpos (str): Its fine tag, or `_`.
    feats (str): Its features, or `_`.
    head (int | None): The index of its head in the sentence, -1 for the root, None for `_`.
    deprel (str): The label of its arc, or `_`.
    misc (str): Its MISC column.
    """

    form: str
    lemma: str = NOTHING
    upos: str = NOTHING
    xpos: str = NOTHING
    feats: str = NOTHING
    head: int | None = None
    deprel: str = NOTHING
    misc: str = NOTHING


@dataclass(frozen=True)
class MultiWord:
    """A multi-word token: a stretch of text that stands for several words.

    start (int): Its first word.
    end (int): The word behind its last.
    form (str): Its text.
    misc (str): Its MISC column.
    """

    start: int
    end: int
    form: str
    misc: str = NOTHING


@dataclass(frozen=True)
class ConlluSentence:
    """A sentence of a CoNLL-U file. Empty nodes and enhanced dependencies are not kept.

    words (list[Word]): The words.
    multiwords (list[MultiWord]): The multi-word tokens, in order.
    comments (list[str]): The lines that start with `#`.
    line (int): The line on which it starts, from 1; 0 if it comes from no file.
    """

    words: list[Word]
    multiwords: list[MultiWord] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    line: int = 0

    @property
    def starts_document(self) -> bool:
        """Whether a document starts here: `# newdoc`."""
        return self._has_comment("newdoc")

    @property
    def starts_paragraph(self) -> bool:
        """Whether a paragraph starts here: `# newpar`, or `# newdoc`."""
        return self.starts_document or self._has_comment("newpar")

    def _has_comment(self, name: str) -> bool:
        """Whether a comment is this word, with or without a value."""
        return any(re.match(rf"#\s*{name}(\s|=|$)", comment) for comment in self.comments)

    def tokens(self) -> Iterator[tuple[str, int, int, str]]:
        """YIELDS (tuple[str, int, int, str]): Text, first word, end word and MISC column of every
        token: a multi-word token, or a word that is in none.
        """
        multiwords = {multiword.start: multiword for multiword in self.multiwords}
        i = 0
        while i < len(self.words):
            if i in multiwords:
                found = multiwords[i]
                yield found.form, found.start, found.end, found.misc
                i = found.end
            else:
                yield self.words[i].form, i, i + 1, self.words[i].misc
                i += 1

    def spaces(self) -> list[str]:
        """RETURNS (list[str]): The white space behind each word."""
        result = [""] * len(self.words)
        for _, _, end, misc in self.tokens():
            result[end - 1] = spaces_after(misc)
        return result
