"""Gold sentences -> the trees that an incremental parser builds, and actions that build them."""

from collections.abc import Mapping

import numpy as np

from ....features.string_ids import string_id
from ....trees.incremental_grammar import IncrementalGrammar
from ....trees.tree import Tree
from ..gold import GoldSentence
from ..named_trees import NamedTrees
from ..readings import Readings


class TreesToBuild:
    """Makes trees to build.

    grammar (IncrementalGrammar): The grammar.
    names (Mapping[str, str]): What it calls each label.
    readings (Readings): The tags that words can have.
    """

    def __init__(
        self, grammar: IncrementalGrammar, names: Mapping[str, str], readings: Readings
    ) -> None:
        self._grammar = grammar
        self._readings = readings
        self._named = NamedTrees(names, readings)

    def transform(self, sentence: GoldSentence) -> Tree:
        """RETURNS (Tree): The tree to build for a sentence."""
        built = self._grammar.transform(self._named(sentence))
        for leaf, tag in zip(built.leaves(), self._named.tags(sentence), strict=True):
            leaf.label = tag
        return built

    def actions(self, sentence: GoldSentence, chains: Mapping[tuple[str, ...], int]) -> np.ndarray:
        """The actions that build the tree of a sentence.

        sentence (GoldSentence): The sentence.
        chains (Mapping[tuple[str, ...], int]): The numbers of chains.
        RETURNS (int32 array): A row per word, as `IncrementalTraining.learn` takes them.
        """
        tree = self.transform(sentence)
        phrases = self._grammar.phrases
        starts, tags, *_ = self._readings(sentence.words)
        rows = []
        for i, (action, leaf) in enumerate(
            zip(self._grammar.actions(tree), tree.leaves(), strict=True)
        ):
            own = tags[starts[i] : starts[i + 1]].tolist()
            tag = string_id(leaf.label)
            place = int(starts[i]) + (own.index(tag) if tag in own else 0)
            wrapping = -1 if action.wrapping is None else phrases[action.wrapping]
            rows.append((action.n_closed, wrapping, chains[action.chain], place))
        return np.array(rows, np.int32).reshape(-1, 4)
