"""This package's easy-first parser: folds and settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from spacy.util import load_config, load_model_from_config

from benchmarks.comparisons.parsing import in_training_order
from benchmarks.corpora.corpus import Corpus
from benchmarks.easy_first import (
    BEAMS,
    GROUPS,
    make_systems,
)
from benchmarks.experiments.easy_first import make_experiments
from benchmarks.systems.base import System
from benchmarks.systems.own.easy_first import easy_first_parser, fast_easy_first_parser
from benchmarks.systems.own.parser import OwnParser
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system


@pytest.fixture
def systems() -> list[System]:
    return make_systems(GROUPS, BEAMS, spacy_parser_system())


def test_widths_share_the_folds_of_the_shipped_one(
    systems: list[System], corpus: Corpus, tmp_path: Path
) -> None:
    fast, *own = [s for s in systems if s.group == "easy_first" and isinstance(s, OwnParser)]
    caches = {s.settings(corpus, tmp_path / s.home)["corpora.train.cache_dir"] for s in own}
    assert caches == {str(tmp_path / "easy-first-beam8" / "jackknife")}
    # Its tags are those of another tagger.
    settings = fast.settings(corpus, tmp_path / fast.home)
    assert settings["corpora.train.cache_dir"] == str(tmp_path / "easy-first-fast" / "jackknife")
    assert [s.folds_home for s in own if not s.folds_home] == [""]
    # A training that makes folds of its own drops those that are there.
    assert in_training_order(own)[0].key == "easy-first-beam8"
    assert [s.key for s in in_training_order(own)[1:3]] == ["easy-first-beam1", "easy-first-beam2"]


@pytest.mark.parametrize("small", [False, True])
def test_settings_resolve_in_the_shipped_config(
    small: bool, corpus: Corpus, tmp_path: Path
) -> None:
    experiment = make_experiments(small=small)["updates"]
    for system in (easy_first_parser(2, small=small), *experiment.systems):
        assert isinstance(system, OwnParser)
        settings = system.settings(corpus, tmp_path / system.home)
        config = load_config(system.config(tmp_path), overrides=settings)
        # An override of what is not there would be added without a word.
        shipped = load_config(system.shipped)
        assert set(config["components"]["parser"]) == set(shipped["components"]["parser"])
        nlp = load_model_from_config(config, auto_fill=True)
        assert nlp.pipe_names == ["tagger", "parser"]
        block = nlp.config["components"]["parser"]
        assert block["factory"] == "easy_first_parser"
        assert block["beam_width"] == (2 if system.setting == "beam 2" else 8)
        early = system.setting == "beam 8, early updates"
        assert block["update"] == ("early" if early else "max_violation")
        assert block["loss_augmented"] != early
        assert ("training.eval_frequency" in system.overrides) == small


@pytest.mark.parametrize("small", [False, True])
def test_the_fast_system_is_that_of_its_own_config(
    small: bool, corpus: Corpus, tmp_path: Path
) -> None:
    system = fast_easy_first_parser(small=small)
    settings = system.settings(corpus, tmp_path / system.home)
    config = load_config(system.config(tmp_path), overrides=settings)
    nlp = load_model_from_config(config, auto_fill=True)
    assert nlp.pipe_names == ["tagger", "parser"]
    assert nlp.config["components"]["parser"]["beam_width"] == 1
    assert system.label == "easy_first_parser, fast"
    assert ("training.eval_frequency" in system.overrides) == small
