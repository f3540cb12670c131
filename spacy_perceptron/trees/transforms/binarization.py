"""Binarization with horizontal and vertical markovization.

A phrase with more than two children gets intermediate nodes, to the `left`, to the `right` or
outward from its `head` child, whose right siblings join it before its left ones. Each intermediate
node covers some children of the phrase and grows by one sibling at a time:

    right  (NP a (@NP|b b (@NP|c c d)))
    left   (NP (@NP|c (@NP|b a b) c) d)
    head   (NP a (@NP|>b|d (@NP|>b|c b c) d))    where b is the head

Its symbol remembers the phrase and the `horizontal` children next to the edge at which it grows,
from left to right (one child in the examples). With the head, it also remembers the side at which
it grows (`>`, `<`) and, unless `names_head` is off, the head child. With `vertical` markovization,
symbols remember their next ancestors: `NP^S` for `vertical = 2` (Johnson 1998, Klein & Manning
2003). An intermediate node shares the ancestors of its phrase, and siblings are remembered without
theirs.

A backslash protects `@`, `^`, `|` and backslashes in the labels and tags of the tree. Time and
space: linear in the size of the tree times `horizontal` plus `vertical`.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Literal

from ...errors import Errors
from ..head_rules import HeadRules, load_head_rules
from ..tree import Tree
from .escapes import escape, split, unescape
from .rebuild import copy_node, rebuild

INTERMEDIATE = "@"
ANCESTOR = "^"
SIBLING = "|"
RIGHTWARD, LEFTWARD = ">", "<"
_SPECIAL = INTERMEDIATE + ANCESTOR + SIBLING

Direction = Literal["left", "right", "head"]


def binarize(
    tree: Tree,
    direction: Direction = "right",
    *,
    horizontal: int | None = None,
    vertical: int = 1,
    annotate_tags: bool = False,
    head_child: Callable[[Tree], int] | None = None,
    names_head: bool = True,
) -> Tree:
    """Binarize a tree. Phrases with one child stay as they are.

    tree (Tree): The tree.
    direction (str): Where intermediate nodes grow: to the `left` (the last child is attached
        highest), to the `right` (the first child is), or outward from the `head`.
    horizontal (int | None): How many siblings the symbol of an intermediate node remembers; None
        for all of them.
    vertical (int): How many generations a symbol remembers: 1 for the label alone, 2 for the
        parent's, too. A `ROOT` on top is never annotated.
    annotate_tags (bool): Annotate the tags of words like the labels of phrases.
    head_child (Callable[[Tree], int] | None): Finds the position of the head child of a phrase;
        None for the English head rules.
    names_head (bool): Whether intermediate nodes that grow outward from the head remember it.
    RETURNS (Tree): The binarized tree.
    """
    if direction not in ("left", "right", "head"):
        raise ValueError(Errors.BINARIZATION_DIRECTION.format(direction=direction))
    if vertical < 1 or (horizontal is not None and horizontal < 0):
        raise ValueError(Errors.BINARIZATION_ORDER.format(vertical=vertical, horizontal=horizontal))
    find_first = _first_child(direction, head_child)
    symbols = iter(reversed(_symbols(tree, vertical, annotate_tags)))

    def split_children(node: Tree, children: list[Tree]) -> Tree:
        label = next(symbols)
        if len(children) < 3:
            return copy_node(node, children, label=label)
        siblings = [escape(child.label, _SPECIAL) for child in node.children]
        head = names_head if direction == "head" else None
        return _Phrase(label, siblings, find_first(node), horizontal, head).binarize(children)

    return rebuild(tree, split_children)


def unbinarize(tree: Tree) -> Tree:
    """Undo `binarize`, whatever its options were.

    tree (Tree): A binarized tree.
    RETURNS (Tree): The tree without intermediate nodes and annotations.
    """

    def join(node: Tree, children: list[Tree]) -> Tree:
        if node is not tree and _is_intermediate_node(node):
            return copy_node(node, children)
        return copy_node(node, _splice(node, children), label=plain_label(node.label))

    return rebuild(tree, join)


def is_intermediate(label: str) -> bool:
    """RETURNS (bool): Whether the symbol of a phrase in a binarized tree is an intermediate one."""
    return label.startswith(INTERMEDIATE)


def plain_label(symbol: str) -> str:
    """Get the label in the original tree.

    symbol (str): The symbol of a node in a binarized tree, tags included.
    RETURNS (str): Its label; for an intermediate symbol, the label of the phrase it is a part of.
    """
    symbol = symbol.removeprefix(INTERMEDIATE)
    return unescape(split(split(symbol, SIBLING)[0], ANCESTOR)[0])


def grows_right(symbol: str) -> bool:
    """RETURNS (bool): Whether an intermediate node of a tree binarized from the `head` grows to the
    right, away from its head.
    """
    return split(symbol, SIBLING)[1].startswith(RIGHTWARD)


class _Phrase:
    """A phrase to be binarized.

    label (str): Its symbol.
    siblings (Sequence[str]): The labels of its children, escaped.
    first (int): Position of the child that the lowest intermediate node grows from.
    horizontal (int | None): How many siblings to remember.
    names_head (bool | None): Whether symbols name the first child, which is the head, beside the
        side at which they grow. None: it is a sibling like the others, and they grow at one side.
    """

    def __init__(
        self,
        label: str,
        siblings: Sequence[str],
        first: int,
        horizontal: int | None,
        names_head: bool | None,
    ) -> None:
        self.label = label
        self.siblings = siblings
        self.first = first
        self.horizontal = len(siblings) if horizontal is None else horizontal
        self.is_headed = names_head is not None
        self.names_head = bool(names_head)

    def binarize(self, children: Sequence[Tree]) -> Tree:
        """RETURNS (Tree): The phrase with these children."""
        size = len(children)
        node = children[self.first]
        for end in range(self.first + 1, size):
            node = Tree(self.symbol(self.first, end + 1), [node, children[end]])
        for start in range(self.first - 1, -1, -1):
            node = Tree(self.symbol(start, size), [children[start], node])
        node.label = self.label
        return node

    def symbol(self, start: int, end: int) -> str:
        """RETURNS (str): The symbol of the intermediate node over some of the children."""
        is_rightward = start == self.first
        if is_rightward:
            nearest = max(start + self.is_headed, end - self.horizontal)
            context = list(self.siblings[nearest:end])
        else:
            furthest = self.first if self.is_headed else end
            context = list(self.siblings[start : min(start + self.horizontal, furthest)])
        if self.is_headed:
            side = RIGHTWARD if is_rightward else LEFTWARD
            context.insert(0, side + (self.siblings[self.first] if self.names_head else ""))
        return f"{INTERMEDIATE}{self.label}{SIBLING}{SIBLING.join(context)}"


def _first_child(
    direction: Direction, head_child: Callable[[Tree], int] | None
) -> Callable[[Tree], int]:
    """RETURNS (Callable[[Tree], int]): Finds the child that the lowest intermediate node grows
    from.
    """
    if direction == "left":
        return lambda node: 0
    if direction == "right":
        return lambda node: len(node.children) - 1
    return head_child or _english_head_rules().head_child


@functools.cache
def _english_head_rules() -> HeadRules:
    return load_head_rules()


def _symbols(tree: Tree, vertical: int, annotate_tags: bool) -> list[str]:
    """RETURNS (list[str]): The annotated labels of all nodes in pre-order."""
    symbols = []
    stack: list[tuple[Tree, tuple[str, ...]]] = [(tree, ())]
    while stack:
        node, ancestors = stack.pop()
        label = escape(node.label, _SPECIAL)
        bare = node.word is not None and not annotate_tags
        symbols.append(label if bare else ANCESTOR.join((label, *ancestors)))
        below = (label, *ancestors)[: vertical - 1]
        stack.extend((child, below) for child in reversed(node.children))
    return symbols


def _splice(node: Tree, children: Sequence[Tree]) -> list[Tree]:
    """Replace intermediate nodes by their children.

    node (Tree): A node of the binarized tree. The new children have plain labels, which may look
        intermediate, so those of the old ones decide.
    children (Sequence[Tree]): Its new children.
    RETURNS (list[Tree]): The children of the new node.
    """
    spliced = []
    stack = list(zip(reversed(node.children), reversed(children), strict=True))
    while stack:
        old, new = stack.pop()
        if _is_intermediate_node(old):
            stack.extend(zip(reversed(old.children), reversed(new.children), strict=True))
        else:
            spliced.append(new)
    return spliced


def _is_intermediate_node(node: Tree) -> bool:
    return node.word is None and is_intermediate(node.label)
