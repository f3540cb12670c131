"""Build a new tree from another one, bottom-up and without recursion."""

from collections.abc import Callable
from typing import TypeVar

from ..tree import Tree

Node = TypeVar("Node")


def rebuild(tree: Tree, build: Callable[[Tree, list[Node]], Node]) -> Node:
    """Build a new tree from another one.

    tree (Tree): The tree; it is not changed.
    build (Callable[[Tree, list[Node]], Node]): Makes a new node of an old one and its children,
        which are new already and may be changed. It is called for leaves, too.
    RETURNS (Node): What was built of the topmost node.
    """
    # Backwards through the pre-order, the children of a node are done before it, the first one
    # last: they are on top of the stack, from left to right.
    stack: list[Node] = []
    for node in reversed(list(tree.preorder())):
        children = [stack.pop() for _ in node.children]
        stack.append(build(node, children))
    return stack.pop()


def copy_node(node: Tree, children: list[Tree], *, label: str | None = None) -> Tree:
    """RETURNS (Tree): A node with the word and, unless another is given, the label of `node`."""
    return Tree(node.label if label is None else label, children, node.word)
