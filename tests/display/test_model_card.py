import json
from pathlib import Path
from typing import Any

import pytest

from spacy_perceptron.display.model_card import describe, licenses, merge_facts, merge_scores

from ..real_data import REPOSITORY

FACTS = {
    "name": "small_web",
    "description": "A pipeline.",
    "author": "Ada",
    "license": "CC0 1.0",
    "sources": [{"name": "Bank", "license": "CC0 1.0"}],
}
META = {"lang": "en", "name": "pipeline", "version": "0.0.0", "url": "", "pipeline": ["tagger"]}
RELEASE = REPOSITORY / "configs" / "release"


def test_facts_of_several_files():
    more = {"license": "CC BY 4.0", "sources": [{"name": "Names", "license": "CC BY 4.0"}]}
    merged = merge_facts([FACTS, more], "en")
    assert merged["name"] == "small_web"
    assert merged["license"] == "CC BY 4.0"
    assert [source["name"] for source in merged["sources"]] == ["Bank", "Names"]
    # What was given stays as it was.
    assert len(FACTS["sources"]) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"licence": "MIT"}, "no entry 'licence'. Its entries are .* license"),
        ({"author": ""}, "has no author. Add"),
        ({"sources": []}, "has no sources"),
        ({"sources": [{"name": "Bank"}]}, "name and license are needed"),
        ({"sources": [{"name": "Bank", "license": 4}]}, "name and license are needed"),
        ({"sources": ["Bank"]}, "name and license are needed, not Bank"),
        ({"sources": [{"name": "Bank", "license": "MIT", "year": "1"}]}, "entries name, license"),
        ({"name": "en_small"}, "'en_small' can't be the name .* leave out en_"),
        ({"name": "small-web"}, "can't be the name"),
        ({"name": "small__web"}, "single underscores"),
    ],
)
def test_facts_are_checked(change: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        merge_facts([{**FACTS, **change}], "en")


def test_figures_of_several_evaluations():
    trees = {"tag_acc": 0.9, "ents_f": None, "dep_las_per_type": {}, "speed": 10.0}
    names = {"tag_acc": 0.1, "ents_f": 0.5, "ents_per_type": {"PER": {"f": 0.5}}}
    assert merge_scores([trees, names]) == {
        "tag_acc": 0.9,
        "speed": 10.0,
        "ents_f": 0.5,
        "ents_per_type": {"PER": {"f": 0.5}},
    }


def test_figures_on_gold_tokens_stand_beside_those_of_raw_text():
    raw = {"token_acc": 0.99, "sents_f": 0.8, "tag_acc": 0.91234, "speed": 1000.0}
    gold = {"token_acc": 1.0, "sents_f": 1.0, "tag_acc": 0.95, "ents_f": 0.5, "speed": 2000.0}
    meta = describe(META, FACTS, version="1.2.0", scores=raw, gold_scores=gold)
    assert meta["version"] == "1.2.0"
    assert meta["name"] == "small_web"
    assert meta["pipeline"] == ["tagger"]
    assert "url" not in meta
    # Entities were measured on gold tokens only.
    assert meta["performance"] == {**raw, "ents_f": 0.5}
    rows = [line for line in meta["notes"].splitlines() if line.startswith("| `")]
    assert rows == ["| `TAG_ACC` | 91.23 | 95.00 |", "| `ENTS_F` |  | 50.00 |"]
    assert "Learned from: Bank (CC0 1.0)." in meta["notes"]


def test_without_figures_on_gold_tokens_there_is_no_table():
    meta = describe(META, FACTS, version="1.2.0", scores={"tag_acc": 0.9}, gold_scores={})
    assert meta["notes"] == "Learned from: Bank (CC0 1.0)."


def test_versions_are_checked():
    with pytest.raises(ValueError, match="'new' is no version"):
        describe(META, FACTS, version="new", scores={}, gold_scores={})


def test_licences_of_sources():
    sources = [
        {"name": "Bank", "license": "CC0 1.0"},
        {"name": "Names", "license": "CC BY 4.0", "url": "https://names.org", "author": "Bo"},
    ]
    assert licenses(sources) == (
        "Bank\nLicence: CC0 1.0\n\nNames\nBo\nhttps://names.org\nLicence: CC BY 4.0\n"
    )


@pytest.mark.parametrize("name", ["perceptron_web", "sample"])
def test_facts_of_our_pipelines_are_complete(name: str):
    facts = merge_facts([read(RELEASE / f"{name}.json")], "en")
    assert facts["name"].startswith("perceptron_")


def test_facts_of_pipelines_with_entities():
    files = [read(RELEASE / f"{name}.json") for name in ("perceptron_web", "universal_ner")]
    facts = merge_facts(files, "en")
    assert [source["name"] for source in facts["sources"]] == [
        "UD English EWT",
        "Universal NER, English EWT",
    ]
    # Share alike: the licence of the data is that of the pipeline.
    assert {source["license"] for source in facts["sources"]} == {facts["license"]}


def read(path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    return facts
