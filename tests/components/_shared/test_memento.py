"""Every component can go back to exactly what it knew before."""

from typing import Any

import pytest
from spacy.language import Language
from spacy.training import Example

from ..contract import CONTRACTS, NAME, Contract

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:SMO"),
]

LEARNING = [contract for contract in CONTRACTS if contract.can_be_corrected]
NAMED = [contract for contract in CONTRACTS if contract.has_labels and contract.named_labels]


def by_id(contract: Contract) -> str:
    return contract.id


@pytest.fixture(scope="module")
def contract(request: pytest.FixtureRequest) -> Contract:
    return request.param


@pytest.fixture(scope="module")
def trained(contract: Contract) -> bytes:
    return contract.train(epochs=1).get_pipe(NAME).to_bytes()


@pytest.fixture
def nlp(contract: Contract, trained: bytes) -> Language:
    nlp = contract.blank()
    nlp.get_pipe(NAME).from_bytes(trained)
    return nlp


def saved(nlp: Language) -> bytes:
    return nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])


def wrong_ones(contract: Contract, nlp: Language) -> list[Example]:
    """New sentences with mistakes in them that can be corrected."""
    pipe = nlp.get_pipe(NAME)
    found = []
    for example in contract.examples(nlp, "train", limit=40)[12:]:
        known = {*pipe.labels}
        if {*pipe._labels_of(example)} <= known or not contract.named_labels:
            doc = nlp(example.predicted.copy())
            if contract.labels(doc) != contract.labels(example.reference):
                found.append(example)
    return found


@pytest.mark.parametrize("contract", LEARNING, ids=by_id, indirect=True, scope="module")
def test_corrections_are_undone_one_by_one(contract: Contract, nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    examples = wrong_ones(contract, nlp)[:3]
    assert examples
    states = []
    for example in examples:
        states.append((pipe.remember(), saved(nlp), contract.predict(nlp)))
        pipe.correct(example)
    # Something was learned, so that there is something to undo.
    assert saved(nlp) != states[0][1]
    for memento, weights, predictions in reversed(states):
        pipe.go_back(memento)
        assert saved(nlp) == weights
        assert contract.predict(nlp) == predictions


@pytest.mark.parametrize("contract", LEARNING, ids=by_id, indirect=True, scope="module")
def test_the_same_is_learned_again_after_going_back(contract: Contract, nlp: Language):
    """Nothing is left that was derived from what was undone."""
    pipe: Any = nlp.get_pipe(NAME)
    first, *others = wrong_ones(contract, nlp)[:3]
    memento = pipe.remember()
    n_steps = pipe.correct(first)
    learned = saved(nlp)
    for example in others:
        pipe.correct(example)
    pipe.go_back(memento)
    # Another one in between numbers symbols of grammars in another order.
    for example in others[::-1]:
        pipe.correct(example)
    pipe.go_back(memento)
    assert pipe.correct(first) == n_steps
    assert saved(nlp) == learned


@pytest.mark.parametrize("contract", CONTRACTS, ids=by_id, indirect=True, scope="module")
def test_training_is_undone(contract: Contract, nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    examples = contract.examples(nlp)
    before, predictions = saved(nlp), contract.predict(nlp)
    memento = pipe.remember()
    pipe.update(examples)
    after = saved(nlp)
    assert after != before
    pipe.go_back(memento)
    assert saved(nlp) == before
    assert contract.predict(nlp) == predictions


@pytest.mark.parametrize("contract", NAMED, ids=by_id, indirect=True, scope="module")
def test_labels_are_undone(contract: Contract, nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    before, labels, memento = saved(nlp), pipe.labels, pipe.remember()
    pipe.add_label(contract.new_label("NEW"))
    assert pipe.labels != labels
    pipe.go_back(memento)
    assert (pipe.labels, saved(nlp)) == (labels, before)


def test_what_another_component_remembers():
    tagger, parser = (c for c in CONTRACTS if c.id in ("easy_first_tagger", "mira_parser"))
    memento = tagger.blank().get_pipe(NAME).remember()
    pipe = parser.blank().get_pipe(NAME)
    with pytest.raises(ValueError, match="remembered by a component with another model"):
        pipe.go_back(memento)
