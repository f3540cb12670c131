"""The accuracy of trees: attachment scores, whole trees, tags; McNemar's test.

Scores are given for all words and without punctuation, that is, without words whose gold UPOS is
PUNCT. Labels are compared with their subtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..corpora.sentences import Analysis, Sentence
from .tags import Count


def right_arcs(
    gold: Sequence[Sentence], predicted: Sequence[Analysis], *, labelled: bool
) -> list[np.ndarray]:
    """Whether each head (and label, if `labelled`) is right: an array per sentence."""
    result = []
    for sentence, analysis in zip(gold, predicted, strict=True):
        arcs = zip(sentence.heads, analysis.heads, sentence.labels, analysis.labels, strict=True)
        right = [
            head == guess and (not labelled or label == guessed_label)
            for head, guess, label, guessed_label in arcs
        ]
        result.append(np.array(right, dtype=bool))
    return result


def _count(flags: Sequence[np.ndarray]) -> Count:
    """How many flags are true."""
    return Count(sum(int(part.sum()) for part in flags), sum(part.size for part in flags))


def parse_accuracy(
    gold: Sequence[Sentence], predicted: Sequence[Analysis]
) -> dict[str, dict[str, Any]]:
    """Compare predicted trees and tags with the gold ones.

    gold (Sequence[Sentence]): sentences with gold trees.
    predicted (Sequence[Analysis]): the analysis of each.
    RETURNS (dict[str, dict[str, Any]]): counts and shares: `uas` and `las` with and without
        punctuation, `exact_heads` and `exact` (with labels) of sentences, `tags`.
    """
    heads = right_arcs(gold, predicted, labelled=False)
    arcs = right_arcs(gold, predicted, labelled=True)
    words = [~np.array(sentence.punct, dtype=bool) for sentence in gold]
    tags = [
        np.array([tag == guess for tag, guess in zip(s.tags, a.tags, strict=True)], dtype=bool)
        for s, a in zip(gold, predicted, strict=True)
    ]
    counts = {
        "uas": _count(heads),
        "las": _count(arcs),
        "uas_no_punct": _count([part[keep] for part, keep in zip(heads, words, strict=True)]),
        "las_no_punct": _count([part[keep] for part, keep in zip(arcs, words, strict=True)]),
        "exact_heads": _count([np.array([part.all()]) for part in heads]),
        "exact": _count([np.array([part.all()]) for part in arcs]),
        "tags": _count(tags),
    }
    return {name: {**asdict(count), "share": count.share} for name, count in counts.items()}


def compare_arcs(
    gold: Sequence[Sentence], a: Sequence[Analysis], b: Sequence[Analysis], *, labelled: bool
) -> dict[str, Any]:
    """McNemar's test on the arcs of two systems.

    gold (Sequence[Sentence]): sentences with gold trees.
    a (Sequence[Analysis]): analyses of one system.
    b (Sequence[Analysis]): analyses of the other.
    labelled (bool): whether labels count.
    RETURNS (dict[str, Any]): how many arcs only one of them has right, and the p-value.
    """
    from spacy_perceptron.evaluation.significance import mcnemar

    right_a, right_b = (
        np.concatenate(right_arcs(gold, analyses, labelled=labelled)) for analyses in (a, b)
    )
    return {"labelled": labelled, **asdict(mcnemar(right_a, right_b))}
