"""Confidences of constituents and partial parses, wherever their Docs go."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span, Token

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.constituents import (
    register_constituents,
    store_partial_parses,
    store_span_confidences,
)
from spacy_perceptron.answers.kinds import find_kind
from spacy_perceptron.trees.constituents import set_constituents

VOCAB = spacy.blank("en").vocab
# Two sentences: (S (NP (NNP Kim)) (VP sleeps)) (FRAG (NP the dog) .)
WORDS = ["Kim", "sleeps", "the", "dog", "."]
PHRASES = [
    ("S", 0, 2, 0.9),
    ("NP", 0, 1, 0.8),
    ("NX", 0, 1, 0.8),
    ("VP", 1, 2, 0.7),
    ("FRAG", 2, 5, 0.6),
    ("NP", 2, 4, 0.5),
]
VALUES = [value for *_, value in PHRASES]


def make_doc() -> Doc:
    """The second sentence has no complete tree."""
    register_constituents()
    doc = Doc(VOCAB, words=WORDS, sent_starts=[True, False, True, False, False])
    spans = [Span(doc, start, end, label=label) for label, start, end, _ in PHRASES]
    set_constituents(doc, spans)
    characters = np.array([[span.start_char, len(span.text)] for span in spans])
    store_span_confidences(doc, characters, [span.label for span in spans], VALUES)
    second = doc[2:5]
    store_partial_parses(doc, np.array([[second.start_char, len(second.text)]]))
    return doc


def found(doc: Doc) -> list[float | None]:
    return [span._.confidence for span in doc.spans["constituents"]]


def partial(doc: Doc) -> list[str]:
    return [doc[start:end].text for start, end in doc._.partial_parses]


def test_confidences_of_spans():
    doc = make_doc()
    assert found(doc) == VALUES
    # Any span over the same tokens has that of the constituent, unless it has another label.
    assert doc[0:2]._.confidence == 0.9
    assert Span(doc, 0, 1, label="NX")._.confidence == 0.8
    assert Span(doc, 0, 1, label="VP")._.confidence is None
    assert Span(doc, 2, 4, label="NX")._.confidence is None
    # What is no constituent has none.
    assert [span._.confidence for span in (doc[1:3], doc[0:5], doc[4:5], doc[2:3])] == [None] * 4
    assert doc[1:1]._.confidence is None


def test_partial_parses():
    assert partial(make_doc()) == ["the dog ."]


def by_bin(doc: Doc) -> Doc:
    data = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (copy,) = DocBin().from_bytes(data).get_docs(spacy.blank("en").vocab)
    return copy


COPIES: list[Callable[[Doc], Doc]] = [
    Doc.copy,
    by_bin,
    lambda doc: pickle.loads(pickle.dumps(doc)),
    lambda doc: Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes()),
]


@pytest.mark.parametrize("copy", COPIES, ids=["copy", "DocBin", "pickle", "bytes"])
def test_copies(copy: Callable[[Doc], Doc]):
    other = copy(make_doc())
    assert found(other) == VALUES
    assert partial(other) == ["the dog ."]


def test_no_user_data_no_confidence():
    doc = make_doc()
    (bare,) = DocBin(docs=[doc]).get_docs(doc.vocab)
    assert found(bare) == [None] * len(VALUES)
    assert partial(bare) == []


def test_joined_docs():
    empty = Doc(VOCAB, words=["None", "here"])
    joined = Doc.from_docs([make_doc(), empty, make_doc()])
    assert found(joined) == VALUES * 2
    assert partial(joined) == ["the dog ."] * 2
    assert [start for start, _ in joined._.partial_parses] == [2, 9]
    assert joined[5:7]._.confidence is None


def test_parts_of_docs():
    """spaCy drops span groups, but not what is known of their characters."""
    part = make_doc()[2:5].as_doc(copy_user_data=True)
    assert (part[0:3]._.confidence, part[0:2]._.confidence) == (0.6, 0.5)
    assert partial(part) == ["the dog ."]
    part = make_doc()[0:4].as_doc(copy_user_data=True)
    assert part[2:4]._.confidence == 0.5
    assert part[0:4]._.confidence is None
    # The sentence is not whole.
    assert partial(part) == []


def test_other_tokens():
    """What is tied to a text still holds, as long as it begins and ends with a token."""
    doc = make_doc()
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:4])
    assert doc[2:4]._.confidence == 0.6
    assert doc[2:3]._.confidence == 0.5
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:3])
    assert [doc[i:j]._.confidence for i, j in ((1, 2), (1, 3), (0, 2))] == [None] * 3
    assert doc[0:1]._.confidence == 0.8
    assert partial(doc) == []


def test_new_records_take_the_place_of_old_ones():
    doc = make_doc()
    store_span_confidences(doc, np.array([[0, 3]]), [VOCAB.strings.add("NP")], [0.25])
    assert found(doc) == [None, 0.25, None, None, None, None]
    store_span_confidences(doc, np.zeros((0, 2)), [], None)
    assert found(doc) == [None] * len(VALUES)
    store_partial_parses(doc, np.zeros((0, 2)))
    assert partial(doc) == []
    assert doc.user_data == {}


def test_another_answer_has_none_of_the_confidences_that_it_did_not_earn():
    doc = make_doc()
    rows = [[0, 2, "S"], [0, 1, "NP"], [2, 5, "S"], [2, 4, "NP"]]
    Candidate(1.0, 1.0, {"constituents": rows}).apply(doc)
    assert found(doc) == [0.9, 0.8, None, 0.5]


def test_kinds_register_their_own_extensions():
    find_kind({"x_name": (), "constituents": (), "y_name": ()}).register_confidences()
    for name in ("x_name", "y_name"):
        assert Token.remove_extension(f"{name}_confidence")
    assert not Token.has_extension("constituents_confidence")
    assert Span.has_extension("confidence")
    assert Doc.has_extension("partial_parses")


@Language.component("test_constituents")
def give_constituents(doc: Doc) -> Doc:
    return make_doc()


def test_worker_processes():
    nlp = spacy.blank("en")
    nlp.add_pipe("test_constituents")
    for doc in nlp.pipe(["one", "two"], n_process=2):
        assert found(doc) == VALUES
        assert partial(doc) == ["the dog ."]
