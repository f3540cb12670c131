"""Training on a corpus too large to be read before it starts: `max_epochs = -1`."""

import warnings

import pytest

from ..contract import CONTRACTS, NAME, Contract

WITH_LABELS = [contract for contract in CONTRACTS if contract.has_labels]


@pytest.mark.parametrize("contract", WITH_LABELS, ids=lambda contract: contract.factory)
def test_labels_of_a_sample_are_warned_of(contract: Contract):
    nlp = contract.blank()
    nlp.config["training"]["max_epochs"] = -1
    with pytest.warns(UserWarning, match=f"'{NAME}' has found .* labels.*spacy init labels"):
        nlp.initialize(lambda: contract.examples(nlp))
    labels = list(nlp.get_pipe(NAME).label_data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Labels that are given are all there are.
        nlp.config["initialize"]["components"][NAME] = {"labels": labels}
        nlp.initialize(lambda: contract.examples(nlp))
        nlp.config["initialize"]["components"] = {}
        nlp.config["training"]["max_epochs"] = 3
        nlp.initialize(lambda: contract.examples(nlp))
