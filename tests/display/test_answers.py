import json

import pytest
import spacy
from spacy.language import Language

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.explanation import token_names
from spacy_perceptron.display.answers import Answers, ask

from ..cli.by_hand.parser import CONFIDENCES, NAPS, SAW, TREES


@pytest.fixture
def nlp() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hand_parser", name="parser")
    return nlp


def ask_about(nlp: Language, text: str, k: int = 4) -> Answers:
    return ask(nlp.get_pipe("parser"), nlp(text), k)


def test_words_that_occur_again_are_numbered():
    words = ["the", "cat", " ", "saw", "the", " ", "The"]
    assert token_names(words) == ["the-0", "cat", " ", "saw", "the-4", " ", "The"]


def test_several_attributes_are_joined():
    candidate = Candidate(1.0, 1.0, {"tag": ["VB", "RB"], "pos": ["VERB", "NOUN"]})
    predicted = {"tag": ["VB", "RB"], "pos": ["VERB", "ADV"]}
    answers = Answers(["Go", "now"], predicted, [None, None], [candidate])
    assert answers.kind.drawing == ""
    assert answers.labels() == ["VB/VERB", "RB/ADV"]
    assert answers.labels(0) == ["VB/VERB", "RB/NOUN"]
    assert answers.differences(0) == ["", "RB/NOUN"]
    assert answers.differing() == [1]
    assert answers.describe().columns == predicted
    assert answers.to_dict()["predicted"] == predicted
    assert answers.to_dict()["candidates"][0]["pos"] == ["VERB", "NOUN"]


def test_heads_are_named(nlp: Language):
    answers = ask_about(nlp, SAW)
    assert answers.kind.drawing == "arcs"
    assert answers.describe().columns["head"] == [
        *("saw", "<root>", "man", "saw", "saw", "telescope", "with", "saw")
    ]
    assert answers.labels()[:3] == ["nsubj ← saw", "ROOT ← <root>", "det ← man"]
    assert answers.confidences == CONFIDENCES[SAW]


def test_only_what_differs_is_told(nlp: Language):
    """The head alone, the head and the label, a new root and its label; in the other text the
    label alone."""
    answers = ask_about(nlp, SAW)
    assert answers.differences(0) == [""] * 8
    assert answers.differences(1) == ["", "", "", "", "← man", "", "", ""]
    assert answers.differences(2) == ["", "", "", "", "nmod ← man", "", "", ""]
    assert answers.differences(3) == ["ROOT ← <root>", "ccomp ← I", "", "", "", "", "", ""]
    assert answers.differing() == [0, 1, 4]
    assert ask_about(nlp, NAPS).differences(1) == ["", "", "", "", "", "obj"]


def test_nothing_is_told_about_whitespace(nlp: Language):
    """A space without a label is its own head for spaCy, whatever the candidate says."""
    doc = nlp(NAPS)
    labels = [*TREES[NAPS][0].annotation["dep"]]
    labels[3] = ""
    heads = TREES[NAPS][0].annotation["head"]
    candidate = Candidate(1.0, 1.0, {"head": heads, "dep": labels})
    candidate.apply(doc)
    assert doc[3].head.i == 3
    nlp.get_pipe("parser").nbest = lambda doc, k: [candidate]
    answers = ask(nlp.get_pipe("parser"), doc, 1)
    assert answers.differing() == []
    assert answers.labels()[3] == ""


def test_prediction_can_differ_from_the_first_answer(nlp: Language):
    doc = nlp(SAW)
    TREES[SAW][1].apply(doc)
    answers = ask(nlp.get_pipe("parser"), doc, 2)
    assert answers.differences(0)[4] == "← saw"
    assert answers.differences(1) == [""] * 8


def test_trees_as_plain_data(nlp: Language):
    data = ask_about(nlp, SAW, 2).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["predicted"] == TREES[SAW][0].annotation
    assert data["candidates"][1]["head"] == [1, 1, 3, 1, 3, 6, 4, 1]


def test_brackets_are_described():
    """(S (NP We) (VP saw (NP her))) or without the last NP; the fourth token is a space."""
    best = {"constituents": [[0, 3, "S"], [0, 1, "NP"], [1, 3, "VP"], [2, 3, "NP"]]}
    other = Candidate(1.0, 0.4, {"constituents": best["constituents"][:3]})
    answers = Answers(
        ["We", "saw", "her", " "], best, [None] * 4, [Candidate(2.0, 0.6, best), other]
    )
    assert answers.labels() == ["(S(NP*)", "(VP*", "(NP*)))", ""]
    assert answers.differences(1) == ["", "", "*))", ""]
    assert answers.differing() == [2]
    assert answers.to_dict()["predicted"] == best


def test_no_answers():
    """A reranker has none for a doc that its base has not seen."""
    answers = Answers(["Go", "home"], {}, [None] * 2, [Candidate(0.0, 1.0)])
    assert answers.labels() == answers.labels(0) == ["", ""]
    assert answers.differing() == []
    assert answers.to_dict()["predicted"] == {}
