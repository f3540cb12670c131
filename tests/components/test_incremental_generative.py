"""The generative model of the incremental parser, alone and beside the weights of features."""

import math
import threading
from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.trees.constituents import set_constituents

from .contract import CONTRACTS, NAME, templates

(CONTRACT,) = [contract for contract in CONTRACTS if contract.factory == "incremental_parser"]
NONE = {
    "templates": templates(sets=[])["templates"],
    "word_templates": templates(sets=[])["templates"],
}
PAPER = {
    "templates": templates(sets=["spacy_perceptron.incremental_paper.v1"])["templates"],
    "word_templates": templates(sets=["spacy_perceptron.incremental_paper_words.v1"])["templates"],
    "update": "early",
    "learner": "perceptron",
    "loss_augmented": False,
}
CHAINS = {"transitions": "chains", "max_tags": 1}
GENERATIVE = {**CHAINS, **NONE, "log_weight": 1.0}
HYBRID = {**CHAINS, **PAPER, "log_weight": 10.0, "cache_passes": 2}


def train(settings: dict[str, Any], epochs: int = 2) -> Language:
    return CONTRACT.train(limit=80, epochs=epochs, **settings)


@pytest.fixture(scope="module", params=["generative", "hybrid"])
def nlp(request) -> Language:
    return train(GENERATIVE if request.param == "generative" else HYBRID)


def score(nlp: Language, split: str, limit: int) -> float:
    return nlp.evaluate(CONTRACT.examples(nlp, split, limit=limit))["const_f"]


def answers(nlp: Language) -> list[list[tuple[str, int, int]]]:
    docs = [nlp(eg.predicted) for eg in CONTRACT.examples(nlp, "dev", limit=10)]
    return [[(s.label_, s.start, s.end) for s in doc.spans["constituents"]] for doc in docs]


def test_parses_what_it_was_trained_on(nlp):
    assert score(nlp, "train", 80) > 0.8


def test_survives_saving(nlp):
    loaded = CONTRACT.blank(**(HYBRID if nlp.get_pipe(NAME)._program.nodes else GENERATIVE))
    loaded.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    assert answers(loaded) == answers(nlp)
    doc = CONTRACT.examples(nlp, "dev", limit=1)[0].predicted
    assert loaded.get_pipe(NAME).surprisal(doc) == nlp.get_pipe(NAME).surprisal(doc)


def test_surprisal_has_a_number_for_each_word(nlp):
    words = ["The", "dog", " ", "barks", "."]
    doc = Doc(nlp.vocab, words=words, tags=["DT", "NN", "_SP", "VBZ", "."])
    bits = nlp.get_pipe(NAME).surprisal(doc)
    assert [value is None for value in bits] == [False, False, True, False, False]
    assert all(math.isfinite(value) for value in bits if value is not None)
    # The same beginning is as surprising whatever follows.
    again = nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab, words=words[:2], tags=["DT", "NN"]))
    assert again == pytest.approx(bits[:2])
    assert nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab)) == []


def test_training_scores_are_of_models_that_have_not_seen_the_sentence():
    nlp = CONTRACT.blank(**HYBRID)
    examples = CONTRACT.examples(nlp, limit=40)
    nlp.initialize(lambda: examples)
    pipe = nlp.get_pipe(NAME)
    sentences = [sentence for example in examples for sentence in pipe._gold(example)]
    nlp.update(examples[:1])
    for i, sentence in enumerate(sentences):
        training, known = pipe._training_of(sentence)
        fold = i * 10 // len(sentences)
        assert training is pipe._fold_trainings[fold]
        others = [
            word
            for j, other in enumerate(sentences)
            if j * 10 // len(sentences) != fold
            for word in other.words.word_texts()
        ]
        assert known.counts.keys() == {*others}


def test_log_weight_needs_chains():
    with pytest.raises(ValueError, match="chains"):
        CONTRACT.blank(log_weight=1.0)


def test_surprisal_while_another_thread_trains(monkeypatch):
    """The grammar must not grow between the state and the decoder that are made of it."""
    nlp = train(GENERATIVE)
    pipe = nlp.get_pipe(NAME)
    doc = Doc(nlp.vocab, words=["Zorp", "barks"], tags=["ZZ", "VBZ"])
    example = Example(doc.copy(), doc.copy())
    set_constituents(example.reference, [Span(example.reference, 0, 2, label="NP")])
    before = pipe.surprisal(doc)
    training = threading.Thread(target=nlp.update, args=[[example]])
    get_state = pipe._get_state

    def interrupted() -> Any:
        state = get_state()
        training.start()
        training.join(timeout=1)
        return state

    monkeypatch.setattr(pipe, "_get_state", interrupted)
    assert pipe.surprisal(doc) == before
    training.join()


def test_another_model_is_trained_without_the_parts_of_the_old_corpus():
    """Models that have not seen a part of the corpus belong to one `initialize`."""
    old, new = train(HYBRID, epochs=1), CONTRACT.train(limit=30, epochs=1, **HYBRID)
    found = []
    for nlp in (old, CONTRACT.blank(**HYBRID)):
        pipe = nlp.get_pipe(NAME)
        pipe.from_bytes(new.get_pipe(NAME).to_bytes())
        nlp.update(CONTRACT.examples(nlp, limit=61)[-1:])
        pipe.sync()
        found.append(pipe.model.to_bytes())
    assert found[0] == found[1] != new.get_pipe(NAME).model.to_bytes()


def test_surprisal_needs_a_generative_model():
    nlp = CONTRACT.train(limit=5, epochs=1)
    with pytest.raises(ValueError, match="log_weight"):
        nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab, words=["a"]))
