"""Lists of phrases as answers."""

from collections.abc import Sequence

import numpy as np

from ...answers.sentences import SentenceAnswers, distinct_answers
from ...trees.constituents import SPANS_KEY
from .._shared.words import Words
from .writer import Phrases, PhraseWriter


def rank_phrases(
    words: Words,
    lists: Sequence[tuple[Sequence[Phrases], Sequence[float]]],
    writer: PhraseWriter,
    k: int,
) -> list[SentenceAnswers]:
    """The k best different trees of each sentence of a doc.

    words (Words): The words of the doc.
    lists (Sequence[tuple]): Trees of each sentence, best first, and their scores.
    writer (PhraseWriter): Says what a tree looks like in a doc.
    k (int): How many.
    RETURNS (list[SentenceAnswers]): At most k of each sentence, best first.
    """
    bounds = words.sentence_bounds()
    if not lists:
        # A doc without words has one answer: no phrases.
        return [SentenceAnswers(0, bounds[-1], [0.0], [{SPANS_KEY: []}])]
    tokens = np.flatnonzero(words.is_word)
    answers = []
    for s, (trees, scores) in enumerate(lists):
        own = tokens[words.starts[s] : words.starts[s + 1]] - bounds[s]
        annotations = [writer.annotate(tree, own) for tree in trees]
        values = [float(score) for score in scores]
        answers.append(distinct_answers(bounds[s], bounds[s + 1], values, annotations, k=k))
    return answers
