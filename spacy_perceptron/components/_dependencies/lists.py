"""Lists of trees as answers."""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc

from ...answers.candidate import Annotation
from ...answers.sentences import SentenceAnswers
from .._shared.lists import rank_answers
from .decoder import Trees
from .reader import ParseWords, head_offsets
from .writer import TreeWriter


def rank_trees(
    doc: Doc, words: ParseWords, lists: Sequence[Trees], writer: TreeWriter, k: int
) -> list[SentenceAnswers]:
    """The k best different trees of each sentence, among those of some lists.

    doc (Doc): The doc.
    words (ParseWords): Its words.
    lists (Sequence[Trees]): Trees of each sentence, best first.
    writer (TreeWriter): Says what a tree looks like in a doc.
    k (int): How many.
    RETURNS (list[SentenceAnswers]): At most k of each sentence, best first.
    """

    def annotate(trees: list[tuple[np.ndarray, np.ndarray]]) -> Annotation:
        nothing = np.zeros(0, np.int32)
        heads = np.concatenate([nothing, *(heads for heads, _ in trees)])
        labels = np.concatenate([nothing, *(labels for _, labels in trees)])
        offsets = head_offsets(words.words, heads)
        return writer.annotate(doc, offsets, words.words.spread(labels, -1))

    found = [(list(zip(heads, labels, strict=True)), scores) for heads, labels, scores in lists]
    depth = max((len(scores) for _, scores in found), default=k)
    return rank_answers(words.words, found, annotate, k=k, depth=depth)
