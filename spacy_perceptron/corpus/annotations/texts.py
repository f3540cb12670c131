"""An annotated text as annotation tools see it: marks and relations at characters, with or without
tokens. Each format is read into this and written from it; Docs are made of it and turned into it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

# What the marks in a text can be: entities, or coarse or fine tags of words.
ENTS = "ents"
ROLES = (ENTS, "pos", "tag")
AUTO = "auto"

# The key of records written here that says which of them their marks are.
MARKS = "marks"

# The coarse tags of Universal Dependencies, with spaCy's for white space.
_WORDS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON")
_COARSE = frozenset((*_WORDS, "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "SPACE"))
# Tags of which a text has at least one, and which nobody calls an entity.
_TELLING = frozenset(("NOUN", "PRON", "VERB"))

# First character, and the one after the last.
Place = tuple[int, int]


@dataclass(frozen=True)
class Mark:
    """A labelled stretch of text.

    start, end (int): First character, and the one after the last.
    label (str): The label; empty if there is none.
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Arc:
    """A labelled relation. A root is its own head.

    head, child (tuple[int, int]): Where both are.
    label (str): The label.
    """

    head: Place
    child: Place
    label: str


@dataclass
class AnnotatedText:
    """A text with its annotation; what is None is not annotated.

    text (str): The text.
    where (str): File and line it comes from.
    tokens (Optional[list[tuple[int, int]]]): Where its tokens are, in order.
    values (list[dict[str, Any]]): For each of the tokens what is known of it, under the names
        `tag`, `pos`, `morph`, `lemma` (str) and `sent_start` (bool).
    marks (Optional[list[Mark]]): Entities or tags.
    role (str): What the marks are, as in `ROLES`; `words` for tags of either kind; empty if the
        record does not say.
    arcs (Optional[list[Arc]]): Relations.
    phrases (Optional[list[Mark]]): Constituents, in pre-order.
    lost (list[str]): What a Doc had and an annotated text has no place for.
    """

    text: str
    where: str = ""
    tokens: list[Place] | None = None
    values: list[dict[str, Any]] = field(default_factory=list)
    marks: list[Mark] | None = None
    role: str = ""
    arcs: list[Arc] | None = None
    phrases: list[Mark] | None = None
    lost: list[str] = field(default_factory=list)


# The role of a text that says its marks are tags, but not which.
WORDS = "words"


def find_role(texts: Sequence[AnnotatedText]) -> str:
    """What the marks in the texts of a file are.

    If the records do not say, they are tags if all labels are coarse tags of Universal
    Dependencies, NOUN, PRON or VERB is among them, and no mark has a space in it.

    texts (Sequence[AnnotatedText]): The texts.
    RETURNS (str): One of `ROLES`.
    """
    marks = [(text, mark) for text in texts for mark in text.marks or ()]
    labels = {mark.label for _, mark in marks if mark.label}
    are_coarse = labels <= _COARSE
    stated = {text.role for text in texts if text.role and text.marks}
    if WORDS in stated:
        return "pos" if are_coarse else "tag"
    if stated:
        return stated.pop()
    if not (are_coarse and labels & _TELLING) or any(_has_space(*pair) for pair in marks):
        return ENTS
    return "pos"


def _has_space(text: AnnotatedText, mark: Mark) -> bool:
    return len(text.text[mark.start : mark.end].split()) > 1


def lost_names(texts: Iterable[AnnotatedText]) -> list[str]:
    """RETURNS (list[str]): All that was lost, in order."""
    return list(dict.fromkeys(name for text in texts for name in text.lost))
