"""What older versions left with Docs, and what anyone may set."""

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.confidence import (
    confidence_key,
    read_confidences,
    register_confidence,
    store_confidences,
)
from spacy_perceptron.answers.sentences import SentenceAnswers
from spacy_perceptron.answers.stored import (
    register_extensions,
    store_nbest,
    store_sentences,
    stored_sentences,
)

FIRST = SentenceAnswers(0, 2, [3.0, 1.0], [{"tag": ["A", "B"]}, {"tag": ["A", "C"]}])
SECOND = SentenceAnswers(2, 3, [2.0], [{"tag": ["D"]}], [5.0])


def make_doc() -> Doc:
    register_extensions()
    register_confidence("tag")
    return Doc(Vocab(), words=["Go", "home", "."])


def test_lists_of_the_doc_are_made_from_those_of_sentences():
    doc = make_doc()
    store_sentences(doc, "tagger", [FIRST, SECOND], k=5)
    lists = doc._.nbest["tagger"]
    assert [(item["score"], item["tag"]) for item in lists] == [
        (5.0, ["A", "B", "D"]),
        (3.0, ["A", "C", "D"]),
    ]
    # Changing what was asked for does not change what is kept.
    lists[0]["tag"][0] = "X"
    assert doc._.nbest["tagger"][0]["tag"] == ["A", "B", "D"]
    store_sentences(doc, "tagger", [FIRST, SECOND], k=1)
    assert len(doc._.nbest["tagger"]) == 1
    # At a temperature of 2 a gap of 2 is one of 1.
    store_sentences(doc, "tagger", [FIRST, SECOND], temperature=2.0)
    shares = [item["probability"] for item in doc._.nbest["tagger"]]
    assert 2.7182 < shares[0] / shares[1] < 2.7183


def old_doc() -> Doc:
    """A doc as version 0.3 kept it."""
    doc = make_doc()
    joined = [
        {"score": 5.0, "probability": 0.75, "tag": ["A", "B", "D"]},
        {"score": 3.0, "probability": 0.25, "tag": ["A", "C", "D"]},
    ]
    rows = [[s.start, s.end, s.scores, s.annotations] for s in (FIRST, SECOND)]
    doc.user_data["spacy_perceptron.nbest"] = {"tagger": joined, "other": joined[:1]}
    doc.user_data["spacy_perceptron.sentence_nbest"] = {"tagger": rows}
    doc.user_data[confidence_key("tag")] = [0.5, None, 1.0]
    (copy,) = DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab)
    return copy


def test_docs_of_older_versions():
    doc = old_doc()
    assert [item["probability"] for item in doc._.nbest["tagger"]] == [0.75, 0.25]
    assert doc._.nbest["other"][0]["tag"] == ["A", "B", "D"]
    assert [(s.start, s.end) for s in stored_sentences(doc, "tagger")] == [(0, 2), (2, 3)]
    assert [(s.start, s.end) for s in stored_sentences(doc, "other")] == [(0, 3)]
    assert [token._.tag_confidence for token in doc] == [0.5, None, 1.0]
    assert read_confidences(doc, "tag") == [0.5, None, 1.0]


def test_new_answers_take_the_place_of_old_ones():
    doc = old_doc()
    store_sentences(doc, "tagger", [FIRST, SECOND], k=1)
    store_nbest(doc, "other", [Candidate(1.0, 1.0, {"tag": ["X", "Y", "Z"]})])
    store_confidences([doc], "tag", [0.25, 0.25, 0.25])
    assert len(doc._.nbest["tagger"]) == 1
    assert [item["tag"] for item in doc._.nbest["other"]] == [["X", "Y", "Z"]]
    assert [token._.tag_confidence for token in doc] == [0.25] * 3


def test_lists_can_be_set():
    doc = old_doc()
    store_sentences(doc, "tagger", [FIRST, SECOND])
    given = {"mine": [{"score": 1.0, "probability": 1.0, "tag": ["X", "Y", "Z"]}]}
    doc._.nbest = given
    assert doc._.nbest == given


def test_lists_that_were_set_are_joined():
    """Those of two Docs; where one has none, the whole has none."""
    one, other = make_doc(), make_doc()
    other = Doc(one.vocab, words=[token.text for token in other])
    item = {"score": 1.0, "probability": 1.0, "base_score": 3.0, "tag": ["X", "Y", "Z"]}
    one._.nbest = other._.nbest = {"mine": [item]}
    (joined,) = Doc.from_docs([one, other])._.nbest["mine"]
    assert (joined["score"], joined["base_score"]) == (2.0, 6.0)
    assert joined["tag"] == ["X", "Y", "Z", "X", "Y", "Z"]
    other._.nbest = {"mine": [{**item, "base_score": None}]}
    (joined,) = Doc.from_docs([one, other])._.nbest["mine"]
    assert joined.get("base_score") is None
    other._.nbest = {"mine": []}
    assert Doc.from_docs([one, other])._.nbest == {}
