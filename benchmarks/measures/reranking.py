"""How many of a base's errors a reranker removes, and how many could be removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import spacy

from ..corpora.corpus import Corpus
from ..corpora.sentences import Sentence
from ..systems.own.reranked import RERANKER
from .entities import compare_entities, entity_accuracy
from .parses import compare_arcs, parse_accuracy


def compare_parses(
    gold: Sequence[Sentence], base: Sequence[Any], reranked: Sequence[Any]
) -> list[dict[str, Any]]:
    """LAS and UAS of all words, by McNemar's test on arcs."""
    tests = {
        name: compare_arcs(gold, base, reranked, labelled=name == "las") for name in ("las", "uas")
    }
    before, after = parse_accuracy(gold, base), parse_accuracy(gold, reranked)
    return [comparison(name.upper(), before[name], after[name], tests[name]) for name in tests]


def compare_spans(
    gold: Sequence[Sentence], base: Sequence[Any], reranked: Sequence[Any]
) -> list[dict[str, Any]]:
    """F1 of boundaries and of typed entities, by the paired bootstrap over sentences."""
    names = ("boundaries", "typed")
    tests = [compare_entities(gold, base, reranked, typed=name == "typed") for name in names]
    before, after = entity_accuracy(gold, base), entity_accuracy(gold, reranked)
    return [
        comparison(name, before[name], after[name], test)
        for name, test in zip(names, tests, strict=True)
    ]


def comparison(
    measure: str, before: Mapping[str, Any], after: Mapping[str, Any], test: Mapping[str, Any]
) -> dict[str, Any]:
    """A row of the table.

    measure (str): what is measured.
    before (Mapping[str, Any]): its counts for the base; has `share`.
    after (Mapping[str, Any]): its counts with the reranker.
    test (Mapping[str, Any]): outcome of the test; has `p_value`.
    RETURNS (dict[str, Any]): plain data; `reduction` is the share of the base's errors removed.
    """
    base, reranked = before["share"], after["share"]
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
    """The score of the best possible choice among the answers; runs in a child process.

    model (Path): a pipeline with a reranker.
    corpus (Corpus): the corpus.
    split (str): the split to judge.
    RETURNS (dict[str, float]): `LAS`, or `boundaries` and `typed`.
    """
    from spacy_perceptron.corpus.reader import GoldTokenCorpus
    from spacy_perceptron.evaluation.rerank_scorer import score_reranking

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
