"""What the numbers of a span parser mean, and what its decoders need to know of the grammar."""

from collections.abc import Iterable, Sequence

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from ....features.string_ids import string_id
from ....trees.head_rules import HeadRules
from ....trees.incremental_grammar import UNKNOWN_TAG
from ....trees.span_grammar import SpanGrammar
from ....trees.transforms.binarization import is_intermediate, plain_label
from ....trees.tree import ROOT
from ..writer import Phrases


def grammar_labels(grammar: SpanGrammar) -> set[str]:
    """RETURNS (set[str]): What a grammar calls the labels of phrases."""
    return {plain_label(name) for name in grammar.phrases} - {ROOT}


class SpanSymbols:
    """What the numbers of a span parser mean. It does not follow when the grammar grows.

    grammar (SpanGrammar): The grammar.
    labels (Sequence[str]): What the grammar calls the labels of phrases, in the order of their
        numbers.
    head_rules (HeadRules): Tell which children are heads.
    scored (bool): Whether rules have the scores that the grammar has counted.
    """

    def __init__(
        self,
        grammar: SpanGrammar,
        labels: Sequence[str],
        head_rules: HeadRules,
        *,
        scored: bool = False,
    ):
        numbers = {label: number for number, label in enumerate(labels)}

        def numbers_of(symbols: Iterable[str]) -> list[int]:
            kept = [x for x in symbols if x != ROOT and not is_intermediate(x)]
            return [numbers[plain_label(symbol)] for symbol in kept]

        self.names = grammar.names
        self.chains = grammar.chains
        self.rules = grammar.rules
        self.n_phrases = len(grammar.phrases)
        self.coarse_classes = grammar.coarse_classes()
        self.phrase_outcomes = grammar.phrase_outcomes()
        self.chain_outcomes = grammar.chain_outcomes()
        self.compiled = grammar.compile(scored=scored)
        self.rule_values = grammar.rule_values()
        self.chain_values = grammar.chain_values()
        self.labels = [numbers_of([name]) for name in grammar.phrases] + [[] for _ in grammar.tags]
        self.chain_labels = [numbers_of(chain) for chain in self.chains]
        self._chain_bottoms = grammar.chain_ends[:, 1].tolist()
        order = np.asarray(self.compiled.rule_order)
        # For each rule, in the order of the compiled grammar: whether its right child is the head,
        # and what it brings together.
        self.head_sides = grammar.head_sides(head_rules)[order]
        self.head_values = self._head_values(self.rules[order])
        self._tags = {string_id(tag): self.n_phrases + i for tag, i in grammar.tags.items()}
        self.unknown = self.n_phrases + grammar.tags[UNKNOWN_TAG]

    def _head_values(self, rules: np.ndarray) -> np.ndarray:
        """A value per rule: phrase, side of the head, and the child that is not the head."""
        texts = []
        for (parent, left, right), is_right in zip(
            rules.tolist(), self.head_sides.tolist(), strict=True
        ):
            other = self.names[left if is_right else right]
            texts.append(f"{plain_label(self.names[parent])} {int(is_right)} {other}")
        return np.array([hash_string(text) for text in texts], np.uint64)

    def tags(self, hashes: np.ndarray) -> np.ndarray:
        """Numbers of tags.

        hashes (uint64 array): The tags.
        RETURNS (int32 array): Their symbols.
        """
        get, default = self._tags.get, self.unknown
        return np.array([get(tag, default) for tag in hashes.tolist()], np.int32)

    def labels_over(self) -> list[set[int]]:
        """RETURNS (list[set[int]]): For each symbol, the labels that a span with it can have: its
        own, and those of all chains above it."""
        found = [{*labels} for labels in self.labels]
        for bottom, labels in zip(self._chain_bottoms, self.chain_labels, strict=True):
            found[bottom].update(labels)
        return found

    def phrases(
        self, rows: np.ndarray, sure: Sequence[np.ndarray] | None = None
    ) -> tuple[Phrases, np.ndarray]:
        """The phrases of a tree of the parser.

        rows (int32 array): Start, end, symbol and chain of each node.
        sure (Optional[Sequence[np.ndarray]]): For each node, confidences of its labels.
        RETURNS (tuple): The phrases, and their confidences, 0 where none are given.
        """
        # Parents come first.
        order = np.lexsort((-rows[:, 1], rows[:, 0])).tolist()
        found: list[tuple[int, int, int]] = []
        values: list[float] = []
        nodes = rows.tolist()
        for i in order:
            start, end, symbol, chain = nodes[i]
            labels = self.labels[symbol]
            if chain >= 0:
                labels = [*self.chain_labels[chain], *labels]
            found += [(label, start, end) for label in labels]
            values += [0.0] * len(labels) if sure is None else sure[i].tolist()
        return Phrases(*np.array(found, np.int32).reshape(-1, 3).T), np.array(values, np.float64)
