"""Trees as the actions that build them word by word, for incremental parsers."""

from typing import NamedTuple

from .tree import Tree


class WordAction(NamedTuple):
    """What adds a word to the tree over the words before it.

    n_closed (int): How many nodes are closed first.
    wrapping (Optional[str]): The node that takes the place of the last of them, as its parent.
    chain (tuple[str, ...]): The nodes that are opened, from top to bottom.
    """

    n_closed: int
    wrapping: str | None
    chain: tuple[str, ...]


def tree_actions(tree: Tree, *, wraps: bool) -> list[WordAction]:
    """The actions that build a tree.

    tree (Tree): The tree. Its root is there from the start.
    wraps (bool): Whether a node that begins with a phrase is wrapped around it when its second
        child comes, instead of being opened with its first word. No phrase may be the only child of
        another one then, except of the root.
    RETURNS (list[WordAction]): An action per word.
    """
    actions: list[WordAction] = []
    n_closed = 0
    wrapping: str | None = None
    chain: list[str] = []
    # Nodes with the number of the child to visit next.
    stack = [(tree, 0)]
    while stack:
        node, i = stack.pop()
        if node.word is not None:
            actions.append(WordAction(n_closed, wrapping, tuple(chain)))
            n_closed, wrapping, chain = 0, None, []
            continue
        is_wrapped = wraps and node.children[0].word is None
        if node is not tree:
            if i == 0 and not is_wrapped:
                chain.append(node.label)
            if i == 1 and is_wrapped:
                wrapping = node.label
            n_closed += i == len(node.children)
        if i < len(node.children):
            stack += [(node, i + 1), (node.children[i], 0)]
    return actions
