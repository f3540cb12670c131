"""The accuracy of annotation from raw text, by the CoNLL 2018 measures, and on gold tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spacy_perceptron.evaluation.conll.measures import evaluate_conllu
from spacy_perceptron.trees.conllu.expansions import Expansions
from spacy_perceptron.trees.conllu.sentences import ConlluSentence

from .tags import Count

Documents = Sequence[Sequence[ConlluSentence]]


def mark_multiwords(documents: Documents, table: Expansions) -> Documents:
    """Mark the multi-word tokens of documents in which a system has marked none.

    documents (Sequence[Sequence[ConlluSentence]]): the documents.
    table (Expansions): the multi-word tokens of a treebank.
    RETURNS (Sequence[Sequence[ConlluSentence]]): the documents with multi-word tokens.
    """
    if any(sentence.multiwords for document in documents for sentence in document):
        return documents
    return [[table.split(sentence) for sentence in document] for document in documents]


def raw_accuracy(gold: Sequence[ConlluSentence], documents: Documents) -> dict[str, dict[str, Any]]:
    """Compare the annotation of documents with the gold standard.

    gold (Sequence[ConlluSentence]): the sentences of all documents.
    documents (Sequence[Sequence[ConlluSentence]]): what a system makes of them.
    RETURNS (dict[str, dict[str, Any]]): counts by measure in lower case; `share` is the F-score.
    """
    found = evaluate_conllu(gold, [sentence for document in documents for sentence in document])
    return {name.lower(): {**asdict(score), "share": score.f} for name, score in found.items()}


def gold_token_accuracy(
    gold: Sequence[ConlluSentence], documents: Documents
) -> dict[str, dict[str, Any]]:
    """Compare annotation of the gold standard's own words and sentences with it.

    gold (Sequence[ConlluSentence]): the sentences.
    documents (Sequence[Sequence[ConlluSentence]]): what a system makes of each: one sentence.
    RETURNS (dict[str, dict[str, Any]]): as `raw_accuracy`, where shares are now accuracies; and
        `las_subtypes`, which compares labels with their subtypes.
    """
    pairs = [
        (word, guess)
        for sentence, (answer,) in zip(gold, documents, strict=True)
        for word, guess in zip(sentence.words, answer.words, strict=True)
    ]
    right = sum((word.head, word.deprel) == (guess.head, guess.deprel) for word, guess in pairs)
    count = Count(right, len(pairs))
    return {
        **raw_accuracy(gold, documents),
        "las_subtypes": {**asdict(count), "share": count.share},
    }
