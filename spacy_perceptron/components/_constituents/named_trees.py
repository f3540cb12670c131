"""Gold trees as grammars see them: with their names of labels, and tags that words can have."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from ...features.string_ids import string_id
from ...trees.transforms.rebuild import copy_node, rebuild
from ...trees.tree import Tree, clean_label
from .gold import GoldSentence
from .reader import TaggedWords
from .readings import WordReadings


class NamedTrees:
    """Gold trees in the words of a grammar. Weights and head rules depend on what it calls a label,
    which stays the same when users rename it.

    names (Mapping[str, str]): What the grammar calls each label.
    readings (Callable): Finds the tags that words can have.
    """

    def __init__(
        self, names: Mapping[str, str], readings: Callable[[TaggedWords], WordReadings]
    ) -> None:
        self._names = names
        self._readings = readings

    def __call__(self, sentence: GoldSentence) -> Tree:
        """RETURNS (Tree): The tree of a sentence."""
        tree = sentence.tree

        def rename(node: Tree, children: list[Tree]) -> Tree:
            is_phrase = node.word is None and node is not tree
            label = self._names[clean_label(node.label)] if is_phrase else None
            return copy_node(node, children, label=label)

        return rebuild(tree, rename)

    def tags(self, sentence: GoldSentence, *, stand_in: bool = True) -> list[str]:
        """The tags of the tree: gold where words can have them, else the tagger's.

        sentence (GoldSentence): The sentence.
        stand_in (bool): Whether gold tags stand in if words have none, or none yet.
        RETURNS (list[str]): A tag per word.
        """
        tags = sentence.words.tag_texts()
        if stand_in and not sentence.words.tags.any():
            return [gold or tag for gold, tag in zip(sentence.tags, tags, strict=True)]
        starts, hashes, *_ = self._readings(sentence.words)
        own = [hashes[a:b].tolist() for a, b in pairwise(starts.tolist())]
        return [
            gold if gold and string_id(gold) in readings else tag
            for gold, tag, readings in zip(sentence.tags, tags, own, strict=True)
        ]
