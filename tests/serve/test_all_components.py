"""Every component can be served: shown, asked, corrected and undone."""

import json
from pathlib import Path
from typing import Any

import pytest

from spacy_perceptron.serve.components import kind_name
from spacy_perceptron.serve.pipelines import ServedPipeline, Sources
from spacy_perceptron.serve.web import messages

from ..components.contract import CONTRACTS, NAME, Contract

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]
TEXT = "The old clerk saw three letters near the door ."
KINDS = {
    "easy_first_tagger": "tags",
    "joint_tagger": "tags",
    "mira_parser": "heads",
    "easy_first_parser": "heads",
    "incremental_parser": "constituents",
    "max_margin_parser": "constituents",
    "perceptron_ner": "entities",
    "perceptron_senter": "boundaries",
    "perceptron_lemmatizer": "lemmas",
}


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.id)
def test_served(contract: Contract, tmp_path: Path):
    contract.train(epochs=1).to_disk(tmp_path / "model")
    sources = Sources(str(tmp_path / "model"), tmp_path / "out")
    pipeline = ServedPipeline(0, sources, max_chars=1000)
    pipeline.load()
    assert pipeline.error is None
    told = next(one for one in pipeline.describe()["components"] if one["name"] == NAME)
    messages.ComponentInfo.model_validate(told)
    if contract.id in KINDS:
        assert told["kind"] == KINDS[contract.id]
    assert ("correct" in told["abilities"]) == contract.can_be_corrected
    before = plain(pipeline.annotate(TEXT))
    messages.AnnotateResponse.model_validate(before)
    answers = plain(pipeline.find_answers(TEXT, NAME, 5))
    messages.NbestResponse.model_validate(answers)
    explained = plain(pipeline.explain(TEXT, NAME, 2, None))
    messages.ExplainResponse.model_validate(explained)
    if contract.can_be_corrected:
        weights = saved(pipeline)
        # What was predicted and what could have been are both well formed.
        for one in [*answers["candidates"], before_of(before)]:
            found = plain(pipeline.correct(TEXT, NAME, one["annotation"], 1.0))
            messages.CorrectResponse.model_validate(found)
            if found["learned"]:
                assert before_of(found["after"])["annotation"] == one["annotation"]
        for _ in range(len(answers["candidates"]) + 1):
            undone = pipeline.undo(TEXT)
        assert saved(pipeline) == weights
        assert without_time(plain(undone["after"])) == without_time(before)
    pipeline.close()


def test_kinds_are_told_by_their_main_part():
    names = {kind_name(kind) for kind in map(make_kind, (["tag", "head", "dep"], ["tag", "pos"]))}
    assert names == {"heads", "tags"}


def make_kind(names: list[str]) -> Any:
    from spacy_perceptron.answers.kinds import find_kind

    return find_kind({name: [] for name in names})


def plain(found: dict[str, Any]) -> dict[str, Any]:
    """What a page gets."""
    plain: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
    return plain


def before_of(found: dict[str, Any]) -> dict[str, Any]:
    annotated: dict[str, Any] = next(x for x in found["components"] if x["name"] == NAME)
    return annotated


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "ms"}


def saved(pipeline: ServedPipeline) -> bytes:
    return pipeline._require().nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])
