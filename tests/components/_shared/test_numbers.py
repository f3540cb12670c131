"""Numbers that make no sense are refused by every public method of every component, and change
nothing."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from spacy.language import Language
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration

from ..contract import CONTRACTS, NAME, Contract, templates

pytestmark = pytest.mark.filterwarnings("ignore:The docs to parse have no tags")

NAN, INF = math.nan, math.inf
BY_FACTORY = {contract.factory: contract for contract in CONTRACTS}
MIRA = BY_FACTORY["mira_parser"]
# Every search there is, and labels that are part of it.
LABELS = templates("label_templates", sets=["spacy_perceptron.arc_labels.v1"])
SEARCHES = {
    **BY_FACTORY,
    "first_order": dataclasses.replace(MIRA, config={**MIRA.config, "order": 1, **LABELS}),
    "mst": dataclasses.replace(
        MIRA, config={**MIRA.config, "order": 1, "decoder": "mst", **LABELS}
    ),
}


@pytest.fixture(scope="module", params=SEARCHES, name="contract")
def fixture_contract(request: pytest.FixtureRequest) -> Contract:
    return SEARCHES[request.param]


@pytest.fixture(scope="module")
def nlp(contract: Contract) -> Language:
    return contract.train(epochs=1)


@pytest.fixture
def example(contract: Contract, nlp: Language) -> Example:
    """One that the component does not get right yet."""
    return contract.examples(nlp, "train", limit=30)[-1]


def state(nlp: Language) -> bytes:
    return nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])


@pytest.mark.parametrize("k", [0, -1, True, 2.0, NAN, 10_001, 10**6, 10**400, "3", None])
def test_length_of_a_list(nlp: Language, example: Example, k: Any):
    pipe = nlp.get_pipe(NAME)
    for method in (pipe.nbest, pipe.sentence_nbest):
        with pytest.raises(ValueError, match=r"^`k` must be .*between 1 and 10000, not "):
            method(example.predicted, k)


@pytest.mark.parametrize("drop", [NAN, INF, 2, 1.01, -1, -1e-9, True, "0.5", None])
def test_dropout(nlp: Language, example: Example, drop: Any):
    before = state(nlp)
    with pytest.raises(ValueError, match=r"^`drop` must be .*between 0 and 1, not "):
        nlp.get_pipe(NAME).update([example], drop=drop)
    assert state(nlp) == before


@pytest.mark.parametrize("margin", [NAN, INF, -INF, -1, 1e30, 1001, 10**400, True, "1", None])
def test_margin_of_a_correction(contract: Contract, nlp: Language, example: Example, margin: Any):
    if not contract.can_be_corrected:
        return
    before = state(nlp)
    with pytest.raises(ValueError, match=r"^`margin` must be .*between 0 and 1000, not "):
        nlp.get_pipe(NAME).correct(example, margin=margin)
    assert state(nlp) == before


@pytest.mark.parametrize("margin", [0, 1000, np.float32(0.5)])
def test_margins_at_the_ends_of_their_range(contract: Contract, example: Example, margin: float):
    if not contract.can_be_corrected:
        return
    nlp = contract.train(epochs=1)
    nlp.get_pipe(NAME).correct(example, margin=margin)
    doc = nlp(example.predicted.copy())
    sure = contract.confidences(doc)
    assert all(0 <= c <= 1 for c in sure if c is not None)
    assert contract.knows(nlp, contract.names(doc))


@pytest.mark.parametrize("temperature", [0, -1.0, NAN, INF, 1e300, 1e-300, "1"])
def test_temperature(contract: Contract, nlp: Language, example: Example, temperature: Any):
    if contract.confidence is None:
        return
    pipe = nlp.get_pipe(NAME)
    with pytest.raises(ValueError, match=r"^`temperature` must be .*between 0.001 and 1000, not "):
        pipe.raw_confidences([example], temperature)
    before = pipe.calibration
    if isinstance(temperature, float):
        with pytest.raises(ValueError, match=r"^`temperature` must be "):
            pipe.calibration = Calibration(temperature)
    assert pipe.calibration == before


@pytest.mark.parametrize("i", [1.0, NAN, True, "1", None])
def test_index_of_a_token(nlp: Language, example: Example, i: Any):
    with pytest.raises(ValueError, match=r"^`i` must be a whole number, not "):
        nlp.get_pipe(NAME).explain(example.predicted, i)


@pytest.mark.parametrize("i", [10**6, -(10**6), 2**63])
def test_index_of_no_token(nlp: Language, example: Example, i: int):
    with pytest.raises((IndexError, ValueError), match=f"There (is|are) no .*token {i}\\b"):
        nlp.get_pipe(NAME).explain(example.predicted, i)


def test_rehearsal_says_that_it_does_nothing(contract: Contract, example: Example):
    nlp = contract.blank()
    pipe = nlp.get_pipe(NAME)
    with pytest.warns(UserWarning, match=f"'{NAME}' does not rehearse"):
        assert pipe.rehearse([example], losses={"other": 1.0}) == {"other": 1.0}
