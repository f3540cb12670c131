"""The accuracy of entities: exact spans, with and without their types; the paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..corpora.sentences import Sentence

Span = tuple[int, int, str]


def find_spans(tags: Sequence[str]) -> set[Span]:
    """The entities of a sentence. An I that continues no entity of its type begins a new one.

    tags (Sequence[str]): BIO tags.
    RETURNS (set[Span]): first word, end and type.
    """
    spans: list[Span] = []
    for i, tag in enumerate(tags):
        prefix, label = tag[:1], tag[2:]
        if prefix == "I" and spans and spans[-1][1:] == (i, label):
            spans[-1] = (spans[-1][0], i + 1, label)
        elif prefix in ("B", "I"):
            spans.append((i, i + 1, label))
    return set(spans)


def count_spans(
    gold: Sequence[Sentence], predicted: Sequence[Sequence[str]], *, typed: bool
) -> np.ndarray:
    """The numbers of right, predicted and gold entities; a row per sentence.

    gold (Sequence[Sentence]): sentences whose tags are the gold BIO tags.
    predicted (Sequence[Sequence[str]]): BIO tags.
    typed (bool): whether types count.
    RETURNS (np.ndarray): three columns.
    """
    rows = []
    for sentence, tags in zip(gold, predicted, strict=True):
        right, found = (
            {s if typed else s[:2] for s in find_spans(t)} for t in (sentence.tags, tags)
        )
        rows.append((len(right & found), len(found), len(right)))
    return np.array(rows, dtype=np.int64)


def f_score(sums: np.ndarray) -> np.ndarray:
    """F1 of rows of summed counts: 2 right / (predicted + gold)."""
    return 2 * sums[:, 0] / np.maximum(sums[:, 1] + sums[:, 2], 1)


def entity_accuracy(
    gold: Sequence[Sentence], predicted: Sequence[Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """Precision, recall and F1 of `boundaries` and `typed` entities, with their counts."""
    result = {}
    for name, typed in (("boundaries", False), ("typed", True)):
        counts = count_spans(gold, predicted, typed=typed).sum(axis=0)
        right, found, wanted = (int(count) for count in counts)
        result[name] = {
            "correct": right,
            "predicted": found,
            "total": wanted,
            "precision": right / found if found else 0.0,
            "recall": right / wanted if wanted else 0.0,
            "share": float(f_score(counts[None, :])[0]),
        }
    return result


def compare_entities(
    gold: Sequence[Sentence],
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    *,
    typed: bool,
) -> dict[str, Any]:
    """The paired bootstrap over sentences on F1; the difference is b minus a."""
    from spacy_perceptron.evaluation.significance import paired_bootstrap

    first, second = (count_spans(gold, system, typed=typed) for system in (a, b))
    return asdict(paired_bootstrap(first, second, f_score))
