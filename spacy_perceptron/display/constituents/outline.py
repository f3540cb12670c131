"""A tree as an outline of box-drawing characters: a line per word and per branching."""

from collections.abc import Callable, Iterator, Sequence

from ..doubt import printed
from .nodes import Node, find_tops

# Deeper trees lose the left end of their lines.
MAX_INDENT = 60


def name_node(node: Node) -> str:
    """RETURNS (str): A label with what is unsure about it, or a word after its tag."""
    return " ".join(filter(None, (node.phrase.label, node.word, printed(node.phrase.confidence))))


def outline_tree(
    nodes: Sequence[Node], name: Callable[[Node], str] = name_node
) -> Iterator[tuple[int | None, str]]:
    """Write a tree. Unary chains stand on one line.

    nodes (Sequence[Node]): Its nodes in pre-order.
    name (Callable[[Node], str]): How to write a node.
    YIELDS (tuple[Optional[int], str]): The word that ends a line, if one does, and the line.
    """
    stack = [(node, "", "") for node in reversed(find_tops(nodes))]
    while stack:
        node, indent, branch = stack.pop()
        names = [name(node)]
        while len(node.children) == 1:
            node = node.children[0]
            names.append(name(node))
        word = None if node.word is None else node.phrase.start
        yield word, indent + branch + " ─ ".join(names)
        below = indent + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        if len(below) > MAX_INDENT:
            below = "…  " + below[6:]
        last = "└─ "
        for child in reversed(node.children):
            stack.append((child, below, last))
            last = "├─ "
