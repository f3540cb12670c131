"""What the contract reads of Docs is what is there."""

import numpy as np
import pytest

from spacy_perceptron.answers.constituents import register_constituents
from spacy_perceptron.components._constituents.writer import Phrases, PhraseWriter
from spacy_perceptron.components._shared.words import read_words

from .contract import Contract
from .docs import make_doc
from .readings import ConstituentReading, give_phrase

PARSER = Contract(
    factory="none",
    score="const_f",
    attribute="constituents",
    confidence="confidence",
    give_label=give_phrase,
    bad_settings=[],
    reading=ConstituentReading(),
    learns_sentences=True,
)


def parse(text: str) -> tuple:
    """`(S (NP a) (VP b))`, and its confidences."""
    register_constituents()
    doc = make_doc(text)
    words = read_words([doc])
    columns = [np.array(column, np.int32) for column in ([0, 1, 2], [0, 0, 1], [2, 1, 2])]
    writer = PhraseWriter(["S", "NP-X", "VP"])
    writer.labels.add_to(words.texts)
    writer.write_all([doc], words, [Phrases(*columns)], confidences=[np.array([0.5, 0.25, 0.75])])
    return doc, words


def test_cells():
    doc, _ = parse("_ a _ b _")
    assert PARSER.labels(doc) == ["*", "(S(NP-X*)", "*", "(VP*))", "*"]
    assert PARSER.names(doc) == {"S", "NP-X", "VP"}
    assert [PARSER.label_at(doc, i) for i in (1, 3)] == ["NP-X", "VP"]
    renamed = [PARSER.read.rename(cell, "-R") for cell in PARSER.labels(doc)]
    assert renamed == ["*", "(S-R(NP-X-R*)", "*", "(VP-R*))", "*"]
    assert PARSER.labels(make_doc("a b")) == ["*", "*"]
    assert PARSER.names(make_doc("a b")) == set()


def test_confidences():
    doc, _ = parse("_ a _ b _")
    assert PARSER.confidences(doc) == [0.5, 0.25, 0.75]
    # "\\n a \\n b \\n", with a space after each token.
    assert PARSER.known_confidences(doc) == {(2, 3): 0.25, (6, 7): 0.75, (2, 7): 0.5}
    assert PARSER.known_confidences(doc[1:4].as_doc(copy_user_data=True)) == {
        (0, 1): 0.25,
        (4, 5): 0.75,
        (0, 5): 0.5,
    }


@pytest.mark.parametrize("order", [(0, 2), (2, 0)])
def test_phrases_can_be_given(order: tuple[int, ...]):
    doc = make_doc("a b c")
    for i in order:
        PARSER.give_label(doc, i, f"L{i}")
    assert PARSER.labels(doc) == ["(L0*)", "*", "(L2*)"]
    PARSER.give_label(doc, 0, "OTHER")
    assert [PARSER.label_at(doc, i) for i in range(3)] == ["OTHER", "*", "L2"]
