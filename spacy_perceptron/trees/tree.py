"""The node of a constituency tree, and its labels.

No method recurses: a right-branching sentence of thousands of words is an ordinary tree here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

ROOT = "ROOT"
EMPTY_TAG = "-NONE-"
_INDEX = re.compile(r"[-=]\d+(?=[-=]|$)")


@dataclass(eq=False, repr=False)
class Tree:
    """A phrase with children, or a leaf with a tag and a word.

    label (str): Label of the phrase with its function tags, or the tag of a leaf.
    children (list[Tree]): The children from left to right; none under a leaf.
    word (str | None): The word of a leaf, None in a phrase.
    """

    label: str
    children: list["Tree"] = field(default_factory=list)
    word: str | None = None

    def preorder(self) -> Iterator["Tree"]:
        """Walk over all nodes, parents before their children, left to right.

        YIELDS (Tree): The nodes.
        """
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> list["Tree"]:
        """RETURNS (list[Tree]): The leaves from left to right."""
        return [node for node in self.preorder() if node.word is not None]

    def words(self) -> list[str]:
        """RETURNS (list[str]): The words from left to right."""
        return [node.word for node in self.preorder() if node.word is not None]

    def tags(self) -> list[str]:
        """RETURNS (list[str]): The tags of the words from left to right."""
        return [node.label for node in self.leaves()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return _signature(self) == _signature(other)

    def __repr__(self) -> str:
        if self.word is not None:
            return f"Tree({self.label!r}, word={self.word!r})"
        return f"Tree({self.label!r}, {[child.label for child in self.children]})"


def _signature(tree: Tree) -> list[tuple[str, str | None, int]]:
    return [(node.label, node.word, len(node.children)) for node in tree.preorder()]


def base_label(label: str) -> str:
    """RETURNS (str): The label without function tags and indices: `NP` for `NP-SBJ-1`."""
    if label.startswith("-"):
        return label
    return re.split(r"[-=]", label, maxsplit=1)[0]


def function_tags(label: str) -> frozenset[str]:
    """RETURNS (frozenset[str]): The function tags in a label: `SBJ` for `NP-SBJ-1`."""
    if label.startswith("-"):
        return frozenset()
    return frozenset(part for part in re.split(r"[-=]", label)[1:] if not part.isdigit())


def clean_label(label: str, *, keep_function_tags: bool = True) -> str:
    """Cut indices, and function tags if asked, off the label of a phrase.

    label (str): A label such as `NP-SBJ-1` or `NP=2`.
    keep_function_tags (bool): Keep function tags, as in `NP-SBJ`.
    RETURNS (str): The clean label.
    """
    if label.startswith("-"):
        return label
    return _INDEX.sub("", label) if keep_function_tags else base_label(label)
