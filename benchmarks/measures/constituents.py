"""The accuracy of phrases, in the manner of EVALB; the paired bootstrap.

`trees.evalb` of the package says what counts. Punctuation is told by the gold tags. Sentences of
nothing but punctuation do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from spacy_perceptron.trees.evalb import PUNCTUATION, counted_brackets, right_brackets

from ..corpora.sentences import PhraseAnalysis, Sentence
from .entities import f_score
from .tags import Count

# The figures measured elsewhere are also given for sentences of up to this length.
SHORT = 15


def counted_words(sentence: Sentence) -> int:
    """The number of words, punctuation not counted."""
    return sum(tag not in PUNCTUATION for tag in sentence.tags)


def count_brackets(gold: Sequence[Sentence], predicted: Sequence[PhraseAnalysis]) -> np.ndarray:
    """The numbers of right, predicted and gold brackets; a row per sentence.

    gold (Sequence[Sentence]): sentences with gold phrases.
    predicted (Sequence[PhraseAnalysis]): the analysis of each.
    RETURNS (np.ndarray): three columns.
    """
    rows = []
    for sentence, analysis in zip(gold, predicted, strict=True):
        counts = [tag not in PUNCTUATION for tag in sentence.tags]
        positions = np.concatenate([[0], np.cumsum(counts)]).tolist()
        wanted = counted_brackets(sentence.constituents, positions)
        found = counted_brackets(analysis.constituents, positions)
        rows.append((right_brackets(wanted, found).total(), len(found), len(wanted)))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def bracket_result(counts: np.ndarray) -> dict[str, Any]:
    """Precision, recall and F1 of summed counts, with the counts themselves."""
    right, found, wanted = (int(count) for count in counts.sum(axis=0))
    return {
        "correct": right,
        "predicted": found,
        "total": wanted,
        "precision": right / found if found else 0.0,
        "recall": right / wanted if wanted else 0.0,
        "share": float(f_score(counts.sum(axis=0, keepdims=True))[0]),
    }


def phrase_accuracy(
    gold: Sequence[Sentence], predicted: Sequence[PhraseAnalysis]
) -> dict[str, dict[str, Any]]:
    """Compare predicted phrases with the gold ones.

    gold (Sequence[Sentence]): sentences with gold phrases.
    predicted (Sequence[PhraseAnalysis]): the analysis of each.
    RETURNS (dict[str, dict[str, Any]]): brackets of `all` sentences and of `short` ones; shares of
        sentences that are `exact` and `complete`, and of right `tags`.
    """
    counts = count_brackets(gold, predicted)
    lengths = np.array([len(sentence.words) for sentence in gold])
    counted = np.array([counted_words(sentence) > 0 for sentence in gold], dtype=bool)
    exact = (counts == counts[:, :1]).all(axis=1)
    tags = [
        tag == guess
        for sentence, analysis in zip(gold, predicted, strict=True)
        for tag, guess in zip(sentence.tags, analysis.tags, strict=True)
    ]
    shares = {
        "exact": Count(int(exact[counted].sum()), int(counted.sum())),
        "complete": Count(sum(not analysis.is_partial for analysis in predicted), len(gold)),
        "tags": Count(sum(tags), len(tags)),
    }
    return {
        "all": bracket_result(counts),
        "short": bracket_result(counts[lengths <= SHORT]),
        **{name: {**asdict(count), "share": count.share} for name, count in shares.items()},
    }


def compare_phrases(
    gold: Sequence[Sentence], a: Sequence[PhraseAnalysis], b: Sequence[PhraseAnalysis]
) -> dict[str, Any]:
    """The paired bootstrap over sentences on F1; the difference is b minus a."""
    from spacy_perceptron.evaluation.significance import paired_bootstrap

    first, second = (count_brackets(gold, system) for system in (a, b))
    return asdict(paired_bootstrap(first, second, f_score))
