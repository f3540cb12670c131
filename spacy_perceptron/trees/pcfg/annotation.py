"""Labels with context: what a treebank grammar needs to know about a node beyond its label.

Splits of labels after Johnson (1998) and Klein & Manning (2003), "Accurate unlexicalized parsing".
"""

from dataclasses import dataclass, field

from ..head_rules import HeadRules
from ..tree import Tree

VERBS = ("V", "M")


@dataclass(eq=False)
class Node:
    """A node with its annotation.

    label (str): The label of the treebank, or the tag of a word.
    split (str): What sets this kind of node apart from others with the label.
    children (list[Node]): The children.
    head (int): Position of the head child.
    word (str | None): The word of a leaf.
    """

    label: str
    split: str = ""
    children: list["Node"] = field(default_factory=list)
    head: int = 0
    word: str | None = None
    tag: str = ""


def annotate(tree: Tree, rules: HeadRules, opts) -> Node:
    nodes = {}
    for t in reversed(list(tree.preorder())):
        if t.word is not None:
            w = t.word.lower()
            nodes[id(t)] = Node(t.label, opts.tag_split(t.label, w), word=t.word, tag=t.label)
            continue
        kids = [nodes[id(c)] for c in t.children]
        h = rules.head_child(t)
        node = Node(t.label, "", kids, h, tag=kids[h].tag)
        node.split = opts.phrase_split(node)
        nodes[id(t)] = node
    return nodes[id(tree)]
