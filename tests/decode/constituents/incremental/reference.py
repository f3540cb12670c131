"""Trees by brute force, and their events and probabilities, worked out on whole trees."""

from functools import cache

import numpy as np

from spacy_perceptron.trees.incremental_heads import NO_HEAD
from spacy_perceptron.trees.tree import Tree

from .world import World

Event = tuple[tuple[object, ...], object]


def all_trees(world: World, words: list[str], tags: list[str]) -> list[Tree]:
    """All trees over tagged words that the grammar allows."""
    # How many nodes can begin at one word.
    max_depth = len(words) if world.wraps else max(len(chain) for chain in world.chains)

    @cache
    def nodes(label: str, start: int, end: int, depth: int) -> list[Tree]:
        return [
            Tree(label, list(kids))
            for kids in rests(label, None, start, end, depth)
            # A node that begins with a phrase only comes into being with its second child.
            if not (world.wraps and label != "ROOT" and len(kids) == 1 and kids[0].word is None)
        ]

    @cache
    def rests(
        parent: str, before: str | None, start: int, end: int, depth: int
    ) -> list[tuple[Tree, ...]]:
        if start == end:
            return [()] if (parent, before, None) in world.triples else []
        found = []
        for child in world.symbols:
            if (parent, before, child) not in world.triples:
                continue
            if child in world.tags:
                firsts = (
                    {start + 1: [Tree(child, word=words[start])]} if tags[start] == child else {}
                )
            else:
                below = (depth if before is None else max_depth) - 1
                firsts = {
                    middle: nodes(child, start, middle, below)
                    for middle in range(start + 1, end + 1)
                    if below >= 0
                }
            for middle, trees in firsts.items():
                for rest in rests(parent, child, middle, end, max_depth):
                    found += [(first, *rest) for first in trees]
        return found

    return [
        tree
        for tree in nodes("ROOT", 0, len(words), max_depth)
        if all(
            (action.chain, tag) in world.endings
            for action, tag in zip(world.actions(tree), tags, strict=True)
        )
    ]


class Node:
    """A node of a tree under construction: symbols of its children, and its head so far."""

    def __init__(self, world: World, label: str, parent: "Node | None") -> None:
        self.world, self.label, self.parent = world, label, parent
        self.kids: list[str] = []
        self.head: int | None = None
        self.priority = NO_HEAD

    def add(self, label: str, head: int, priority: int = NO_HEAD) -> None:
        number = self.world.number
        previous = number(self.kids[-1]) if self.kids else 0
        takes_over, self.priority = self.world.heads.add_child(
            number(self.label), self.priority, previous, number(label), priority
        )
        if takes_over:
            self.head = head
        self.kids.append(label)


def chain_events(world: World, tree: Tree) -> tuple[list[Event], list[Event]]:
    """The events of a tree that is built by chains: those of nodes, and those of words."""
    words, tags = tree.words(), tree.tags()
    nodes: list[Event] = []
    emissions: list[Event] = []
    n_words = 0

    def kid(node: Node | None, k: int) -> str | None:
        return node.kids[-k] if node is not None and len(node.kids) >= k else None

    def up(node: Node | None) -> Node | None:
        return None if node is None else node.parent

    def label(node: Node | None) -> str | None:
        return None if node is None else node.label

    def commander(node: Node) -> tuple[object, object]:
        """Tag and word of the head that c-commands the next child."""
        while not node.kids and node.parent is not None:
            node = node.parent
        if node.head is None:
            return None, None
        return ("tag", tags[node.head]), world.known(words[node.head])[1]

    def see(node: Node, outcome: object) -> None:
        parent, above = up(node), up(up(node))
        tag, word = commander(node)
        context = (label(node), kid(node, 1), label(parent), tag, kid(node, 2), kid(parent, 1))
        context += (word, kid(node, 3), label(above), kid(above, 1))
        nodes.append((context, outcome))

    def visit(node: Tree, parent: Node | None) -> Node:
        nonlocal n_words
        own = Node(world, node.label, parent)
        for child in node.children:
            see(own, ("open", child.label))
            if child.word is None:
                closed = visit(child, own)
                assert closed.head is not None
                own.add(child.label, closed.head, closed.priority)
            else:
                tag, word = commander(own)
                context = (("tag", child.label), own.label, kid(own, 1), tag, word)
                context += (label(parent), kid(own, 2))
                emissions.append((context, world.known(child.word)[0]))
                own.add(child.label, n_words)
                n_words += 1
        see(own, "close")
        return own

    visit(tree, None)
    return nodes, emissions


def values_of(world: World) -> dict[object, int]:
    """What the compiled code calls each atom and outcome, learned from the events of the treebank.
    Every symbolic value must have one name, and no name may have two values."""
    found: dict[object, int] = {}
    for tree, compiled in zip(world.trees, world.events, strict=True):
        for symbolic, rows in zip(chain_events(world, tree), compiled, strict=True):
            assert len(symbolic) == len(rows)
            for (context, outcome), row in zip(symbolic, rows.tolist(), strict=True):
                for atom, value in zip((*context, ("outcome", outcome)), row, strict=True):
                    assert found.setdefault(atom, value) == value
    outcomes = [value for atom, value in found.items() if isinstance(atom, tuple)]
    assert len(set(outcomes)) == len(outcomes)
    return found


def log_probability(world: World, tree: Tree, values: dict[object, int]) -> float:
    """The log of the product of the probabilities of all events."""
    total = 0.0
    for symbolic, model in zip(
        chain_events(world, tree), (world.model.nodes, world.model.words), strict=True
    ):
        for context, outcome in symbolic:
            # Words and their classes have values of their own.
            row = [atom if isinstance(atom, int) else values[atom] for atom in context]
            result = outcome if isinstance(outcome, int) else values["outcome", outcome]
            total += float(
                model.log_probabilities(np.array([row], np.uint64), np.array([result], np.uint64))[
                    0
                ]
            )
    return total
