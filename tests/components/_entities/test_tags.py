import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.components._entities.tags import (
    EntityTags,
    find_spans,
    given_tags,
    gold_tags,
)
from spacy_perceptron.components._shared.words import read_words

from ..docs import VOCAB


def aligned(words, tags, predicted=None, labels=("P", "Q"), scheme="bio", **more) -> list[int]:
    reference = Doc(VOCAB, words=words)
    spans = [Span(reference, start, end, label=label) for start, end, label in find_spans_of(tags)]
    missing = [reference[i : i + 1] for i, tag in enumerate(tags) if tag == "-"]
    reference.set_ents(spans, missing=missing, default="outside")
    doc = Doc(VOCAB, words=predicted or words, **more)
    table = EntityTags(labels, scheme)
    return gold_tags(table, Example(doc, reference), read_words([doc])).tolist()


def find_spans_of(tags: list[str]) -> list[tuple[int, int, str]]:
    spans: list[tuple[int, int, str]] = []
    for i, tag in enumerate(tags):
        if tag[0] == "B":
            spans.append((i, i + 1, tag[2:]))
        elif tag[0] == "I":
            spans[-1] = (spans[-1][0], i + 1, tag[2:])
    return spans


def test_gold_tags():
    words = ["a", "b", "c", "d", "e"]
    assert aligned(words, ["O", "B-P", "I-P", "O", "B-Q"]) == [0, 1, 2, 0, 3]
    assert aligned(words, ["O", "B-P", "I-P", "I-P", "B-Q"], scheme="biluo") == [0, 1, 2, 3, 8]
    # Missing: any tag, but behind a known entity none that goes on with it.
    assert aligned(words, ["-", "B-P", "I-P", "-", "-"]) == [-1, 1, 2, -2, -1]
    # An entity with an unknown label is as good as missing.
    assert aligned(words, ["O", "B-X", "I-X", "O", "B-Q"]) == [0, -1, -1, 0, 3]
    # So is one that the sentences of the predicted doc cut in two.
    starts = [1, 0, 1, 0, 0]
    tags = ["O", "B-P", "I-P", "O", "B-Q"]
    assert aligned(words, tags, sent_starts=starts) == [0, -1, -1, 0, 3]


@pytest.mark.parametrize("scheme", ["bio", "biluo"])
def test_given_entities_of_whitespace_have_no_tags(scheme: str):
    """The word behind them still begins something new."""
    doc = Doc(VOCAB, words=["a", " ", "\n", "b", "c"])
    tags = given_tags(EntityTags(["P"], scheme), [(1, 3, "P")], read_words([doc]))
    assert tags.tolist() == [-1, -2, -1]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["O", "B-P", "I-P", "B-Q", "I-Q"]), min_size=1, max_size=8))
def test_find_spans_reads_what_spacy_writes(tags):
    legal = [
        tag if tag[0] != "I" or (i and tags[i - 1][2:] == tag[2:]) else f"B-{tag[2:]}"
        for i, tag in enumerate(tags)
    ]
    doc = Doc(VOCAB, words=["w"] * len(legal), ents=legal)
    iob, types = doc.to_array(["ENT_IOB", "ENT_TYPE"]).T.tolist()
    spans = [(s, e, VOCAB.strings[label]) for s, e, label in find_spans(iob, types)]
    assert spans == [(ent.start, ent.end, ent.label_) for ent in doc.ents]
