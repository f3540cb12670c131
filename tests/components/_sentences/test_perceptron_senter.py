"""What `perceptron_senter` does beyond the contract that all components share."""

import warnings
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.corpus.reader import copy_tokens

from ...sample import load_sample

NAME = "senter"


def examples(nlp: Language, *, n_sents: int = 4, limit: int = 120) -> list[Example]:
    docs = load_sample(nlp.vocab, "train", limit, n_sents)
    return [Example(copy_tokens(doc, sentences=False), doc) for doc in docs]


def train(epochs: int = 4, **config: Any) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptron_senter", name=NAME, config=config)
    data = examples(nlp)
    nlp.initialize(lambda: data)
    for _ in range(epochs):
        nlp.update(data)
    return nlp


@pytest.fixture(scope="module")
def saved() -> bytes:
    return train().get_pipe(NAME).to_bytes(exclude=["vocab"])


@pytest.fixture
def nlp(saved: bytes) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptron_senter", name=NAME).from_bytes(saved)
    return nlp


def texts(doc: Doc) -> list[str]:
    return [sent.text for sent in doc.sents]


def test_raw_text(nlp: Language):
    doc = nlp("\nThe dog sleeps. She left the house on Monday.\n\n It rains.\n")
    # White space belongs to the sentence before, or to the first one.
    assert texts(doc) == [
        "\nThe dog sleeps.",
        "She left the house on Monday.\n\n ",
        "It rains.\n",
    ]
    assert all(0 < token._.sent_start_confidence <= 1 for token in doc)
    assert all(token.is_sent_start is not None for token in doc)


def test_preset_boundaries_stay(nlp: Language):
    text = "The dog sleeps. She left the house on Monday."
    doc = nlp.make_doc(text)
    doc[4].is_sent_start, doc[6].is_sent_start = False, True
    assert texts(nlp(doc)) == ["The dog sleeps. She left", "the house on Monday."]
    # What it has set itself is not preset, nor does `nbest` take it for that.
    doc = nlp(nlp(text))
    assert texts(doc) == ["The dog sleeps.", "She left the house on Monday."]
    assert len(nlp.get_pipe(NAME).nbest(doc, 3)) == 3


def test_overwrite():
    nlp = train(overwrite=True)
    doc = nlp.make_doc("The dog sleeps. She left the house on Monday.")
    doc[4].is_sent_start, doc[6].is_sent_start = False, True
    assert texts(nlp(doc)) == ["The dog sleeps.", "She left the house on Monday."]


def test_gold_is_that_of_the_reference():
    """Whatever is preset in the doc to predict on."""
    plain, preset = (spacy.blank("en") for _ in range(2))
    for nlp, sentences in ((plain, False), (preset, True)):
        nlp.add_pipe("perceptron_senter", name=NAME)
        docs = load_sample(nlp.vocab, "train", 40, 4)
        data = [Example(copy_tokens(doc, sentences=sentences), doc) for doc in docs]
        nlp.initialize(lambda data=data: data)
        assert nlp.update(data)[NAME] > 0
    assert plain.get_pipe(NAME).to_bytes() == preset.get_pipe(NAME).to_bytes()


def test_one_sentence_per_doc_is_warned_of():
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptron_senter", name=NAME)
    with pytest.warns(UserWarning, match="'senter' are single sentences.*convert --documents"):
        nlp.initialize(lambda: examples(nlp, n_sents=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp.initialize(lambda: examples(nlp, n_sents=2))


def test_labels_are_fixed(nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    assert pipe.labels == ("I", "S")
    assert not pipe.is_resizable
    assert pipe.add_label("S") == 0
    with pytest.raises(ValueError, match=r"'senter' can't have the label 'X'.*\(S\).*\(I\)"):
        pipe.add_label("X")


def make_example(nlp: Language, text: str, starts: dict[int, bool]) -> Example:
    """Some boundaries are known, and nothing about the others."""
    reference = nlp.make_doc(text)
    for i, is_start in starts.items():
        reference[i].is_sent_start = is_start
    return Example(nlp.make_doc(text), reference)


def test_partial_gold_is_learned(nlp: Language):
    text = "Glorp snarf Blick quux"
    example = make_example(nlp, text, {2: True})
    assert texts(nlp(text)) == [text]
    for _ in range(10):
        nlp.update([example])
    found = nlp(text)
    assert found[2].is_sent_start
    assert nlp.update([make_example(nlp, text, {})]) == {NAME: 0.0}


def test_correction(nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    text = "we saw Kim . she left at noon"
    example = make_example(nlp, text, {4: True, 5: False})
    assert pipe.correct(example) > 0
    assert texts(nlp(text)) == ["we saw Kim .", "she left at noon"]
    assert pipe.correct(example) == 0


def test_correction_in_a_quiet_context():
    """A context in which a sentence starts is looked at from then on."""
    nlp = train(quiet_share=0.002)
    pipe: Any = nlp.get_pipe(NAME)
    quiet = "lower, lower, space"
    assert quiet in pipe.cfg["quiet"]
    text = "we saw nothing he saw more"
    doc = nlp(text)
    assert doc[3]._.sent_start_confidence == 1.0
    assert pipe.explain(doc, 3).features == []
    assert pipe.correct(make_example(nlp, text, {3: True})) > 0
    assert quiet not in pipe.cfg["quiet"]
    assert texts(nlp(text)) == ["we saw nothing", "he saw more"]
    assert train(0, quiet_share=0.0).get_pipe(NAME).cfg["quiet"] == []


def test_explanation(nlp: Language):
    doc = nlp("Kim slept. She left.")
    i = next(token.i for token in doc if token.text == "She")
    explanation = nlp.get_pipe(NAME).explain(doc, i)
    assert (explanation.chosen, explanation.runner_up) == ("S", "I")
    seen = {feature.template: feature.value for feature in explanation.features}
    assert seen["w-1.orth w.space"] == ". space"
    assert seen["w-1.abbreviation"] == "False"
    # The scores are the sums of the weights.
    total = sum(feature.chosen for feature in explanation.features)
    assert total == pytest.approx(explanation.chosen_score, abs=1e-3)


def test_saved_lists_are_checked(nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    for cfg in ({"words": {"lower": []}}, {"quiet": ["nowhere"]}):
        with pytest.raises(ValueError, match="The saved"):
            pipe._check_cfg({**pipe.cfg, **cfg})


def test_a_long_doc_is_one_sequence(nlp: Language):
    """20,000 words: the same as its parts, apart from words that see the edge of a part."""
    text = "The dog sleeps. She left the house on Monday. "
    n = 2000
    whole = nlp(text * n)
    assert len(whole) == 11 * n
    inner = [token.is_sent_start for token in nlp(text * 3)][11:22]
    assert [token.is_sent_start for token in whole][11 : 11 * (n - 1)] == inner * (n - 2)
