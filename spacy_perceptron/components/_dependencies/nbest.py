"""The best trees of each sentence of a doc, each different tree once."""

from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.tokens import Doc

from ...answers.sentences import SentenceAnswers, cut_answers
from .reader import ParseWords, head_offsets

if TYPE_CHECKING:
    from .pipe import DependencyPipe

# How many times k trees are looked at for k different ones.
MAX_REPEATED = 8


def nbest_trees(parser: "DependencyPipe", doc: Doc, k: int) -> list[SentenceAnswers]:
    """The k best trees of each sentence.

    parser (DependencyPipe): The parser.
    doc (Doc): The doc; it is not changed.
    k (int): How many.
    RETURNS (list[SentenceAnswers]): At most k of each, best first, with `head` and `dep`.
    """
    words = parser._read_docs([doc])
    n_trees = k
    while True:
        scores, trees = _best_trees(parser, doc, words, n_trees)
        sentences = cut_answers(words.words.sentence_bounds(), scores, trees, k=k)
        # Two projective trees can be the same one once their crossing arcs are lowered.
        pairs = zip(sentences, scores, strict=True)
        done = all(len(s) >= k or len(found) < n_trees for s, found in pairs)
        if done or n_trees > MAX_REPEATED * k:
            return sentences
        n_trees *= 2


def _best_trees(
    parser: "DependencyPipe", doc: Doc, words: ParseWords, k: int
) -> tuple[list[list[float]], list[dict[str, Any]]]:
    """Scores of each sentence's trees, and trees of the doc, made of the i-th of each sentence."""
    parsing = parser._get_parsing()
    sentences = [parsing.nbest(parser._input(sentence), k) for sentence in words.sentences()]
    none = np.zeros(0, np.int32)
    trees = []
    for i in range(max((len(scores) for _, _, scores in sentences), default=1)):
        # Sentences with fewer trees repeat their last one, which is not looked at again.
        chosen = [
            (heads[min(i, len(scores) - 1)], labels[min(i, len(scores) - 1)])
            for heads, labels, scores in sentences
        ]
        heads = np.concatenate([none, *(heads for heads, _ in chosen)])
        labels = np.concatenate([none, *(labels for _, labels in chosen)])
        offsets = head_offsets(words.words, heads)
        trees.append(parser._writer.annotate(doc, offsets, words.words.spread(labels, -1)))
    # A doc without words has one answer: what whitespace gets.
    return [scores.tolist() for _, _, scores in sentences] or [[0.0]], trees
