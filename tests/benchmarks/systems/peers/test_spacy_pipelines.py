"""The configs of spaCy's own pipelines."""

from __future__ import annotations

from pathlib import Path

from spacy.util import load_config

from benchmarks.report.notes import PATIENCE
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system, spacy_tagger_system


def test_spacy_config_is_the_default_for_cpu(tmp_path: Path) -> None:
    config = load_config(spacy_tagger_system().config(tmp_path))
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger"]
    assert config["components"]["tagger"]["factory"] == "tagger"
    assert config["training"]["patience"] == PATIENCE == 1600
    assert spacy_tagger_system().overrides == {}
    assert spacy_tagger_system(max_steps=200).overrides == {"training.max_steps": 200}


def test_spacy_config_has_tagger_and_parser(tmp_path: Path) -> None:
    config = load_config(spacy_parser_system().config(tmp_path))
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger", "parser"]
    assert config["corpora"]["dev"]["@readers"] == "spacy_perceptron.gold_tokens.v1"
