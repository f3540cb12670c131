"""What every component explains: tokens and indices, spans where they are found, nothing of other
docs."""

import json
import re
from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc

from ..contract import CONTRACTS, NAME, Contract

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
]

TAKE_SPANS = {"perceptron_ner", "incremental_parser", "max_margin_parser", "kernel_reranker"}
# A number at the end of a row, with a sign.
NUMBER = re.compile(r"[+-]\d+\.\d\d$")


@pytest.fixture(scope="module", params=CONTRACTS, ids=lambda contract: contract.id, name="contract")
def fixture_contract(request: pytest.FixtureRequest) -> Contract:
    return request.param


@pytest.fixture(scope="module")
def nlp(contract: Contract) -> Language:
    return contract.train(epochs=2)


@pytest.fixture
def pipe(nlp: Language) -> Any:
    return nlp.get_pipe(NAME)


@pytest.fixture
def doc(contract: Contract, nlp: Language) -> Doc:
    return contract.examples(nlp, "train", limit=30)[-1].predicted


def test_tokens_and_indices(pipe: Any, doc: Doc):
    found = pipe.explain(doc, doc[1])
    assert found == pipe.explain(doc, 1) == pipe.explain(doc, 1 - len(doc))
    assert found == pipe.explain(doc, i=1)


def test_plain_data(pipe: Any, doc: Doc):
    data = pipe.explain(doc, doc[1]).to_dict()
    assert json.loads(json.dumps(data)) == data
    total = data["total"]
    assert total["difference"] == pytest.approx(total["chosen"] - total["runner_up"])


def test_rows_add_up(pipe: Any, doc: Doc):
    for rows in (1, 3, 1000):
        found = pipe.explain(doc, doc[1], rows=rows)
        shown = found.shown
        assert len(shown) <= rows + 1
        for side in ("chosen", "runner_up"):
            total = sum(getattr(feature, side) for feature in shown)
            assert total == pytest.approx(getattr(found, f"{side}_score"), abs=0.006)
    assert found.features == pipe.explain(doc, doc[1], rows=1).features
    with pytest.raises(ValueError, match=r"^`rows` must be "):
        pipe.explain(doc, 1, rows=0)


def test_other_docs(pipe: Any, doc: Doc):
    other = doc.copy()
    with pytest.raises(ValueError, match=f"^The token '{re.escape(other[1].text)}' is of another"):
        pipe.explain(doc, other[1])
    with pytest.raises(ValueError, match=r"^The span .* is of another doc"):
        pipe.explain(doc, other[1:2])


def test_spans(contract: Contract, pipe: Any, doc: Doc):
    assert pipe.explain(doc, doc[1:2]) == pipe.explain(doc, 1)
    if contract.factory not in TAKE_SPANS:
        with pytest.raises(ValueError, match=f"'{NAME}' explains one word at a time, not '"):
            pipe.explain(doc, doc[1:3])
    elif contract.factory == "max_margin_parser":
        found = pipe.explain(doc, doc[0 : len(doc) - 1])
        assert found.word.split(" ")[0].startswith(doc[0].text)
        assert found.chosen != found.runner_up
    else:
        assert pipe.explain(doc, doc[1:3]) == pipe.explain(doc, 1)


def test_spans_without_words(nlp: Language, pipe: Any):
    doc = Doc(nlp.vocab, words=["Go", " ", "now"])
    for start, end in ((1, 2), (2, 2)):
        with pytest.raises(ValueError, match=f"span of tokens {start} to {end} has no words"):
            pipe.explain(doc, doc[start:end])
