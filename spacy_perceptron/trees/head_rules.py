"""Head words of phrases, and the dependencies of constituency trees that follow from them.

The English table (english_head_rules.json) is a formulation of the well-known rules of Magerman
(1995), Collins (1999, appendix A) and Yamada & Matsumoto (2003), as used by Nivre's Penn2Malt. The
finite verb or auxiliary heads its clause and the verb below it hangs on it; prepositions,
complementizers and `to` head their phrases; a possessive is headed by its `'s`. Deviations:
relative clauses and wh-questions are headed by their verb, adjectives win over nouns in adjective
phrases, numbers over adverbs in quantifiers, and a predicate (`-PRD`) heads a clause without a verb
phrase.

Coordination: the first conjunct is the head, the conjunctions and the other conjuncts hang on it.
In a base noun phrase this holds only if the conjunction stands right before the head that the rules
find (`bread and butter`, but not `bread and butter pudding`).

Each phrase passes on one head word and every other child hangs on it, so the result is a projective
tree with exactly one root. Time: linear in the number of nodes times the length of a rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import srsly

from ..errors import Errors
from .dependency_labels import Phrase, dependency_label
from .tree import Tree, base_label, function_tags

_KEYS = (
    "rules",
    "default",
    "punctuation",
    "coordinators",
    "separators",
    "base_phrases",
    "openers",
    "conjunct_classes",
)


@dataclass(frozen=True)
class _Rule:
    """One step of a search: the first child from one side that has one of the labels or function
    tags.
    """

    from_left: bool
    labels: frozenset[str]
    functions: frozenset[str] = frozenset()
    last_only: bool = False

    def find(self, children: Sequence[Tree]) -> int:
        """RETURNS (int): Position of the child, or -1."""
        size = len(children)
        positions = range(size) if self.from_left else range(size - 1, -1, -1)
        for i in positions[:1] if self.last_only else positions:
            if self.matches(children[i].label):
                return i
        return -1

    def matches(self, label: str) -> bool:
        """RETURNS (bool): Whether a child with this label is looked for."""
        if base_label(label) in self.labels:
            return True
        return bool(self.functions) and bool(self.functions & function_tags(label))


class HeadRules:
    """A table of head rules.

    table (Mapping[str, Any]): The table as in english_head_rules.json.
    path (str): Where it comes from, for error messages.
    """

    def __init__(self, table: Mapping[str, Any], *, path: str = "<table>") -> None:
        for key in _KEYS:
            if key not in table:
                raise ValueError(Errors.HEAD_RULES_MISSING.format(path=path, key=key))
        self._rules = {
            label: [_parse_rule(text, label, path) for text in texts]
            for label, texts in table["rules"].items()
        }
        self._default = [_parse_rule(text, "default", path) for text in table["default"]]
        self.punctuation = frozenset(table["punctuation"])
        self.coordinators = frozenset(table["coordinators"])
        self._separators = frozenset(table["separators"])
        self.base_phrases = frozenset(table["base_phrases"])
        self._openers = frozenset(table["openers"])
        self._classes = [frozenset(labels) for labels in table["conjunct_classes"]]

    def head_child(self, tree: Tree) -> int:
        """Find the child that carries the head word of a phrase.

        tree (Tree): A phrase with children.
        RETURNS (int): Position of the head child.
        """
        children = tree.children
        if len(children) == 1:
            return 0
        label = base_label(tree.label)
        at = self._coordinator(children)
        if at < 0:
            return self._search(label, children)
        flat = children[at - 1].word is not None and children[at + 1].word is not None
        if label in self.base_phrases and flat:
            return self._first_conjunct(children, self._search(label, children), flat=True)
        return self._first_conjunct(children, self._search(label, children[:at]), flat=False)

    def priority(self, parent: str, child: str) -> int:
        """How strongly a child claims to be the head, for parsers that see children one by one from
        left to right. Of two children the one with the higher priority is the head. Of children
        with the same priority it is the last one if that is odd, the first one if it is even.

        parent (str): Label of the phrase.
        child (str): Label of one of its children.
        RETURNS (int): 1 for punctuation, 3 for a label that no rule names, else more.
        """
        rules = self._rules.get(base_label(parent), self._default)
        for i, rule in enumerate(rules):
            if rule.matches(child):
                # A last child would also be the first from the right: up to one more child, which
                # the next rule then prefers.
                if rule.last_only and i + 1 < len(rules) and not rules[i + 1].from_left:
                    i += 1
                return 2 * (len(rules) - i + 1) + (not rules[i].from_left)
        return 1 if child in self.punctuation else 3

    def conjuncts(self, tree: Tree, head: int) -> set[int]:
        """Find the conjuncts after the first one.

        tree (Tree): A phrase.
        head (int): Position of its head child, the first conjunct if there are any.
        RETURNS (set[int]): Positions of the other conjuncts.
        """
        children = tree.children
        found: set[int] = set()
        if not any(self._coordinates(child) for child in children[head + 1 :]):
            return found
        mixed = base_label(tree.label) == "UCP"
        joined = False
        for i in range(head + 1, len(children)):
            child = children[i]
            if self._joins(child):
                joined = True
            elif joined and child.label not in self.punctuation:
                joined = not (mixed or self._alike(children[head], child))
                found.update([] if joined else [i])
        return found

    def _coordinates(self, child: Tree) -> bool:
        return base_label(child.label) in self.coordinators

    def _joins(self, child: Tree) -> bool:
        return self._coordinates(child) or child.label in self._separators

    def _alike(self, first: Tree, second: Tree) -> bool:
        """RETURNS (bool): Whether two nodes are of kinds that can be coordinated."""
        a, b = base_label(first.label), base_label(second.label)
        return a == b or any(a in labels and b in labels for labels in self._classes)

    def _coordinator(self, children: Sequence[Tree]) -> int:
        """RETURNS (int): Position of the first conjunction with something on both sides, or -1."""
        before = False
        for i, child in enumerate(children):
            if self._coordinates(child):
                if before and any(c.label not in self.punctuation for c in children[i + 1 :]):
                    return i
            elif child.label not in self.punctuation:
                before = True
        return -1

    def _search(self, label: str, children: Sequence[Tree]) -> int:
        for rule in self._rules.get(label, self._default):
            found = rule.find(children)
            if found >= 0:
                return found
        content = [i for i, c in enumerate(children) if c.label not in self.punctuation]
        return content[-1] if content else len(children) - 1

    def _first_conjunct(self, children: Sequence[Tree], head: int, *, flat: bool) -> int:
        """Walk from a conjunct to the first one in its list.

        children (Sequence[Tree]): The children of the phrase.
        head (int): Position of a conjunct.
        flat (bool): Whether the phrase is a sequence of words. Then commas alone do not make a
            list, and a determiner may open each conjunct.
        RETURNS (int): Position of the first conjunct.
        """
        coordinated = not flat
        while True:
            i = head - 1
            while flat and i >= 0 and children[i].label in self._openers:
                i -= 1
            joints = 0
            while i >= 0 and self._joins(children[i]):
                coordinated = coordinated or self._coordinates(children[i])
                joints += 1
                i -= 1
            if (
                i < 0
                or not joints
                or not coordinated
                or not self._alike(children[i], children[head])
            ):
                return head
            head = i


def load_head_rules(path: str | Path | None = None) -> HeadRules:
    """Load a table of head rules.

    path (str | Path | None): A JSON file, or None for the English table of this package.
    RETURNS (HeadRules): The rules.
    """
    if path is not None:
        return HeadRules(srsly.read_json(path), path=str(path))
    file = resources.files(__package__).joinpath("english_head_rules.json")
    return HeadRules(srsly.json_loads(file.read_text(encoding="utf-8")), path=file.name)


def dependencies(tree: Tree, rules: HeadRules) -> tuple[list[int], list[str]]:
    """Turn a constituency tree into a labelled dependency tree.

    tree (Tree): The tree, with at least one word.
    rules (HeadRules): The head rules.
    RETURNS (tuple[list[int], list[str]]): The head of each word, the root being its own head as in
        spaCy, and the label of each word, `ROOT` for the root. See `dependency_labels` for the
        others.
    """
    nodes = list(tree.preorder())
    leaves = [node for node in nodes if node.word is not None]
    if not leaves:
        raise ValueError(Errors.HEAD_RULES_NO_WORDS)
    tagged = any(node.word is None and function_tags(node.label) for node in nodes)
    heads = list(range(len(leaves)))
    labels = ["ROOT"] * len(leaves)
    # In pre-order children follow their parents: backwards, their head words are known first.
    word_of: dict[int, int] = {}
    position = len(leaves)
    for node in reversed(nodes):
        if node.word is not None:
            position -= 1
            word_of[id(node)] = position
            continue
        head = rules.head_child(node)
        head_words = [word_of[id(child)] for child in node.children]
        word_of[id(node)] = head_words[head]
        phrase = Phrase(
            label=base_label(node.label),
            children=node.children,
            head=head,
            conjuncts=rules.conjuncts(node, head),
            head_words=[leaves[i] for i in head_words],
            coordinators=rules.coordinators,
            punctuation=rules.punctuation,
            tagged=tagged,
        )
        for i, word in enumerate(head_words):
            if i != head:
                heads[word] = head_words[head]
                labels[word] = dependency_label(phrase, i)
    return heads, labels


def _parse_rule(text: str, label: str, path: str) -> _Rule:
    side, _, wanted = text.partition(" ")
    names = wanted.split()
    if side not in ("left:", "right:", "last:") or not names:
        raise ValueError(Errors.HEAD_RULES_FORMAT.format(path=path, rule=text, label=label))
    return _Rule(
        from_left=side == "left:",
        labels=frozenset(name for name in names if not name.startswith("*-")),
        functions=frozenset(name[2:] for name in names if name.startswith("*-")),
        last_only=side == "last:",
    )
