"""How much of a base's errors a reranker removes, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import spacy

from ..corpora.corpus import Corpus
from ..corpora.sentences import Sentence
from ..report.tables import MEGABYTE, Column, value_in
from ..systems.own.reranked import RERANKER
from .entities import compare_entities, entity_accuracy
from .parses import compare_arcs, parse_accuracy

Compare = Callable[[Sequence[Sentence], Sequence[Any], Sequence[Any]], dict[str, Any]]

ACCURACY_COLUMNS = (
    Column("base", lambda result: 100 * result["base"]),
    Column("reranked", lambda result: 100 * result["reranked"]),
    Column("oracle", lambda result: _percent(result["oracle"])),
    Column("errors removed, %", lambda result: 100 * result["reduction"], "{:+.1f}"),
    Column("p", lambda result: result["p_value"], "{:.2g}"),
)
COST_COLUMNS = (
    Column("words/s", value_in("speed", "wall"), "{:,.0f}"),
    Column("words/CPU s", value_in("speed", "cpu"), "{:,.0f}"),
    Column("× base", value_in("speed", "ratio_cpu")),
    Column("folds, CPU s", value_in("folds", "cpu"), "{:,.0f}"),
    Column("training, CPU s", value_in("training", "cpu"), "{:,.0f}"),
    Column("size MB", lambda result: result["size"] / MEGABYTE, "{:.1f}"),
    Column("load s", value_in("load", "wall")),
    Column("peak MB", value_in("memory", "peak"), "{:.0f}"),
)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def compare_parses(
    gold: Sequence[Sentence], base: Sequence[Any], reranked: Sequence[Any]
) -> list[dict[str, Any]]:
    """LAS and UAS over all words, by McNemar's test on arcs."""
    before, after = parse_accuracy(gold, base), parse_accuracy(gold, reranked)
    return [
        comparison(
            name,
            before[name.lower()]["share"],
            after[name.lower()]["share"],
            compare_arcs(gold, base, reranked, labelled=name == "LAS"),
        )
        for name in ("LAS", "UAS")
    ]


def compare_spans(
    gold: Sequence[Sentence], base: Sequence[Any], reranked: Sequence[Any]
) -> list[dict[str, Any]]:
    """F1 of boundaries and of typed entities, by the paired bootstrap over sentences."""
    before, after = entity_accuracy(gold, base), entity_accuracy(gold, reranked)
    return [
        comparison(
            name,
            before[name]["share"],
            after[name]["share"],
            compare_entities(gold, base, reranked, typed=name == "typed"),
        )
        for name in ("boundaries", "typed")
    ]


def comparison(measure: str, base: float, reranked: float, test: dict[str, Any]) -> dict[str, Any]:
    """A row of the table.

    measure (str): what is measured.
    base (float): its value for the base.
    reranked (float): its value with the reranker.
    test (dict[str, Any]): outcome of the test; has `p_value`.
    RETURNS (dict[str, Any]): plain data; `reduction` is the share of the base's errors gone.
    """
    reduction = (reranked - base) / (1 - base) if base < 1 else 0.0
    return {
        "measure": measure,
        "base": base,
        "reranked": reranked,
        "reduction": reduction,
        "p_value": test["p_value"],
        "test": test,
    }


def oracle_scores(model: Path, corpus: Corpus, split: str) -> dict[str, float]:
    """The score of the best choice among the answers, by measure; runs in a child process.

    model (Path): a pipeline with a reranker.
    corpus (Corpus): the corpus.
    split (str): the part of it to judge.
    RETURNS (dict[str, float]): `LAS`, or `boundaries` and `typed`.
    """
    from spacy_perceptron.corpus.reader import GoldTokenCorpus
    from spacy_perceptron.rerank_scorer import score_reranking

    nlp = spacy.load(model)
    reranker: Any = nlp.get_pipe(RERANKER)
    examples = list(GoldTokenCorpus(corpus.path(split))(nlp))
    for example, doc in zip(
        examples, nlp.pipe([eg.predicted for eg in examples], disable=[RERANKER]), strict=True
    ):
        example.predicted = doc
    names = {False: "boundaries", True: "typed"} if reranker.base == "ner" else {True: "LAS"}
    return {
        name: score_reranking(examples, base=reranker.base, k=reranker.k, typed=typed)[
            "rerank_oracle"
        ]
        for typed, name in names.items()
    }
