"""Count, document by document, what a pipeline gets right: the raw material of significance tests.

A metric is a table with one row per document: true positives, predicted items, gold items. Its
value is the F-score of the summed columns, which is plain accuracy where predicted and gold tokens
coincide. Token metrics also keep one decision per gold token, so that two pipelines with different
tokenizers still decide on the same items.

Differences from spaCy's scorer: punctuation counts in `dep_uas` and `dep_las`, labels are compared
as they are written, whitespace tokens count nowhere, and a predicted token that is no gold token
counts as a wrong prediction in every token metric. Cost: O(tokens).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example

from .errors import Errors

Value = Any
Spans = set[tuple[int, int, str]]


@dataclass(frozen=True)
class MetricCounts:
    """What one pipeline achieved in one metric.

    stats (np.ndarray): True positives, predicted and gold items, one row per document.
    correct (Optional[np.ndarray]): Whether each gold token is right; None for span metrics.
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


def _tag(token: Token) -> Value:
    return token.tag_ or None


def _pos(token: Token) -> Value:
    return token.pos_ or None


def _morph(token: Token) -> Value:
    return str(token.morph) if token.has_morph() else None


def _lemma(token: Token) -> Value:
    return token.lemma_ or None


def _head(token: Token) -> Value:
    return token.head.i if token.has_head() else None


def _head_and_label(token: Token) -> Value:
    return (token.head.i, token.dep_) if token.has_head() and token.has_dep() else None


def _entities(doc: Doc) -> Spans:
    return {(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents}


def _sentences(doc: Doc) -> Spans:
    return {(sent.start_char, sent.end_char, "") for sent in doc.sents}


# Name -> the annotation both sides need, and how to read a token's value (None: missing).
TOKEN_METRICS: dict[str, tuple[str, Callable[[Token], Value]]] = {
    "tag_acc": ("TAG", _tag),
    "pos_acc": ("POS", _pos),
    "morph_acc": ("MORPH", _morph),
    "lemma_acc": ("LEMMA", _lemma),
    "dep_uas": ("DEP", _head),
    "dep_las": ("DEP", _head_and_label),
}
# Name -> the annotation both sides need, and how to read a document's spans, in characters.
SPAN_METRICS: dict[str, tuple[str, Callable[[Doc], Spans]]] = {
    "ents_f": ("ENT_IOB", _entities),
    "sents_f": ("SENT_START", _sentences),
}
METRICS = (*TOKEN_METRICS, *SPAN_METRICS)


def count_metrics(
    examples: Sequence[Example], names: Iterable[str] = METRICS
) -> dict[str, MetricCounts]:
    """Count each metric that the gold annotation allows and the pipeline predicts.

    examples (Sequence[Example]): Examples whose `predicted` carries the predictions.
    names (Iterable[str]): The metrics wanted.
    RETURNS (dict[str, MetricCounts]): Counts by metric, in the order of `names`.
    """
    counts = {}
    for name in names:
        if name in TOKEN_METRICS:
            attr, getter = TOKEN_METRICS[name]
            if _has_annotation(examples, attr):
                counts[name] = _count_tokens(examples, getter, is_tree=attr == "DEP")
        elif name in SPAN_METRICS:
            attr, get_spans = SPAN_METRICS[name]
            if _has_annotation(examples, attr):
                counts[name] = _count_spans(examples, attr, get_spans)
        else:
            known = ", ".join(METRICS)
            raise ValueError(Errors.EVALUATION_UNKNOWN_METRIC.format(name=name, names=known))
    return counts


def _has_annotation(examples: Sequence[Example], attr: str) -> bool:
    """Whether an annotation is there in gold and in predictions.

    examples (Sequence[Example]): The examples.
    attr (str): The token attribute.
    RETURNS (bool): Whether some gold document and some predicted one have it.
    """
    return any(eg.reference.has_annotation(attr) for eg in examples) and any(
        eg.predicted.has_annotation(attr) for eg in examples
    )


def _one_to_one(eg: Example) -> dict[int, int]:
    """RETURNS (dict[int, int]): Gold token by predicted token, where they are the same token."""
    x2y, y2x = eg.alignment.x2y, eg.alignment.y2x
    pairs = {}
    for i in range(len(eg.predicted)):
        if x2y.lengths[i] == 1:
            gold_i = int(x2y[i][0])
            if y2x.lengths[gold_i] == 1:
                pairs[i] = gold_i
    return pairs


def _in_gold_indices(value: Value, pairs: dict[int, int]) -> Value:
    """Express a predicted head, or (head, label), by the gold token it corresponds to.

    value (Value): What was read from a predicted token.
    pairs (dict[int, int]): Gold token by predicted token.
    RETURNS (Value): The same in gold indices; None where the head is no gold token.
    """
    if value is None:
        return None
    if isinstance(value, tuple):
        head = pairs.get(value[0])
        return None if head is None else (head, value[1])
    return pairs.get(value)


def _count_tokens(
    examples: Sequence[Example], getter: Callable[[Token], Value], *, is_tree: bool
) -> MetricCounts:
    """Count a token metric.

    examples (Sequence[Example]): The examples.
    getter (Callable): Reads a token's value; None where it is missing.
    is_tree (bool): Whether values are heads, i.e. token indices.
    RETURNS (MetricCounts): The counts.
    """
    stats = np.zeros((len(examples), 3), dtype=np.int64)
    correct: list[bool] = []
    for row, eg in enumerate(examples):
        gold = {t.i: getter(t) for t in eg.reference if not t.text.isspace()}
        gold = {i: value for i, value in gold.items() if value is not None}
        is_ignored = {t.i for t in eg.reference if t.i not in gold}
        pairs = _one_to_one(eg)
        right = set()
        n_predicted = 0
        for token in eg.predicted:
            gold_i = pairs.get(token.i)
            if token.text.isspace() or gold_i in is_ignored:
                continue
            n_predicted += 1
            if gold_i is not None:
                value = getter(token)
                value = _in_gold_indices(value, pairs) if is_tree else value
                if value is not None and value == gold[gold_i]:
                    right.add(gold_i)
        correct.extend(i in right for i in gold)
        stats[row] = len(right), n_predicted, len(gold)
    return MetricCounts(stats, np.asarray(correct, dtype=bool))


def _count_spans(
    examples: Sequence[Example], attr: str, get_spans: Callable[[Doc], Spans]
) -> MetricCounts:
    """Count a span metric; documents without gold annotation count nothing.

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


def _outside_missing(predicted: Spans, reference: Doc) -> Spans:
    """Leave out predicted entities that touch a token of which gold says nothing.

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
