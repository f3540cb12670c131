"""The rules of a coarse grammar, as the treebank has them: labels, and for parts of phrases the
label and the side that grows. Scores are logarithms of relative frequencies.

Whatever cannot be a sentence is one in pieces: any row of phrases and words under a `ROOT`, at a
price so high that no other sentence is affected. So there is a tree for any row of tags.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from ..tree import ROOT
from .annotation import AnnotatedTree, Phrase, Symbol
from .fine_rules import State, growth
from .phrase_model import RIGHT
from .rules import Rules

# Log-probability of a piece.
PIECE_LOG = -50.0


def coarse_name(name: Hashable) -> Hashable:
    """RETURNS (Hashable): The coarse symbol of a fine one, a `Symbol` or `State`."""
    if isinstance(name, State):
        return name.symbol.label, name.side
    assert isinstance(name, Symbol)
    return name.label


def coarse_rules(trees: Sequence[AnnotatedTree]) -> Rules:
    """Make the rules of a grammar.

    trees (Sequence[AnnotatedTree]): The treebank.
    RETURNS (Rules): The rules. Symbols are named by `coarse_name`.
    """
    rules = Rules()
    binary: Counter[tuple[int, int, int]] = Counter()
    chains: Counter[tuple[int, ...]] = Counter()
    for tree in trees:
        for _, symbol in tree.words:
            rules.add(symbol.label, symbol.label)
        for phrase in tree.phrases:
            rules.add(phrase.symbol.label, phrase.symbol.label)
            binary.update(_binary_rules(phrase, rules))
        for chain in tree.chains:
            chains[tuple(rules.add(symbol.label, symbol.label) for symbol in chain)] += 1
    totals: Counter[int] = Counter()
    for rule, count in (*binary.items(), *chains.items()):
        totals[rule[0]] += count
    rules.binary = {rule: math.log(n / totals[rule[0]]) for rule, n in binary.items()}
    rules.chains = {links: math.log(n / totals[links[0]]) for links, n in chains.items()}
    _add_pieces(rules)
    return rules


def _binary_rules(phrase: Phrase, rules: Rules) -> Iterator[tuple[int, int, int]]:
    """YIELDS (tuple[int, int, int]): The rules that build a phrase, from its head outward."""
    label = phrase.symbol.label
    steps = list(growth(phrase, 0))
    inner = rules.add(phrase.head.label, phrase.head.label)
    for i, (_, side, part) in enumerate(steps, 1):
        child = rules.add(part.label, part.label)
        outer = rules.find(label) if i == len(steps) else rules.add((label, side), None)
        yield (outer, inner, child) if side == RIGHT else (outer, child, inner)
        inner = outer


def _add_pieces(rules: Rules) -> None:
    """Add the rules for sentences in pieces."""
    root = rules.add(ROOT, ROOT)
    wholes = [i for i, label in enumerate(rules.labels) if label is not None and i != root]
    piece, pieces = rules.add(("piece",), None), rules.add(("pieces",), None)
    for symbol in wholes:
        rules.chains.setdefault((root, symbol), PIECE_LOG)
        rules.chains[piece, symbol] = PIECE_LOG
    for parent in (root, pieces):
        rules.binary[parent, piece, piece] = 0.0
        rules.binary[parent, pieces, piece] = 0.0
