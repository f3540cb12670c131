"""Pipelines saved by released versions load, and say what they said then."""

import json
import lzma
import shutil
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language

from .answers import find_answers
from .texts import TEXTS

FOLDER = Path(__file__).parent
SAVED = sorted(FOLDER.glob("*/*.zip"))
# Annotation must be equal. Numbers may differ in their last digits between machines: compilers may
# fuse multiplication and addition, and libraries round exp and log differently.
TOLERANCE = 1e-6

# Some of the pipelines do without a component that finds sentences.
pytestmark = pytest.mark.filterwarnings("ignore:.*no sentence boundaries:UserWarning")


@pytest.fixture(scope="module", params=SAVED, ids=lambda p: f"{p.parent.name}-{p.stem}")
def saved(request: pytest.FixtureRequest) -> Path:
    """The archive of a pipeline."""
    return request.param


@pytest.fixture(scope="module")
def nlp(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A pipeline, loaded."""
    folder = tmp_path_factory.mktemp(saved.stem)
    shutil.unpack_archive(saved, folder)
    return spacy.load(folder)


@pytest.fixture(scope="module")
def expected(saved: Path) -> dict[str, Any]:
    """The components that were asked, and the answers of the version that saved the pipeline."""
    return json.loads(lzma.decompress(saved.with_suffix(".json.xz").read_bytes()))


def assert_equal(found: Any, expected: Any, where: str) -> None:
    """Numbers are equal up to rounding, everything else is the same."""
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE**2), where
    elif isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            assert_equal(found[key], value, f"{where}, {key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for i, value in enumerate(expected):
            assert_equal(found[i], value, f"{where}, {i}")
    else:
        assert found == expected, where


def assert_same_answers(nlp: Language, expected: dict[str, Any]) -> None:
    found = find_answers(nlp, TEXTS, expected["components"])
    for text, now, then in zip(TEXTS, found, expected["answers"], strict=True):
        assert_equal(now, then, repr(text))


def test_there_is_a_pipeline_of_each_component() -> None:
    assert {path.stem for path in SAVED if path.parent.name == "0.2.0"} == {
        "easy_first_parser",
        "guided_parser",
        "mira_first_order_mst",
        "mira_second_order",
        "mira_third_order_labelled",
        "ner",
        "ner_easy_first",
        "reranked_entities",
        "reranked_tags",
        "reranked_trees",
        "taggers",
    }


def test_there_are_pipelines_of_version_0_4() -> None:
    assert {path.stem for path in SAVED if path.parent.name == "0.4.0"} == {
        "incremental_chains",
        "incremental_parser",
        "joint_tagger",
        "lemmatizer",
        "max_margin_exact",
        "max_margin_parser",
        "reranked_constituents",
        "senter",
    }


def test_saved_pipeline_says_what_it_said(nlp: Language, expected: dict[str, Any]) -> None:
    assert_same_answers(nlp, expected)


def test_saved_pipeline_survives_bytes(nlp: Language, expected: dict[str, Any]) -> None:
    copy = type(nlp).from_config(nlp.config).from_bytes(nlp.to_bytes())
    assert_same_answers(copy, expected)
