"""What a treebank grammar needs to know about a node beyond its label.

Labels are split after Klein & Manning (2003), "Accurate unlexicalized parsing": a phrase without
phrases in it differs from others with its label (their base NPs, for all phrases), a verb phrase
differs by the tag of its head word, and a frequent word of a closed class is a tag of its own.
Every node also remembers its parent's label (Johnson 1998).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..head_rules import HeadRules
from ..tree import Tree


class Part(NamedTuple):
    """A child as its siblings see it.

    label (str): The label of the phrase or the tag of the word.
    split (str): What sets it apart from others with that label.
    """

    label: str
    split: str


class Symbol(NamedTuple):
    """A node: a part below a parent.

    label (str): Its label.
    split (str): What sets it apart from others with that label.
    parent (str): The label above, an empty string if there is none.
    """

    label: str
    split: str
    parent: str

    @property
    def part(self) -> Part:
        """RETURNS (Part): The node without its parent."""
        return Part(self.label, self.split)

    def child(self, part: Part) -> "Symbol":
        """RETURNS (Symbol): The node of a part that is a child of this one."""
        return Symbol(*part, self.label)


@dataclass(frozen=True)
class Phrase:
    """A phrase and its children, the head apart.

    symbol (Symbol): The phrase.
    head (Part): Its head child.
    right (tuple[Part, ...]): The children after the head, from the head outward.
    left (tuple[Part, ...]): The children before the head, from the head outward.
    """

    symbol: Symbol
    head: Part
    right: tuple[Part, ...]
    left: tuple[Part, ...]


@dataclass(frozen=True)
class AnnotatedTree:
    """All that a grammar counts in a tree.

    phrases (list[Phrase]): Phrases in pre-order.
    chains (list[tuple[Symbol, ...]]): Chains of nodes with one child each, down to the first node
        that has several children or is a word.
    words (list[tuple[str, Symbol]]): Words with their tags.
    """

    phrases: list[Phrase]
    chains: list[tuple[Symbol, ...]]
    words: list[tuple[str, Symbol]]


class Annotator:
    """Annotates trees.

    rules (HeadRules): Finds heads.
    head_tag_labels (Iterable[str]): Labels that are split by the tag of the head word.
    frequent (Iterable[tuple[str, str]]): Tags and lower-cased words that are split off the tag.
    """

    def __init__(
        self,
        rules: HeadRules,
        *,
        head_tag_labels: Iterable[str] = (),
        frequent: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.rules = rules
        self.head_tag_labels = frozenset(head_tag_labels)
        self.frequent = frozenset(frequent)

    def annotate(self, tree: Tree) -> AnnotatedTree:
        """RETURNS (AnnotatedTree): What a grammar counts in a tree."""
        nodes = list(tree.preorder())
        head_of = {id(node): self.rules.head_child(node) for node in nodes if node.word is None}
        parts = self._parts(nodes, head_of)
        found = AnnotatedTree([], [], [])
        stack: list[tuple[Tree, Symbol, tuple[Symbol, ...]]]
        stack = [(tree, Symbol(tree.label, "", ""), ())]
        while stack:
            node, symbol, above = stack.pop()
            chain = (*above, symbol)
            if len(chain) > 1 and len(node.children) != 1:
                found.chains.append(chain)
            if node.word is not None:
                found.words.append((node.word, symbol))
                continue
            children = [parts[id(child)] for child in node.children]
            head = head_of[id(node)]
            right, left = tuple(children[head + 1 :]), tuple(reversed(children[:head]))
            found.phrases.append(Phrase(symbol, children[head], right, left))
            passed = chain if len(children) == 1 else ()
            for child, part in reversed(list(zip(node.children, children, strict=True))):
                stack.append((child, symbol.child(part), passed))
        return found

    def split_word(self, tag: str, word: str) -> str:
        """RETURNS (str): The split of a word's tag, empty for most words."""
        return word.lower() if (tag, word.lower()) in self.frequent else ""

    def _parts(self, nodes: list[Tree], head_of: dict[int, int]) -> dict[int, Part]:
        """RETURNS (dict[int, Part]): The parts of nodes, which are in pre-order."""
        parts: dict[int, Part] = {}
        head_tags: dict[int, str] = {}
        for node in reversed(nodes):
            if node.word is not None:
                head_tags[id(node)] = node.label
                parts[id(node)] = Part(node.label, self.split_word(node.label, node.word))
                continue
            head_tag = head_tags[id(node.children[head_of[id(node)]])]
            head_tags[id(node)] = head_tag
            is_base = all(child.word is not None for child in node.children)
            split = "base" if is_base else ""
            if node.label in self.head_tag_labels:
                split = f"{split}-{head_tag}"
            parts[id(node)] = Part(node.label, split)
        return parts


def frequent_words(trees: Iterable[Tree], at_least: int) -> Iterator[tuple[str, str]]:
    """Find words that are frequent enough to be split off their tags.

    trees (Iterable[Tree]): The trees.
    at_least (int): How often a word must have the tag.
    YIELDS (tuple[str, str]): Tags and lower-cased words.
    """
    counts = Counter((leaf.label, (leaf.word or "").lower()) for t in trees for leaf in t.leaves())
    yield from (key for key, count in counts.items() if count >= at_least)
