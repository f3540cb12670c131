"""Count, document by document, what a pipeline gets right: the raw material of significance tests.

A metric is a table with one row per document: true positives, predicted items, gold items. Its
value is the F-score of the summed columns, which is plain accuracy where predicted and gold tokens
coincide. Token metrics also keep one decision per gold token, so that two pipelines with different
tokenizers still decide on the same items; sentence metrics keep one per gold sentence.

`dep_uas` and `dep_las` leave out punctuation and ignore case in labels, as spaCy's scorer does;
`dep_uas_all` and `dep_las_all` count all words, and labels as they are written. `dep_exact` and
`dep_exact_labelled` are the shares of gold sentences without any wrong head, or head and label.
`const_f` and `const_exact` are those of the scorer of constituents.

Differences from spaCy's scorer: whitespace tokens never count, and a predicted token that is not
a gold token counts as a wrong prediction in every token metric. Cost: O(tokens).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc
from spacy.training import Example

from ..errors import Errors
from ..trees.constituents import SPANS_KEY
from .constituents import SentenceBrackets, has_constituents, read_brackets_of_sentences
from .metrics import (
    BRACKET_METRICS,
    METRICS,
    SENTENCE_METRICS,
    SPAN_METRICS,
    TOKEN_METRICS,
    Spans,
    TokenMetric,
    Value,
)


class Comparison(NamedTuple):
    """How the tokens of one document compare.

    is_right (dict[int, bool]): For each gold token that counts, whether it is right.
    n_predicted (int): How many tokens were predicted in their place.
    """

    is_right: dict[int, bool]
    n_predicted: int


@dataclass(frozen=True)
class MetricCounts:
    """What one pipeline achieved in one metric.

    stats (np.ndarray): True positives, predicted and gold items, one row per document.
    correct (Optional[np.ndarray]): Whether each gold token or sentence is right; None for spans.
    """

    stats: np.ndarray
    correct: np.ndarray | None

    @property
    def value(self) -> float:
        """RETURNS (float): The metric on the whole corpus."""
        return float(f_score(self.stats.sum(axis=0, keepdims=True))[0])


def f_score(stats: np.ndarray) -> np.ndarray:
    """F-score from counts.

    stats (np.ndarray): Rows of true positives, predicted and gold items.
    RETURNS (np.ndarray): One value per row; 0 without any item.
    """
    items = stats[:, 1] + stats[:, 2]
    return 2.0 * stats[:, 0] / np.maximum(items, 1)


def count_metrics(
    examples: Sequence[Example], names: Iterable[str] = METRICS, *, only_annotated: bool = True
) -> dict[str, MetricCounts]:
    """Count metrics.

    examples (Sequence[Example]): Examples whose `predicted` carries the predictions.
    names (Iterable[str]): The metrics wanted.
    only_annotated (bool): Leave out metrics for which there is no gold annotation or no prediction.
    RETURNS (dict[str, MetricCounts]): Counts by metric, in the order of `names`.
    """
    counts = {}
    compared: dict[str, list[Comparison]] = {}
    brackets: list[list[SentenceBrackets]] = []
    for name in names:
        attr = _annotation(name)
        if only_annotated and not _has_annotation(examples, attr):
            continue
        if name in SPAN_METRICS:
            counts[name] = _count_spans(examples, attr, SPAN_METRICS[name][1])
            continue
        if name in BRACKET_METRICS:
            brackets = brackets or [read_brackets_of_sentences(eg) for eg in examples]
            counts[name] = _count_brackets(brackets, exact=name == "const_exact")
            continue
        of_tokens = SENTENCE_METRICS.get(name, name)
        if of_tokens not in compared:
            compared[of_tokens] = [_compare(eg, TOKEN_METRICS[of_tokens]) for eg in examples]
        if name in SENTENCE_METRICS:
            counts[name] = _count_sentences(examples, compared[of_tokens])
        else:
            counts[name] = _count_tokens(compared[of_tokens])
    return counts


def _annotation(name: str) -> str:
    """RETURNS (str): The token attribute, or the span group, that a metric is about."""
    if name in SPAN_METRICS:
        return SPAN_METRICS[name][0]
    if name in BRACKET_METRICS:
        return SPANS_KEY
    token_metric = SENTENCE_METRICS.get(name, name)
    if token_metric not in TOKEN_METRICS:
        known = ", ".join(METRICS)
        raise ValueError(Errors.EVALUATION_UNKNOWN_METRIC.format(name=name, names=known))
    return TOKEN_METRICS[token_metric].attr


def _has_annotation(examples: Sequence[Example], attr: str) -> bool:
    """Whether both gold documents and predictions have an annotation.

    examples (Sequence[Example]): The examples.
    attr (str): The token attribute or the span group.
    RETURNS (bool): Whether some gold document and some predicted one have it.
    """

    def has(doc: Doc) -> bool:
        return has_constituents(doc) if attr == SPANS_KEY else doc.has_annotation(attr)

    return any(has(eg.reference) for eg in examples) and any(has(eg.predicted) for eg in examples)


def _one_to_one(eg: Example) -> dict[int, int]:
    """RETURNS (dict[int, int]): Gold token by predicted token, where they are the same token."""
    x2y, y2x = eg.alignment.x2y, eg.alignment.y2x
    tokens = np.flatnonzero(x2y.lengths == 1)
    gold = x2y.data[np.cumsum(x2y.lengths)[tokens] - 1]
    is_same = y2x.lengths[gold] == 1
    return dict(zip(tokens[is_same].tolist(), gold[is_same].tolist(), strict=True))


def _in_gold_indices(value: Value, pairs: dict[int, int]) -> Value:
    """Express a predicted head, or (head, label), by the gold token it corresponds to.

    value (Value): What was read from a predicted token.
    pairs (dict[int, int]): Gold token by predicted token.
    RETURNS (Value): The same in gold indices; None where the head is not a gold token.
    """
    if value is None:
        return None
    if isinstance(value, tuple):
        head = pairs.get(value[0])
        return None if head is None else (head, value[1])
    return pairs.get(value)


def _compare(eg: Example, metric: TokenMetric) -> Comparison:
    """Compare the tokens of one document.

    eg (Example): The example.
    metric (TokenMetric): What to compare.
    RETURNS (Comparison): The outcome.
    """
    gold = {t.i: metric.get_value(t) for t in eg.reference if not t.text.isspace()}
    gold = {i: value for i, value in gold.items() if value is not None}
    is_right = {i: False for i in gold if not metric.is_left_out(eg.reference[i])}
    pairs = _one_to_one(eg)
    n_predicted = 0
    for token in eg.predicted:
        gold_i = pairs.get(token.i)
        if token.text.isspace() or metric.is_left_out(token):
            continue
        if gold_i is not None and gold_i not in gold:
            continue
        n_predicted += 1
        if gold_i in is_right:
            value = metric.get_value(token)
            value = _in_gold_indices(value, pairs) if metric.attr == "DEP" else value
            is_right[gold_i] = value is not None and value == gold[gold_i]
    return Comparison(is_right, n_predicted)


def _count_tokens(compared: Sequence[Comparison]) -> MetricCounts:
    """Count tokens.

    compared (Sequence[Comparison]): The comparison of each document.
    RETURNS (MetricCounts): The counts.
    """
    stats = np.zeros((len(compared), 3), dtype=np.int64)
    correct: list[bool] = []
    for row, (is_right, n_predicted) in enumerate(compared):
        stats[row] = sum(is_right.values()), n_predicted, len(is_right)
        correct.extend(is_right.values())
    return MetricCounts(stats, np.asarray(correct, dtype=bool))


def _count_sentences(examples: Sequence[Example], compared: Sequence[Comparison]) -> MetricCounts:
    """Count gold sentences in which all tokens are right; those without gold values do not count.

    examples (Sequence[Example]): The examples.
    compared (Sequence[Comparison]): The comparison of each of them.
    RETURNS (MetricCounts): The counts.
    """
    stats = np.zeros((len(examples), 3), dtype=np.int64)
    correct: list[bool] = []
    for row, (eg, (is_right, _)) in enumerate(zip(examples, compared, strict=True)):
        sentences = np.cumsum(eg.reference.to_array("SENT_START") == 1).tolist()
        is_exact: dict[int, bool] = {}
        for i, right in is_right.items():
            is_exact[sentences[i]] = is_exact.get(sentences[i], True) and right
        stats[row] = sum(is_exact.values()), len(is_exact), len(is_exact)
        correct.extend(is_exact.values())
    return MetricCounts(stats, np.asarray(correct, dtype=bool))


def _count_spans(
    examples: Sequence[Example], attr: str, get_spans: Callable[[Doc], Spans]
) -> MetricCounts:
    """Count a span metric; documents without gold annotation do not count.

    examples (Sequence[Example]): The examples.
    attr (str): The annotation needed.
    get_spans (Callable): Reads a document's spans.
    RETURNS (MetricCounts): The counts.
    """
    stats = np.zeros((len(examples), 3), dtype=np.int64)
    for row, eg in enumerate(examples):
        if not eg.reference.has_annotation(attr):
            continue
        gold = get_spans(eg.reference)
        predicted = get_spans(eg.predicted) if eg.predicted.has_annotation(attr) else set()
        if attr == "ENT_IOB":
            predicted = _outside_missing(predicted, eg.reference)
        stats[row] = len(gold & predicted), len(predicted), len(gold)
    return MetricCounts(stats, None)


def _count_brackets(docs: Sequence[Sequence[SentenceBrackets]], *, exact: bool) -> MetricCounts:
    """Count brackets, or gold sentences in which all brackets are right.

    docs (Sequence[Sequence[SentenceBrackets]]): The sentences of each document.
    exact (bool): Whether to count sentences.
    RETURNS (MetricCounts): The counts.
    """
    stats = np.zeros((len(docs), 3), dtype=np.int64)
    correct: list[bool] = []
    for row, sentences in zip(stats, docs, strict=True):
        is_exact = [sentence.is_exact for sentence in sentences]
        correct.extend(is_exact)
        if exact:
            row[:] = sum(is_exact), len(is_exact), len(is_exact)
        elif sentences:
            row[:] = np.sum([sentence.counts for sentence in sentences], axis=0)
    return MetricCounts(stats, np.asarray(correct, dtype=bool) if exact else None)


def _outside_missing(predicted: Spans, reference: Doc) -> Spans:
    """Leave out predicted entities that touch a token without gold annotation.

    predicted (Spans): The predicted entities.
    reference (Doc): The gold document.
    RETURNS (Spans): The entities that can be judged.
    """
    unknown = [t for t in reference if t.ent_iob == 0]
    return {
        (start, end, label)
        for start, end, label in predicted
        if not any(t.idx < end and start < t.idx + len(t) for t in unknown)
    }
