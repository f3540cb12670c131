"""Gold sentences -> the binary trees that a span parser learns."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from ....features.string_ids import string_id
from ....learn.states import DIGEST_SIZE
from ....trees.head_rules import HeadRules
from ....trees.span_grammar import SpanGrammar
from ....trees.tree import Tree
from ..gold import GoldSentence
from ..named_trees import NamedTrees
from ..readings import Readings
from .lexical_readings import LexicalReadings


def has_tags(sentence: GoldSentence) -> bool:
    """RETURNS (bool): Whether the words of a sentence have tags."""
    return bool(sentence.words.tags.any())


def with_tags(sentence: GoldSentence) -> GoldSentence:
    """Before training starts there may be no tags yet: let the gold ones stand in.

    sentence (GoldSentence): The sentence.
    RETURNS (GoldSentence): The same sentence if it has tags, else one with the gold tags.
    """
    if has_tags(sentence):
        return sentence
    tags = [string_id(tag) if tag else 0 for tag in sentence.tags]
    return replace(sentence, words=replace(sentence.words, tags=np.array(tags, np.uint64)))


def digest(sentence: GoldSentence, rows: np.ndarray) -> bytes:
    """Tell sentences apart that a pruner can learn something else from.

    sentence (GoldSentence): The sentence.
    rows (int32 array): Its binary tree.
    RETURNS (bytes): A digest of its words, tags and phrases.
    """
    # The numbers of tags change when phrases are added.
    phrases = rows[rows[:, 1] - rows[:, 0] > 1]
    parts = sentence.words.words.orths, sentence.words.tags, phrases
    data = b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
    return blake2b(data, digest_size=DIGEST_SIZE).digest()


class SpanTrees:
    """Makes binary trees.

    grammar (SpanGrammar): The grammar.
    names (Mapping[str, str]): What it calls each label.
    readings (Readings | LexicalReadings): The tags that words can have.
    head_rules (HeadRules): Tell which children are heads.
    """

    def __init__(
        self,
        grammar: SpanGrammar,
        names: Mapping[str, str],
        readings: Readings | LexicalReadings,
        head_rules: HeadRules,
    ) -> None:
        self._grammar = grammar
        self._head_rules = head_rules
        self._is_lexical = isinstance(readings, LexicalReadings)
        self._named = NamedTrees(names, readings)

    def binarize(self, sentence: GoldSentence) -> Tree:
        """RETURNS (Tree): The binary tree of a sentence."""
        tree = self._named(sentence)
        tags = self._named.tags(sentence, stand_in=False)
        if self._is_lexical:
            tags = [gold or tag for gold, tag in zip(sentence.tags, tags, strict=True)]
        for leaf, tag in zip(tree.leaves(), tags, strict=True):
            leaf.label = tag
        return self._grammar.binarize(tree, self._head_rules)

    def rows(self, sentence: GoldSentence) -> np.ndarray:
        """The binary tree of a sentence whose symbols the grammar has.

        sentence (GoldSentence): The sentence.
        RETURNS (int32 array): A row per node, as `SpanTraining.learn` takes them.
        """
        return self._grammar.rows(self.binarize(sentence))
