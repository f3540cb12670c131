"""Gold sentences -> the trees that an incremental parser builds, and actions that build them."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from spacy.strings import hash_string  # type: ignore[attr-defined]

from ...trees.incremental_grammar import IncrementalGrammar
from ...trees.transforms.rebuild import copy_node, rebuild
from ...trees.tree import Tree, clean_label
from .gold import GoldSentence
from .readings import Readings


class TreesToBuild:
    """Makes trees to build. Weights and head rules depend on what the grammar calls a label, which
    stays the same when users rename it.

    grammar (IncrementalGrammar): The grammar.
    names (Mapping[str, str]): What it calls each label.
    readings (Readings): The tags that words can have.
    """

    def __init__(
        self, grammar: IncrementalGrammar, names: Mapping[str, str], readings: Readings
    ) -> None:
        self._grammar = grammar
        self._names = names
        self._readings = readings

    def transform(self, sentence: GoldSentence) -> Tree:
        """RETURNS (Tree): The tree to build for a sentence."""
        tree = sentence.tree

        def rename(node: Tree, children: list[Tree]) -> Tree:
            is_phrase = node.word is None and node is not tree
            label = self._names[clean_label(node.label)] if is_phrase else None
            return copy_node(node, children, label=label)

        built = self._grammar.transform(rebuild(tree, rename))
        for leaf, tag in zip(built.leaves(), self._tags(sentence), strict=True):
            leaf.label = tag
        return built

    def _tags(self, sentence: GoldSentence) -> list[str]:
        """The tags of the tree: gold where words can have them, else the tagger's. Where words have
        no tags yet, the gold ones stand in."""
        tags = sentence.words.tag_texts()
        if not sentence.words.tags.any():
            return [gold or tag for gold, tag in zip(sentence.tags, tags, strict=True)]
        starts, hashes, _ = self._readings(sentence.words)
        own = [hashes[a:b].tolist() for a, b in pairwise(starts.tolist())]
        return [
            gold if gold and hash_string(gold) in readings else tag
            for gold, tag, readings in zip(sentence.tags, tags, own, strict=True)
        ]

    def actions(self, sentence: GoldSentence, chains: Mapping[tuple[str, ...], int]) -> np.ndarray:
        """The actions that build the tree of a sentence.

        sentence (GoldSentence): The sentence.
        chains (Mapping[tuple[str, ...], int]): The numbers of chains.
        RETURNS (int32 array): A row per word, as `IncrementalTraining.learn` takes them.
        """
        tree = self.transform(sentence)
        phrases = self._grammar.phrases
        starts, tags, _ = self._readings(sentence.words)
        rows = []
        for i, (action, leaf) in enumerate(
            zip(self._grammar.actions(tree), tree.leaves(), strict=True)
        ):
            own = tags[starts[i] : starts[i + 1]].tolist()
            tag = hash_string(leaf.label)
            place = int(starts[i]) + (own.index(tag) if tag in own else 0)
            wrapping = -1 if action.wrapping is None else phrases[action.wrapping]
            rows.append((action.n_closed, wrapping, chains[action.chain], place))
        return np.array(rows, np.int32).reshape(-1, 4)
