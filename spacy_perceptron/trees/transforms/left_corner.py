"""The flattened selective left-corner transform of left-recursive phrases.

Johnson & Roark (2000), in the form of Collins & Roark (2004, figure 3c): only productions
`A -> A alpha` are transformed, and the result is flat. `(A (A (A b) a1) a2)` becomes
`(A b (A/A a1) (A/A a2))`, so a parser that goes from left to right need not know at `b` how often
`A` is going to be extended.

An `A` whose only child is an `A` stays: a slashed node always has children. Labels must be equal
with their function tags. A slash or a backslash in a label of the tree gets a backslash before it,
so only slashed nodes have a bare slash.
"""

from ..tree import Tree
from .escapes import escape, split, unescape
from .rebuild import copy_node, rebuild

SLASH = "/"


def to_left_corner(tree: Tree) -> Tree:
    """Flatten left-recursive phrases.

    tree (Tree): The tree.
    RETURNS (Tree): The transformed tree.
    """

    def flatten(node: Tree, children: list[Tree]) -> Tree:
        if node.word is not None:
            return copy_node(node, children)
        label = escape(node.label, SLASH)
        if len(children) > 1:
            first = children[0]
            if first.label == label and first.word is None and first.children:
                first.children.append(Tree(f"{label}{SLASH}{label}", children[1:]))
                return first
        return copy_node(node, children, label=label)

    return rebuild(tree, flatten)


def from_left_corner(tree: Tree) -> Tree:
    """Undo `to_left_corner`.

    tree (Tree): A transformed tree, or one that a parser has built of nodes of such trees. Where a
        slashed node has nothing of its kind to extend on its left, or not the parent it needs, it
        becomes an ordinary phrase.
    RETURNS (Tree): The tree without slashed nodes.
    """

    def nest(node: Tree, children: list[Tree]) -> Tree:
        if node.word is not None:
            return copy_node(node, children)
        label = plain_label(node.label)
        slashed = f"{node.label}{SLASH}{node.label}"
        nested: list[Tree] = []
        # The new children have plain labels, so the old ones tell which of them are slashed.
        for old, child in zip(node.children, children, strict=True):
            if old.label == slashed and old.word is None and nested:
                nested = [Tree(label, nested), *child.children]
            else:
                nested.append(child)
        return copy_node(node, nested, label=label)

    return rebuild(tree, nest)


def is_slashed(label: str) -> bool:
    """RETURNS (bool): Whether the label of a phrase in a transformed tree is that of a slashed
    node.
    """
    return len(split(label, SLASH)) > 1


def plain_label(label: str) -> str:
    """RETURNS (str): The label of the original phrase that a phrase of a transformed tree, slashed
    or not, is a part of.
    """
    return unescape(split(label, SLASH)[0])
