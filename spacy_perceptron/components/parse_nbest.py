"""The best trees of a doc: those of its sentences joined, each different tree once."""

from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.tokens import Doc

from ..errors import Errors
from ..nbest import Candidate, join_sentences, softmax
from .parse_words import ParseWords, head_offsets

if TYPE_CHECKING:
    from .dependency_pipe import DependencyPipe

# How many times k trees are looked at for k different ones.
MAX_REPEATED = 8
# A tree as it would be written to a doc, with its score.
ScoredTree = tuple[float, dict[str, Any]]


def nbest_trees(parser: "DependencyPipe", doc: Doc, k: int) -> list[Candidate]:
    """The k best trees of a doc.

    parser (DependencyPipe): The parser.
    doc (Doc): The doc; it is not changed.
    k (int): How many.
    RETURNS (list[Candidate]): At most k, best first, with `head` and `dep`.
    """
    if k < 1:
        raise ValueError(Errors.NBEST_K.format(value=k))
    words = parser._read_docs([doc])
    n_trees = k
    while True:
        found = _best_trees(parser, doc, words, n_trees)
        # Two projective trees can be the same one once their crossing arcs are lowered.
        trees = {(*tree["head"], *tree["dep"]): (score, tree) for score, tree in reversed(found)}
        if len(trees) >= k or len(found) < n_trees or n_trees > MAX_REPEATED * k:
            break
        n_trees *= 2
    best = sorted(trees.values(), key=lambda item: -item[0])[:k]
    probabilities = softmax(
        [score for score, _ in best], temperature=parser.calibration.temperature
    )
    return [
        Candidate(score, probability, tree)
        for (score, tree), probability in zip(best, probabilities, strict=True)
    ]


def _best_trees(parser: "DependencyPipe", doc: Doc, words: ParseWords, k: int) -> list[ScoredTree]:
    """The k best combinations of a tree per sentence, best first."""
    parsing = parser._get_parsing()
    sentences = [parsing.nbest(parser._input(sentence), k) for sentence in words.sentences()]
    none = np.zeros(0, np.int32)
    found = []
    for score, choice in join_sentences([s.tolist() for _, _, s in sentences], k):
        chosen = [
            (heads[i], labels[i]) for (heads, labels, _), i in zip(sentences, choice, strict=True)
        ]
        heads = np.concatenate([none, *(heads for heads, _ in chosen)])
        labels = np.concatenate([none, *(labels for _, labels in chosen)])
        offsets = head_offsets(words.words, heads)
        numbers = words.words.spread(labels, -1)
        found.append((score, parser._writer.annotate(doc, offsets, numbers)))
    return found
