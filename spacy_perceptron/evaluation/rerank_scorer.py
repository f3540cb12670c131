"""The scorer of rerankers: what the base gets right, what its best answers would, what is now."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from spacy.training import Example

from ..answers.kinds import KindOptions, find_kind
from ..answers.stored import stored_sentences
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
    `rerank_score` of what the docs have now, and `rerank_error_reduction` is the share of the
    base's errors that is gone. None if no doc has both answers and gold annotation.

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
    kind = find_kind(sentences[0].annotations[0], KindOptions(typed=typed))
    gold = kind.read_gold(example)
    if gold is None:
        return
    present = kind.read(example.predicted)
    for answers in sentences:
        start, end = answers.start, answers.end
        counts = [kind.count(gold, answer, start, end) for answer in answers.annotations[:k]]
        oracle = min(counts, key=lambda c: c.loss)
        now = kind.count(gold, kind.cut(present, start, end), start, end)
        yield np.array([counts[0], oracle, now])
