"""Rules over named symbols, and the grammar a chart makes of them."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from ...decode.constituents.chart.grammar import Grammar


@dataclass
class Rules:
    """Rules with log-probabilities.

    names (list[Hashable]): The name of each symbol. What else it means is up to the maker.
    labels (list[str | None]): The label of each symbol, None for one that is only part of a phrase.
    binary (dict[tuple[int, int, int], float]): Parent, left child and right child.
    chains (dict[tuple[int, ...], float]): Chains of nodes with one child each, the topmost first.
    """

    names: list[Hashable] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    binary: dict[tuple[int, int, int], float] = field(default_factory=dict)
    chains: dict[tuple[int, ...], float] = field(default_factory=dict)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def add(self, name: Hashable, label: str | None) -> int:
        """Number a symbol, unless it has a number.

        name (Hashable): The symbol.
        label (str | None): Its label, None for a part of a phrase.
        RETURNS (int): Its number.
        """
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
            self.labels.append(label)
        return number

    def find(self, name: Hashable) -> int:
        """RETURNS (int): The number of a symbol, -1 if it has none."""
        return self._numbers.get(name, -1)

    def chain_labels(self) -> list[list[str]]:
        """RETURNS (list[list[str]]): For each chain, the labels above its lowest node, the topmost
        first.
        """
        chains = ([self.labels[symbol] for symbol in chain[:-1]] for chain in self.chains)
        return [[label for label in labels if label is not None] for labels in chains]

    def grammar(self, root: int) -> Grammar:
        """Make a grammar.

        root (int): The symbol of a whole sentence.
        RETURNS (Grammar): The grammar. Its unary rules are the chains, in their order.
        """
        ends = [(chain[0], chain[-1]) for chain in self.chains]
        return Grammar(
            len(self.names),
            root,
            np.array(list(self.binary), dtype=np.int32).reshape(-1, 3),
            np.array(list(self.binary.values()), dtype=np.float32),
            np.array(ends, dtype=np.int32).reshape(-1, 2),
            np.array(list(self.chains.values()), dtype=np.float32),
        )
