"""Unary chains folded into single nodes: `(S (VP ...))` becomes `(S+VP ...)`.

A chain consists of phrases that each have one child, down to a phrase with several children or one
word. The tag of a word is never part of a chain, and neither is a `ROOT` on top of the tree. Labels
keep their function tags. A plus or a backslash in a label gets a backslash before it.
"""

from collections.abc import Sequence

from ..head_rules import HeadRules
from ..tree import ROOT, Tree
from .escapes import escape, split, unescape
from .rebuild import copy_node, rebuild

JOINER = "+"


def fold_unaries(tree: Tree) -> Tree:
    """Fold each unary chain into one node.

    tree (Tree): The tree.
    RETURNS (Tree): A tree without unary chains, except for `ROOT` over a single phrase.
    """

    def fold(node: Tree, children: list[Tree]) -> Tree:
        if node.word is not None or _is_root(node, tree):
            return copy_node(node, children)
        label = join_labels([node.label])
        if len(children) == 1 and children[0].word is None:
            (child,) = children
            child.label = f"{label}{JOINER}{child.label}"
            return child
        return copy_node(node, children, label=label)

    return rebuild(tree, fold)


def unfold_unaries(tree: Tree) -> Tree:
    """Undo `fold_unaries`.

    tree (Tree): A tree with folded unary chains.
    RETURNS (Tree): The tree with one node for each label.
    """

    def unfold(node: Tree, children: list[Tree]) -> Tree:
        if node.word is not None or _is_root(node, tree):
            return copy_node(node, children)
        *above, lowest = split_label(node.label)
        chain = copy_node(node, children, label=lowest)
        for label in reversed(above):
            chain = Tree(label, [chain])
        return chain

    return rebuild(tree, unfold)


def join_labels(labels: Sequence[str]) -> str:
    """RETURNS (str): The label of a folded chain of phrases, given outermost first."""
    return JOINER.join(escape(label, JOINER) for label in labels)


def split_label(label: str) -> list[str]:
    """RETURNS (list[str]): The labels of a folded chain, outermost first."""
    return [unescape(part) for part in split(label, JOINER)]


def folded_head_child(tree: Tree, rules: HeadRules) -> int:
    """Find the head child of a phrase in a tree with folded unary chains.

    tree (Tree): A phrase. Its rules are those of the lowest label of its chain; from outside, each
        of its children looks like the topmost label of its own.
    rules (HeadRules): The head rules.
    RETURNS (int): Position of the head child.
    """
    children = [
        child if child.word is not None else Tree(split_label(child.label)[0])
        for child in tree.children
    ]
    return rules.head_child(Tree(split_label(tree.label)[-1], children))


def _is_root(node: Tree, top: Tree) -> bool:
    return node is top and node.label == ROOT
