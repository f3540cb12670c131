"""Docs as JSON: all that components say, there and back."""

import json

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.tokens.underscore import Underscore

from spacy_perceptron.answers.constituents import register_constituents, store_span_confidences
from spacy_perceptron.answers.surprisal import register_surprisal, store_surprisal

from ..contract import CONTRACTS, Contract

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
]

TREES = {"labels", "parse_string", "constituents", "parent", "children"}


@pytest.fixture(scope="module", params=CONTRACTS, ids=lambda contract: contract.id, name="contract")
def fixture_contract(request: pytest.FixtureRequest) -> Contract:
    return request.param


@pytest.fixture(scope="module")
def nlp(contract: Contract) -> Language:
    return contract.train(epochs=1)


def registered() -> set[str]:
    """All attributes that this package has registered so far."""
    kinds = (Underscore.doc_extensions, Underscore.token_extensions, Underscore.span_extensions)
    return {
        name
        for extensions in kinds
        for name, (_, _, getter, _) in extensions.items()
        if getattr(getattr(getter, "func", getter), "__module__", "").startswith(
            "spacy_perceptron."
        )
    }


def test_all_attributes_there_and_back(contract: Contract, nlp: Language):
    names = sorted(registered())
    assert TREES | {"nbest"} <= {*names}
    doc = nlp(contract.examples(nlp, "train", limit=30)[-1].predicted.copy())
    data = doc.to_json(underscore=names)
    assert json.loads(json.dumps(data)) == data
    assert "_" not in doc.to_json()
    if contract.confidence is not None:
        values = data["_"][contract.confidence]
        assert any(value is not None for value in values)
        holders = doc.spans["constituents"] if contract.confidence == "confidence" else doc
        assert values == [item._.get(contract.confidence) for item in holders]
    again = Doc(nlp.vocab).from_json(data)
    assert again.to_json(underscore=names) == data
    (stored,) = DocBin(store_user_data=True, docs=[doc]).get_docs(nlp.vocab)
    assert stored.to_json(underscore=names)["_"] == data["_"]


def test_values_of_trees():
    register_constituents()
    register_surprisal()
    nlp = spacy.blank("en")
    doc = Doc(
        nlp.vocab,
        words=["Dogs", "bark", "\n", "Stop", "it"],
        tags=["NNS", "VBP", "_SP", "VB", "PRP"],
        sent_starts=[True, False, True, True, False],
    )
    doc.spans["constituents"] = [
        Span(doc, 0, 2, label="S"),
        Span(doc, 3, 5, label="S"),
        Span(doc, 3, 5, label="VP"),
    ]
    store_surprisal([doc], [1.5, 2.0, None, 4.0, 0.25])
    first, second, _ = doc.spans["constituents"]
    characters = [[span.start_char, len(span.text)] for span in (first, second)]
    store_span_confidences(doc, np.array(characters), [first.label, second.label], [0.5, 0.75])
    found = doc.to_json(underscore=[*TREES, "surprisal", "confidence"])["_"]
    assert found == {
        "labels": [["S"], None, ["S", "VP"]],
        "parse_string": ["(S (NNS Dogs) (VBP bark))", None, "(S (VP (VB Stop) (PRP it)))"],
        "constituents": [[[0, 2], [0, 1], [1, 2]], None, [[3, 5], [3, 4], [4, 5]]],
        "parent": [None, None, None],
        "children": [[[0, 1], [1, 2]], None, [[3, 4], [4, 5]]],
        "surprisal": [1.5, 2.0, None, 4.0, 0.25],
        "confidence": [0.5, 0.75, None],
    }
