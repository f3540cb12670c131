"""Which scores choose the best model of a training, without weights in the config."""

from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example


def make(*attributes: str, **weights: Any) -> Language:
    nlp = spacy.blank("xx")
    for attribute in attributes:
        config = {"attribute": attribute}
        nlp.add_pipe("easy_first_tagger", name=f"{attribute}_tagger", config=config)
    nlp.config["training"]["score_weights"].update(weights)
    doc = Doc(nlp.vocab, words=["Go", "now"], tags=["VB", "RB"], pos=["VERB", "ADV"])
    nlp.initialize(lambda: [Example(nlp.make_doc("Go now"), doc)])
    return nlp


@pytest.mark.parametrize(
    ("attributes", "counted"),
    [(["tag"], "tag_acc"), (["pos"], "pos_acc"), (["tag", "pos"], "tag_acc")],
)
def test_only_what_is_predicted_counts(attributes: list[str], counted: str):
    nlp = make(*attributes)
    weights = nlp.config["training"]["score_weights"]
    assert {name for name, weight in weights.items() if weight} == {counted}
    doc = Doc(nlp.vocab, words=["Go", "now"], tags=["VB", "RB"], pos=["VERB", "ADV"])
    assert counted in nlp.evaluate([Example(nlp.make_doc("Go now"), doc)])


def test_given_weights_stay():
    weights = make("pos", tag_acc=0.5, pos_acc=0.5).config["training"]["score_weights"]
    assert {name: weight for name, weight in weights.items() if weight is not None} == {
        "tag_acc": 0.5,
        "pos_acc": 0.5,
    }
    nlp = spacy.blank("xx")
    nlp.add_pipe("attribute_ruler")
    nlp.add_pipe("easy_first_tagger", config={"attribute": "pos"})
    doc = Doc(nlp.vocab, words=["Go"], pos=["VERB"])
    nlp.initialize(lambda: [Example(nlp.make_doc("Go"), doc)])
    assert nlp.config["training"]["score_weights"]["tag_acc"] == 1.0
