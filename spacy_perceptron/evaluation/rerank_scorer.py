"""The scorer of rerankers: what the base gets right, what could be got right, what is."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from spacy.training import Example

from ..answers.kinds import find_kind, read_values
from ..answers.sentences import SentenceAnswers, move_heads, stored_sentences
from ..trees.dependency_encoding import DependencyEncoding
from .counts import f_score


def make_reranker_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for rerankers."""
    return score_reranking


def score_reranking(
    examples: Iterable[Example],
    *,
    base: str = "parser",
    k: int = 16,
    typed: bool = True,
    **settings: Any,
) -> dict[str, Any]:
    """F-scores over labelled arcs, tags or entities; for arcs and tags this is plain accuracy.

    `rerank_base` is that of the base's first answers, `rerank_oracle` of the best among k,
    `rerank_score` of what the docs have now, and `rerank_error_reduction` tells how much of the
    base's errors is gone, as a share. None where no doc has both answers and gold annotation.

    examples (Iterable[Example]): Predictions and gold.
    base (str): Name of the pipe whose answers were reranked.
    k (int): How many of them.
    typed (bool): Whether labels of entities count.
    **settings: Other settings of the pipe; they do not matter here.
    RETURNS (dict): The scores.
    """
    rows = [row for example in examples for row in _count(example, base, k, typed)]
    names = ("rerank_base", "rerank_oracle", "rerank_score")
    if not rows:
        return dict.fromkeys((*names, "rerank_error_reduction"))
    values = f_score(np.array(rows).sum(axis=0))
    scores: dict[str, Any] = {name: float(v) for name, v in zip(names, values, strict=True)}
    errors = 1 - scores["rerank_base"]
    gain = scores["rerank_score"] - scores["rerank_base"]
    scores["rerank_error_reduction"] = gain / errors if errors > 0 else 0.0
    return scores


def _count(example: Example, base: str, k: int, typed: bool) -> Iterable[np.ndarray]:
    """For each sentence: counts of the base's answer, of the best one and of the present one."""
    sentences = stored_sentences(example.predicted, base)
    if not sentences:
        return
    first = sentences[0].annotations[0]
    kind = find_kind(first, encoding=DependencyEncoding(), typed=typed)
    gold = kind.read_gold(example)
    if gold is None:
        return
    now = {name: read_values(example.predicted, name) for name in first}
    for answers in sentences:
        counts = [kind.count(gold, answers, i) for i in range(min(k, len(answers)))]
        oracle = min(counts, key=lambda c: c.loss)
        yield np.array([counts[0], oracle, kind.count(gold, _present(answers, now), 0)])


def _present(answers: SentenceAnswers, now: dict[str, list[Any]]) -> SentenceAnswers:
    """What the doc says of a sentence, as an answer."""
    start, end = answers.start, answers.end
    cut = {name: move_heads(name, values[start:end], -start) for name, values in now.items()}
    return SentenceAnswers(start, end, [0.0], [cut])
