"""The grammar of an incremental parser, read off trees: symbols, chains and triples.

Transitions say how trees are built. `chains` (Collins & Roark 2004): a chain of nodes is opened for
each word; trees are flattened by the left-corner transform first, which keeps chains short.
`juxtapose` (Yang & Deng 2020): unary chains are folded into single nodes, and a node that begins
with a phrase is wrapped around it when its second child comes, so that a word opens one node at
most.

A triple says that one symbol can follow another one under a parent. Small treebanks lack many: 12 %
of the sentences of the Wall Street Journal sample's development part need one that the training
part does not have. With `loose`, a symbol can also follow another one if it was seen under that
parent, and after that symbol under any parent; then it is 3 %.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..decode.constituents.incremental.grammar import Grammar
from ..errors import Errors
from .constituents import Constituent, constituents_to_tree, tree_to_constituents
from .derivations import WordAction, tree_actions
from .head_rules import HeadRules
from .incremental_heads import HeadTable
from .transforms.left_corner import from_left_corner, plain_label, to_left_corner
from .transforms.unaries import fold_unaries, split_label
from .tree import ROOT, Tree

TRANSITIONS = ("chains", "juxtapose")
# Longer chains must have been seen this often.
LONG_CHAIN = 2
MIN_COUNT = 2
NONE: Final = -1
# Stands for every tag: the tag of words without one, or with one that was never seen.
UNKNOWN_TAG: Final = "X"
_FIRST_TAG: Final = -2


class IncrementalGrammar:
    """What has been seen in trees.

    transitions (str): How trees are built: `chains` or `juxtapose`.

    Phrases and tags have numbers of their own. In triples, tag number t is -2 - t.
    """

    def __init__(self, transitions: str):
        if transitions not in TRANSITIONS:
            raise ValueError(Errors.INCREMENTAL_TRANSITIONS.format(value=transitions))
        self.transitions = transitions
        self.phrases: dict[str, int] = {ROOT: 0}
        self.tags: dict[str, int] = {UNKNOWN_TAG: 0}
        self._triples: dict[tuple[int, int, int], None] = {}
        self._chains: Counter[tuple[tuple[int, ...], int]] = Counter()

    @property
    def wraps(self) -> bool:
        """RETURNS (bool): Whether nodes can get a new parent later."""
        return self.transitions == "juxtapose"

    # --- Trees ------------------------------------------------------------------------------

    def transform(self, tree: Tree) -> Tree:
        """RETURNS (Tree): A tree as it is built."""
        return fold_unaries(tree) if self.wraps else to_left_corner(tree)

    def actions(self, tree: Tree) -> list[WordAction]:
        """RETURNS (list[WordAction]): The actions that build a transformed tree."""
        return tree_actions(tree, wraps=self.wraps)

    def labels(self, symbol: str) -> list[str]:
        """RETURNS (list[str]): The labels of the phrases that a symbol stands for."""
        return split_label(symbol) if self.wraps else [plain_label(symbol)]

    def restore(self, phrases: Iterable[Constituent], n_words: int) -> list[Constituent]:
        """Undo `transform` on what was built.

        phrases (Iterable[tuple[str, int, int]]): Symbol, start and end of each phrase, in
            pre-order.
        n_words (int): The number of words.
        RETURNS (list[tuple[str, int, int]]): Label, start and end of each phrase, in pre-order.
        """
        if self.wraps:
            return [
                (label, start, end)
                for symbol, start, end in phrases
                for label in split_label(symbol)
            ]
        words = [""] * n_words
        tree = from_left_corner(constituents_to_tree(phrases, words, words))
        return tree_to_constituents(tree)

    def check_labels(self, names: Any) -> None:
        """Refuse labels that are not those of the phrases.

        names (Any): Should be a list of all labels, each once.
        """
        used = {label for symbol in [*self.phrases][1:] for label in self.labels(symbol)}
        are_texts = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not are_texts or not used <= {*names} or len({*names}) < len(names):
            raise ValueError(Errors.GRAMMAR_DAMAGED)

    # --- Growing ----------------------------------------------------------------------------

    def add(self, tree: Tree, *, rare: bool = False, again: bool = False) -> bool:
        """Allow all that a tree needs, except for long chains that were never seen before.

        tree (Tree): A transformed tree.
        rare (bool): Whether to allow these as well.
        again (bool): Whether its sentence was added before: then its chains count no more.
        RETURNS (bool): Whether anything is new. How often chains are seen counts too.
        """
        sizes = len(self.phrases), len(self.tags), len(self._triples), len(self._chains)
        for node in tree.preorder():
            if node.word is not None:
                continue
            parent = self._number(node)
            before = NONE
            for child in node.children:
                symbol = self._number(child)
                self._triples.setdefault((parent, before, symbol))
                before = symbol
            self._triples.setdefault((parent, before, NONE))
        is_new = False
        for action, leaf in zip(self.actions(tree), tree.leaves(), strict=True):
            chain = tuple(self.phrases[symbol] for symbol in action.chain), self._number(leaf)
            before = self._chains[chain]
            counted = before + (not again)
            self._chains[chain] = max(counted, MIN_COUNT if rare else 1)
            is_new |= before < MIN_COUNT <= self._chains[chain] and len(chain[0]) > LONG_CHAIN
        found = len(self.phrases), len(self.tags), len(self._triples), len(self._chains)
        return is_new or found != sizes

    def _number(self, node: Tree) -> int:
        if node.word is None:
            return self.phrases.setdefault(node.label, len(self.phrases))
        return _FIRST_TAG - self.tags.setdefault(node.label, len(self.tags))

    # --- For the search -----------------------------------------------------------------------

    @property
    def chains(self) -> dict[tuple[str, ...], int]:
        """RETURNS (dict[tuple[str, ...], int]): The numbers of all chains."""
        names = list(self.phrases)
        found = dict.fromkeys([(), *self._seen_chains()])
        return {tuple(names[i] for i in chain): number for number, chain in enumerate(found)}

    def compile(self, rules: HeadRules, *, loose: bool = False) -> Grammar:
        """Make tables for the search. Phrases come first there, then tags. A word with the unknown
        tag can be wherever a word can be.

        rules (HeadRules): Which children are heads.
        loose (bool): Whether symbols can follow each other in triples that were not seen.
        RETURNS (Grammar): The tables.
        """
        n_phrases = len(self.phrases)
        n_symbols, unknown = n_phrases + len(self.tags), n_phrases + self.tags[UNKNOWN_TAG]
        rows = np.array(list(self._triples), dtype=np.int32).reshape(-1, 3)
        rows = np.where(rows <= _FIRST_TAG, n_phrases + _FIRST_TAG - rows, rows)
        numbers = {chain: i for i, chain in enumerate(dict.fromkeys([(), *self._seen_chains()]))}
        endings = {
            (numbers[chain], symbol): None
            for (chain, tag), count in self._chains.items()
            if len(chain) <= LONG_CHAIN or count >= MIN_COUNT
            for symbol in (n_phrases + _FIRST_TAG - tag, unknown)
        }
        return Grammar(
            n_phrases,
            len(self.tags),
            _with_unknown(_loosen(rows, n_symbols) if loose else rows, n_phrases, unknown),
            [list(chain) for chain in numbers],
            np.array(list(endings), dtype=np.int32).reshape(-1, 2),
            wraps=self.wraps,
            heads=HeadTable.from_rules(rules, list(self.phrases), list(self.tags)),
        )

    def _seen_chains(self) -> Iterable[tuple[int, ...]]:
        return (chain for chain, _ in self._chains)

    # --- Plain data -------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): The grammar as plain data, for JSON."""
        return {
            "transitions": self.transitions,
            "phrases": list(self.phrases),
            "tags": list(self.tags),
            "triples": [list(row) for row in self._triples],
            "chains": [[list(chain), tag, n] for (chain, tag), n in self._chains.items()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "IncrementalGrammar":
        """Read what `to_dict` returned.

        data (Mapping[str, Any]): Plain data.
        RETURNS (IncrementalGrammar): The grammar.
        """
        try:
            grammar = cls(data["transitions"])
            grammar.phrases = _numbered(data["phrases"])
            grammar.tags = _numbered(data["tags"])
            for parent, before, symbol in (_row(row, 3) for row in data["triples"]):
                grammar._triples[parent, before, symbol] = None
            for chain, tag, n in data["chains"]:
                tag, n = _row([tag, n], 2)
                grammar._chains[_row(chain, len(chain)), tag] = n
            grammar._check()
        except (KeyError, TypeError) as error:
            raise ValueError(Errors.GRAMMAR_DAMAGED) from error
        return grammar

    def _check(self) -> None:
        """Refuse numbers that are not symbols."""
        phrases, tags = range(len(self.phrases)), range(len(self.tags))
        symbols = {NONE, *phrases, *(_FIRST_TAG - tag for tag in tags)}
        parents = {row[0] for row in self._triples}
        used = {number for row in self._triples for number in row[1:]}
        tops = {number for chain, _ in self._chains for number in chain}
        ends = {_FIRST_TAG - tag for _, tag in self._chains}
        is_sound = parents <= {*phrases} and used <= symbols and tops <= {*phrases[1:]}
        is_sound &= UNKNOWN_TAG in self.tags
        if not is_sound or not ends <= {*tags} or next(iter(self.phrases), "") != ROOT:
            raise ValueError(Errors.GRAMMAR_DAMAGED)


def _loosen(rows: np.ndarray, n_symbols: int) -> np.ndarray:
    """Triples whose pairs were seen: of parent and symbol, of parent and the symbol before, and of
    the symbol and the one before."""
    # The last number stands for none.
    rows = np.where(rows < 0, n_symbols, rows)
    pairs = np.zeros((3, n_symbols + 1, n_symbols + 1), dtype=bool)
    for number, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
        pairs[number][rows[:, a], rows[:, b]] = True
    found = []
    for parent in np.unique(rows[:, 0]):
        allowed = pairs[0][parent][:, None] & pairs[1][parent][None, :] & pairs[2]
        before, symbol = np.nonzero(allowed)
        found.append(np.stack([np.full(len(before), parent), before, symbol], axis=1))
    loosened = np.concatenate([np.zeros((0, 3), int), *found])
    return np.where(loosened == n_symbols, NONE, loosened).astype(np.int32)


def _with_unknown(rows: np.ndarray, n_phrases: int, unknown: int) -> np.ndarray:
    """Triples, and the same with the unknown tag in the place of others."""
    for column in (1, 2):
        more = rows[rows[:, column] >= n_phrases]
        more[:, column] = unknown
        rows = np.concatenate([rows, more])
    return np.unique(rows, axis=0)


def _numbered(names: Sequence[str]) -> dict[str, int]:
    if not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        raise ValueError(Errors.GRAMMAR_DAMAGED)
    return {name: number for number, name in enumerate(names)}


def _row(numbers: Sequence[Any], size: int) -> tuple[int, ...]:
    if len(numbers) != size or not all(type(number) is int for number in numbers):
        raise ValueError(Errors.GRAMMAR_DAMAGED)
    return tuple(numbers)
