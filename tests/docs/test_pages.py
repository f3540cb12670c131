"""The pages of the docs against the code."""

import json
import re
import runpy
from pathlib import Path

import pytest
import spacy

from spacy_perceptron.features.sets.clusters import CLUSTER_SETS

from ..real_data import REPOSITORY
from .blocks import Runner, read_blocks

DOCS = REPOSITORY / "docs"
FACTORIES = [
    "easy_first_parser",
    "easy_first_tagger",
    "incremental_parser",
    "kernel_reranker",
    "max_margin_parser",
    "mira_parser",
    "perceptron_lemmatizer",
    "perceptron_ner",
]
ROW = re.compile(r"^\| `([\w.]+)` \| `([^`]+)` \|", re.MULTILINE)


def read(factory: str) -> str:
    return (DOCS / f"{factory}.md").read_text(encoding="utf8")


@pytest.mark.parametrize("factory", FACTORIES)
def test_tables_of_settings(factory: str):
    """If this fails, run `python docs/make_settings.py`."""
    text = read(factory)
    fill = runpy.run_path(str(DOCS / "make_settings.py"))["fill"]
    assert f"<!-- settings:{factory} -->" in text
    assert fill(text) == text


@pytest.mark.parametrize("factory", FACTORIES)
def test_all_settings_have_a_row_with_their_default(factory: str):
    nlp = spacy.blank("en")
    nlp.add_pipe(factory)
    config = nlp.config["components"][factory]
    _, tables = re.split(r"\n## Settings\n", read(factory))
    rows = dict(ROW.findall(tables.split("\n#")[0]))
    assert rows["scorer"] == config["scorer"]["@scorers"]
    assert rows["model"] == config["model"]["@architectures"]
    for name, default in config["model"].items():
        if not name.startswith("@"):
            assert json.loads(rows[f"model.{name}"]) == default
    for name, default in config.items():
        if not isinstance(default, dict) and name != "factory":
            assert json.loads(rows[name]) == default


def test_examples_with_constituents_print_what_they_say(tmp_path: Path):
    runner = Runner(tmp_path)
    blocks = list(read_blocks(DOCS / "constituents.md"))
    assert len(blocks) == 5
    for block in blocks:
        runner.run(block)


def test_all_sets_with_clusters_have_a_row():
    rows = re.findall(r"^\| `(spacy_perceptron\.\w+\.v\d+)` \|", read("clusters"), re.MULTILINE)
    assert sorted(rows) == sorted(CLUSTER_SETS)
