"""Which confidences count as right."""

from __future__ import annotations

import numpy as np
import spacy
from spacy.tokens import Doc, Span

from benchmarks.corpora.sentences import Sentence
from benchmarks.measures.calibration import phrase_outcomes
from spacy_perceptron.answers.constituents import register_constituents, store_span_confidences
from spacy_perceptron.trees.constituents import SPANS_KEY, set_constituents


def test_a_gold_phrase_is_found_once() -> None:
    register_constituents()
    doc = Doc(spacy.blank("en").vocab, words=["a", "b", "c"])
    found = [("S", 0, 3), ("NP", 0, 2), ("NP", 0, 2), ("VP", 2, 3)]
    set_constituents(doc, [Span(doc, start, end, label=x) for x, start, end in found])
    # Equal phrases share one.
    confidences = [0.9, 0.8, 0.8, 0.6]
    spans = list(doc.spans[SPANS_KEY])
    places = np.array([[span.start_char, len(span.text)] for span in spans])
    store_span_confidences(doc, places, [span.label for span in spans], confidences)
    gold = Sentence(
        words=["a", "b", "c"],
        spaces=[True] * 3,
        tags=["X"] * 3,
        constituents=[("S", 0, 3), ("NP", 0, 2), ("NP", 2, 3)],
    )
    outcomes = list(phrase_outcomes(gold, doc))
    assert [right for _, right in outcomes] == [True, True, False, False]
    assert [round(confidence, 6) for confidence, _ in outcomes] == confidences
