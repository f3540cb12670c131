"""What a parser's training needs from the examples, computed once per gold Doc."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from spacy.attrs import DEP, HEAD, MORPH, ORTH, POS, SENT_START, TAG
from spacy.training import Example

from ...answers.kinds.dependencies import Heads, Labels, read_gold
from ...errors import Warnings
from ...trees.projectivity import check_tree, lift
from .._shared.gold import ReferenceCache, with_gold_sentences
from .reader import ParseWords, guide_confidences

# What a parser reads from the doc to predict on, guides included.
_READ = [ORTH, SENT_START, TAG, POS, MORPH, HEAD, DEP]


@dataclass(frozen=True)
class GoldSentence:
    """A sentence to learn from.

    words (ParseWords): The words.
    heads (np.ndarray): Gold heads within the sentence: words count from 1, 0: root, -1: unknown.
    labels (list): Gold labels, None for unknown.
    """

    words: ParseWords
    heads: np.ndarray
    labels: Labels


class GoldTrees:
    """Cuts examples into sentences with gold trees.

    read (Callable): Docs -> words.
    projective (bool): Whether to lift crossing arcs (pseudo-projective labels).
    """

    def __init__(self, read: Callable[..., ParseWords], *, projective: bool):
        self._read = read
        self.projective = projective
        self._prepared = ReferenceCache()
        self._warned = False

    def __call__(self, example: Example) -> list[GoldSentence]:
        """The sentences of an example, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[GoldSentence]): Sentences in which some word has a gold head.
        """
        predicted = example.predicted.to_array(_READ)
        gold = example.reference.to_array([HEAD, DEP])
        sure = guide_confidences(example.predicted)
        state = (predicted.tobytes(), gold.tobytes(), None if sure is None else sure.tobytes())
        known, sentences = self._prepared.get(example.reference, (None, []))
        if known != state:
            sentences = self._prepare(example)
            self._prepared[example.reference] = (state, sentences)
        return sentences

    def _prepare(self, example: Example) -> list[GoldSentence]:
        # Before training starts there are no tags yet: `annotating_components` run during it.
        words = self._read([with_gold_sentences(example)], starts_given=True, tags_given=True)
        is_word = words.words.is_word
        heads, labels = read_gold(example)
        number = np.cumsum(is_word) - 1
        starts = words.words.starts
        tokens = np.flatnonzero(is_word)
        sentences = []
        for sentence, start, end in zip(words.sentences(), starts[:-1], starts[1:], strict=True):
            within: Heads = []
            for token in tokens[start:end]:
                head = heads[token]
                if head is not None and is_word[head] and start <= number[head] < end:
                    within.append(int(number[head] - start))
                else:
                    within.append(None)
            names: Labels = [labels[token] for token in tokens[start:end]]
            within, names = self._mend(within, names)
            if any(head is not None for head in within):
                numbers = [
                    -1 if head is None else 0 if head == i else head + 1
                    for i, head in enumerate(within)
                ]
                sentences.append(GoldSentence(sentence, np.array(numbers, dtype=np.int32), names))
        return sentences

    def _mend(self, heads: Heads, labels: Labels) -> tuple[Heads, Labels]:
        """Leave out what cannot be part of a tree, and lift crossing arcs."""
        check = check_tree(heads)
        trouble = ""
        while check.cycle:
            trouble = "cycles"
            heads = [None if i in check.cycle else head for i, head in enumerate(heads)]
            check = check_tree(heads)
        if len(check.roots) > 1:
            trouble = "several roots"
            others = check.roots[1:]
            heads = [None if i in others else head for i, head in enumerate(heads)]
            # The label of a root is wrong below another head.
            labels = [None if i in others else label for i, label in enumerate(labels)]
        if trouble and not self._warned:
            self._warned = True
            warnings.warn(Warnings.PARSER_GOLD.format(reason=trouble), stacklevel=6)
        if self.projective:
            heads, labels = lift(heads, labels)
        return heads, labels
