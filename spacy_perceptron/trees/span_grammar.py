"""The grammar of a span parser, read off trees: symbols, binary rules and unary chains.

Trees are binarized outward from the head. An intermediate node remembers the phrase it is a part
of and the side at which it grows: `@NP|>`. Parents and siblings are forgotten, because features of
spans make up for them, unless they are asked for (Klein & Manning 2003). Phrases over the same
words are a *chain*: one unary rule makes all of a chain's upper labels at once. The tag of a word
is at the bottom of its chain.

A grammar that has counted trees is a probabilistic one, with relative frequencies as they are. A
symbol is rewritten in two steps: by a chain down to another symbol or by none, then by a binary
rule. What was never counted is all but impossible.

A tree of the parser is a list of rows, children before their parents: start, end, symbol and the
number of the chain above it, or -1.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from ..decode.constituents.chart.grammar import Grammar
from ..errors import Errors
from .constituents import Constituent
from .head_rules import HeadRules
from .incremental_grammar import UNKNOWN_TAG
from .transforms.binarization import (
    INTERMEDIATE,
    LEFTWARD,
    RIGHTWARD,
    binarize,
    grows_right,
    is_intermediate,
    plain_label,
)
from .tree import ROOT, Tree

NONE: Final = -1
# Tag number t is -2 - t in rules and chains, so that numbers stay the same when phrases are added.
_FIRST_TAG: Final = -2
# How often things happen that were never seen.
_UNSEEN: Final = 1e-6

Row = tuple[int, int, int, int]


class SpanGrammar:
    """What has been seen in trees. Phrases and tags have numbers of their own.

    vertical (int): How many generations the symbol of a phrase remembers, see `binarization`.
    horizontal (int): How many siblings that of an intermediate node remembers. It then remembers
        the head child, too.
    """

    def __init__(self, vertical: int = 1, horizontal: int = 0) -> None:
        self.vertical = vertical
        self.horizontal = horizontal
        # How often rules and chains were seen, and symbols without a chain above them.
        self._counts: Counter[tuple[int, ...]] = Counter()
        self.phrases: dict[str, int] = {ROOT: 0}
        self.tags: dict[str, int] = {UNKNOWN_TAG: 0}
        self._rules: dict[tuple[int, ...], int] = {}
        # Chains from the top down to the symbol below all of them.
        self._chains: dict[tuple[int, ...], int] = {}

    # --- Trees ------------------------------------------------------------------------------

    def binarize(self, tree: Tree, head_rules: HeadRules) -> Tree:
        """RETURNS (Tree): A tree as it is built, under its `ROOT`."""
        head_child = head_rules.head_child
        return binarize(
            tree,
            "head",
            horizontal=self.horizontal,
            vertical=self.vertical,
            head_child=head_child,
            names_head=self.horizontal > 0,
        )

    def add(self, tree: Tree) -> bool:
        """Allow all that a binarized tree needs.

        tree (Tree): The tree.
        RETURNS (bool): Whether anything is new.
        """
        sizes = self._sizes()
        for node, chain in _nodes(tree):
            bottom = self._number(node)
            if node.children:
                left, right = (self._number(child) for child in node.children)
                self._rules.setdefault((bottom, left, right), len(self._rules))
            if chain:
                self._add_chain((*(self._number(upper) for upper in chain), bottom))
        return self._sizes() != sizes

    def count(self, tree: Tree) -> None:
        """Count what a binarized tree is made of, for probabilities.

        tree (Tree): The tree, which has been added.
        """
        for node, chain in _nodes(tree):
            bottom = self._find(node)
            keys: list[tuple[int, ...]] = []
            if node.children:
                keys.append((bottom, *map(self._find, node.children)))
            if chain:
                keys.append((NONE, *map(self._find, chain), bottom))
            elif node.children:
                keys.append((bottom,))
            self._counts.update(keys)

    def _add_chain(self, chain: tuple[int, ...]) -> None:
        """Add a chain; what it makes can be a whole sentence as well, and what it makes of a word
        it can make of one with the unknown tag."""
        root, unknown = self.phrases[ROOT], _FIRST_TAG - self.tags[UNKNOWN_TAG]
        for upper in (chain[:-1],) if chain[0] == root else (chain[:-1], (root, *chain[:-1])):
            for bottom in (chain[-1], unknown) if chain[-1] <= _FIRST_TAG else (chain[-1],):
                self._chains.setdefault((*upper, bottom), len(self._chains))

    def _sizes(self) -> tuple[int, ...]:
        return len(self.phrases), len(self.tags), len(self._rules), len(self._chains)

    def _number(self, node: Tree) -> int:
        if node.word is None:
            return self.phrases.setdefault(node.label, len(self.phrases))
        return _FIRST_TAG - self.tags.setdefault(plain_label(node.label), len(self.tags))

    def _find(self, node: Tree) -> int:
        """RETURNS (int): The number of a symbol that the grammar has."""
        if node.word is None:
            return self.phrases[node.label]
        return _FIRST_TAG - self.tags[plain_label(node.label)]

    def rows(self, tree: Tree) -> np.ndarray:
        """The rows of a binarized tree.

        tree (Tree): The tree; the grammar has its symbols.
        RETURNS (int32 array): Start, end, symbol and chain of each node, children first. A chain
            that the grammar does not have is left out.
        """
        n_phrases = len(self.phrases)
        ends: list[tuple[int, int]] = []
        rows: list[Row] = []
        position = 0
        for node, chain in _nodes(tree):
            bottom = self._find(node)
            if node.children:
                (start, _), (_, end) = ends[-2:]
                del ends[-2:]
            else:
                start, end = position, position + 1
                position += 1
            ends.append((start, end))
            key = (*(self._find(upper) for upper in chain), bottom)
            number = self._chains.get(key, NONE) if chain else NONE
            rows.append((start, end, _symbol(bottom, n_phrases), number))
        return np.array(rows, np.int32).reshape(-1, 4)

    # --- For the search -----------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """RETURNS (list[str]): The names of all symbols: phrases, then tags."""
        return [*self.phrases, *self.tags]

    @property
    def chains(self) -> list[tuple[str, ...]]:
        """RETURNS (list[tuple[str, ...]]): The upper labels of each chain, topmost first."""
        names = list(self.phrases)
        return [tuple(names[number] for number in chain[:-1]) for chain in self._chains]

    def coarse_classes(self) -> np.ndarray:
        """RETURNS (int32 array): The coarse class of each phrase symbol: its label, and whether it
        is an intermediate one. Classes are numbered as they are met, so numbers stay the same when
        phrases are added."""
        known: dict[tuple[str, bool], int] = {}
        keys = [(plain_label(name), is_intermediate(name)) for name in self.phrases]
        return np.array([known.setdefault(key, len(known)) for key in keys], np.int32)

    def phrase_outcomes(self) -> list[int]:
        """RETURNS (list[int]): What features of spans see of each phrase symbol: its label and the
        side at which it grows, without ancestors and siblings. Numbered as they are met, so numbers
        stay the same when phrases are added."""
        return _number_as_met(map(_outline, self.phrases))

    def chain_outcomes(self) -> list[int]:
        """RETURNS (list[int]): The same of each chain and the symbol at its bottom."""
        names = _typed(map(_outline, self.phrases), self.tags)
        n_phrases = len(self.phrases)
        return _number_as_met(
            tuple(names[_symbol(x, n_phrases)] for x in chain) for chain in self._chains
        )

    def compile(self, *, scored: bool = False) -> Grammar:
        """Make tables for the search. A word with the unknown tag can be wherever a word can be.

        scored (bool): Whether rules and chains have scores, the logarithms of their probabilities.
        RETURNS (Grammar): The tables. Their rules are those of `rules`, their unary rules the
            chains.
        """
        rules, ends = self.rules, self.chain_ends
        return Grammar(
            len(self.phrases) + len(self.tags),
            self.phrases[ROOT],
            rules,
            self._rule_scores(rules) if scored else np.zeros(len(rules), np.float32),
            ends,
            self._chain_scores() if scored else np.zeros(len(ends), np.float32),
        )

    def _rule_scores(self, rules: np.ndarray) -> np.ndarray:
        """The score of each binary rule: the logarithm of its probability, and of that of no chain
        above it."""
        n_phrases = len(self.phrases)
        counts = {
            tuple(_symbol(x, n_phrases) for x in key): n
            for key, n in self._counts.items()
            if len(key) == 3 and key[0] >= 0
        }
        totals: Counter[int] = Counter()
        for (parent, _, _), n in counts.items():
            totals[parent] += n
        plain = self._plain_logs()
        return np.array(
            [
                _log(counts.get(rule, 0), totals[rule[0]]) + plain[rule[0]]
                for rule in map(tuple, rules.tolist())
            ],
            np.float32,
        )

    def _chain_scores(self) -> np.ndarray:
        """The score of each chain: the logarithm of its probability, minus that of no chain
        above the symbol at its bottom, which the rules of that symbol contain."""
        totals, plain = self._top_counts(), self._plain_logs()
        scores = []
        for chain in self._chains:
            key = (NONE, *chain)
            score = _log(self._counts[key], totals[chain[0]])
            scores.append(score - plain[chain[-1]] if chain[-1] >= 0 else score)
        return np.array(scores, np.float32)

    def _top_counts(self) -> Counter[int]:
        """How often each phrase was on top of its span."""
        found: Counter[int] = Counter()
        for key, n in self._counts.items():
            if key[0] == NONE:
                found[key[1]] += n
            elif len(key) == 1:
                found[key[0]] += n
        return found

    def _plain_logs(self) -> list[float]:
        """For each phrase, the log-probability that it is there without a chain."""
        totals = self._top_counts()
        return [_log(self._counts[(x,)], totals[x]) for x in range(len(self.phrases))]

    @property
    def chain_ends(self) -> np.ndarray:
        """RETURNS (int32 array): The symbols at the top and at the bottom of each chain."""
        n_phrases = len(self.phrases)
        ends = [(chain[0], _symbol(chain[-1], n_phrases)) for chain in self._chains]
        return np.array(ends, np.int32).reshape(-1, 2)

    @property
    def rules(self) -> np.ndarray:
        """RETURNS (int32 array): Parent, left and right child of all binary rules, as symbols; also
        those with the unknown tag in place of another one."""
        n_phrases = len(self.phrases)
        unknown = n_phrases + self.tags[UNKNOWN_TAG]
        rows = np.array(list(self._rules), np.int32).reshape(-1, 3)
        rows = np.where(rows <= _FIRST_TAG, n_phrases + _FIRST_TAG - rows, rows)
        found = dict.fromkeys(map(tuple, rows.tolist()))
        for parent, left, right in list(found):
            for a in {left, unknown if left >= n_phrases else left}:
                for b in {right, unknown if right >= n_phrases else right}:
                    found.setdefault((parent, a, b))
        return np.array(list(found), np.int32).reshape(-1, 3)

    def rule_values(self) -> np.ndarray:
        """RETURNS (uint64 array): A value per binary rule that does not depend on numbers."""
        names = _typed(self.phrases, self.tags)
        texts = ("\t".join(names[symbol] for symbol in rule) for rule in self.rules.tolist())
        return np.array([hash_string(text) for text in texts], np.uint64)

    def chain_values(self) -> np.ndarray:
        """RETURNS (uint64 array): A value per chain that does not depend on numbers."""
        n_phrases, names = len(self.phrases), _typed(self.phrases, self.tags)
        texts = ("\t".join(names[_symbol(x, n_phrases)] for x in chain) for chain in self._chains)
        return np.array([hash_string(text) for text in texts], np.uint64)

    def head_sides(self, rules: HeadRules) -> np.ndarray:
        """RETURNS (uint8 array): For each binary rule, whether its right child is the head."""
        names, n_phrases = self.names, len(self.phrases)

        def is_right(parent: int, left: int, right: int) -> bool:
            if is_intermediate(names[parent]):
                return not grows_right(names[parent])
            for child, answer in ((left, False), (right, True)):
                if child < n_phrases and is_intermediate(names[child]):
                    return answer
            children = [
                Tree(plain_label(names[x])) if x < n_phrases else Tree(names[x], word="")
                for x in (left, right)
            ]
            return bool(rules.head_child(Tree(plain_label(names[parent]), children)))

        return np.array([is_right(*rule) for rule in self.rules.tolist()], np.uint8)

    # --- Back to phrases ----------------------------------------------------------------------

    def restore(self, rows: Iterable[Sequence[int]]) -> list[Constituent]:
        """The phrases of a tree of the parser.

        rows (Iterable[Sequence[int]]): Its rows.
        RETURNS (list[tuple[str, int, int]]): Label, start and end of each phrase, in pre-order,
            without `ROOT`.
        """
        names, chains, n_phrases = self.names, self.chains, len(self.phrases)
        found = []
        for start, end, symbol, chain in rows:
            labels = [*chains[chain]] if chain >= 0 else []
            if symbol < n_phrases:
                labels.append(names[symbol])
            labels = [label for label in labels if label != ROOT and not is_intermediate(label)]
            found += [(plain_label(label), start, end) for label in labels]
        # Sorting is stable within chains.
        return sorted(found, key=lambda phrase: (phrase[1], -phrase[2]))

    # --- Plain data -------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The grammar as plain data, for JSON."""
        data: dict[str, Any] = {
            "phrases": list(self.phrases),
            "tags": list(self.tags),
            "rules": [list(rule) for rule in self._rules],
            "chains": [list(chain) for chain in self._chains],
        }
        if self.vertical != 1 or self.horizontal:
            data |= {"vertical": self.vertical, "horizontal": self.horizontal}
        if self._counts:
            data["counts"] = [[n, *key] for key, n in self._counts.items()]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "SpanGrammar":
        """Read what `to_dict` returned.

        data (Mapping[str, Any]): Plain data.
        RETURNS (SpanGrammar): The grammar.
        """
        grammar = cls()
        try:
            orders = _row([data.get("vertical", 1), data.get("horizontal", 0)])
            grammar.vertical, grammar.horizontal = orders
            counts = [_row(row) for row in data.get("counts", ())]
            grammar._counts = Counter({key: n for n, *numbers in counts if (key := (*numbers,))})
            grammar.phrases = _numbered(data["phrases"])
            grammar.tags = _numbered(data["tags"])
            grammar._rules = {_row(rule): i for i, rule in enumerate(data["rules"])}
            grammar._chains = {_row(chain): i for i, chain in enumerate(data["chains"])}
            grammar._check(len(data["rules"]), len(data["chains"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(Errors.GRAMMAR_DAMAGED) from error
        return grammar

    def _check(self, n_rules: int, n_chains: int) -> None:
        """Refuse numbers that are not symbols."""
        phrases = {*range(len(self.phrases))}
        symbols = phrases | {_FIRST_TAG - tag for tag in range(len(self.tags))}
        is_sound = self.vertical >= 1 and self.horizontal >= 0
        is_sound &= all(
            n > 0 and {*key[key[0] == NONE :]} <= symbols for key, n in self._counts.items()
        )
        is_sound &= UNKNOWN_TAG in self.tags and next(iter(self.phrases), "") == ROOT
        is_sound &= len(self._rules) == n_rules and len(self._chains) == n_chains
        is_sound &= all(
            len(rule) == 3 and rule[0] in phrases and {*rule} <= symbols for rule in self._rules
        )
        is_sound &= all(
            len(chain) > 1 and {*chain[:-1]} <= phrases and chain[-1] in symbols
            for chain in self._chains
        )
        if not is_sound:
            raise ValueError(Errors.GRAMMAR_DAMAGED)


def _nodes(tree: Tree) -> list[tuple[Tree, list[Tree]]]:
    """The nodes of a tree that have two children or are words, children before their parents, each
    with the phrases of one child above it, topmost first."""
    found = []
    stack: list[tuple[Tree, list[Tree], bool]] = [(tree, [], False)]
    while stack:
        node, chain, is_done = stack.pop()
        if is_done or node.word is not None:
            found.append((node, chain))
        elif len(node.children) == 1:
            stack.append((node.children[0], [*chain, node], False))
        else:
            stack.append((node, chain, True))
            stack += [(child, [], False) for child in reversed(node.children)]
    return found


def _outline(symbol: str) -> str:
    """A phrase symbol without ancestors and siblings."""
    if not is_intermediate(symbol):
        return plain_label(symbol)
    return f"{INTERMEDIATE}{plain_label(symbol)} {RIGHTWARD if grows_right(symbol) else LEFTWARD}"


def _number_as_met(keys: Iterable[Any]) -> list[int]:
    known: dict[Any, int] = {}
    return [known.setdefault(key, len(known)) for key in keys]


def _log(count: float, total: float) -> float:
    return math.log(max(count, _UNSEEN) / max(total, 1))


def _symbol(number: int, n_phrases: int) -> int:
    return number if number >= 0 else n_phrases + _FIRST_TAG - number


def _typed(phrases: Iterable[str], tags: Iterable[str]) -> list[str]:
    return [f"phrase {name}" for name in phrases] + [f"tag {name}" for name in tags]


def _numbered(names: Sequence[str]) -> dict[str, int]:
    if not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        raise ValueError(Errors.GRAMMAR_DAMAGED)
    return {name: number for number, name in enumerate(names)}


def _row(numbers: Sequence[Any]) -> tuple[int, ...]:
    if not all(type(number) is int for number in numbers):
        raise ValueError(Errors.GRAMMAR_DAMAGED)
    return tuple(numbers)
