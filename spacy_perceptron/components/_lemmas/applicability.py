"""What an edit tree asks of a word: how long it must be, and which characters it must have.

The part of a word that a tree leaves as it is lies between a prefix and a suffix of fixed lengths.
So a tree asks for certain characters at certain places, counted from the start or from the end.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

# Characters, None for any.
_Pattern = list[str | None]


class Conditions(NamedTuple):
    """What a word must look like.

    min_length (int): The fewest characters.
    max_length (Optional[int]): The most.
    characters (list[tuple[int, str]]): Places and the characters there; places below 0 count from
        the end.
    """

    min_length: int
    max_length: int | None
    characters: list[tuple[int, str]]


# No word is that short.
NEVER = Conditions(0, -1, [])


def find_conditions(tree: Sequence[Any]) -> Conditions:
    """When a tree can be applied and leaves more than nothing.

    tree (Sequence): An edit tree, as nested lists.
    RETURNS (Conditions): The conditions.
    """
    if len(tree) == 2:
        form, lemma = tree
        return Conditions(len(form), len(form), list(enumerate(form))) if lemma else NEVER
    before, after, prefix, suffix = tree
    head, tail = _pattern(prefix, before), _pattern(suffix, after)
    if head is None or tail is None:
        return NEVER
    is_empty = not (None in head or None in tail or _writes(prefix) or _writes(suffix))
    # Ends of words tell trees apart, the last character first.
    characters = [
        *((i - after, tail[i]) for i in reversed(range(after))),
        *((i, head[i]) for i in range(before)),
    ]
    known = [(place, character) for place, character in characters if character is not None]
    return Conditions(before + after + is_empty, None, known)


def _pattern(tree: Sequence[Any] | None, length: int) -> _Pattern | None:
    """What a tree asks of so many characters; None if it can never be applied to them."""
    if tree is None:
        return []
    if len(tree) == 2:
        return list(tree[0]) if len(tree[0]) == length else None
    before, after, prefix, suffix = tree
    head, tail = _pattern(prefix, before), _pattern(suffix, after)
    middle = length - before - after
    if head is None or tail is None or middle < 0:
        return None
    return [*head, *([None] * middle), *tail]


def _writes(tree: Sequence[Any] | None) -> bool:
    """Whether a tree puts in any characters."""
    if tree is None:
        return False
    if len(tree) == 2:
        return bool(tree[1])
    return _writes(tree[2]) or _writes(tree[3])
