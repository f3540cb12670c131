"""The easy-first benchmark: systems, their settings, figures."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc
from spacy.util import load_config, load_model_from_config

from benchmarks.comparisons.parsing import in_training_order
from benchmarks.corpora.corpus import Corpus
from benchmarks.easy_first import (
    BEAMS,
    COLUMNS,
    GROUPS,
    add_arguments,
    draw,
    length_keys,
    make_pairs,
    make_systems,
    notes,
    parse_beams,
)
from benchmarks.experiments.easy_first import EXPERIMENTS, make_experiments
from benchmarks.measures.beams import add_sentence_speeds, figure_notes, figures
from benchmarks.measures.parses import parse_accuracy
from benchmarks.parser import make_systems as make_parser_systems
from benchmarks.registry import BENCHMARKS, load_benchmark
from benchmarks.systems.base import System
from benchmarks.systems.own.easy_first import easy_first_parser, fast_easy_first_parser
from benchmarks.systems.own.guided import (
    guided_mira,
    own_guide_maker,
    spacy_guide_maker,
    stacked_mira,
    with_one_root,
)
from benchmarks.systems.own.parser import OwnParser
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system

from .test_parser import FAULTY, GOLD, PERFECT, make_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(tmp_path)


@pytest.fixture
def systems() -> list[System]:
    return make_systems(GROUPS, BEAMS, spacy_parser_system())


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_benchmark_is_registered() -> None:
    assert hasattr(load_benchmark("easy_first"), "run")
    assert "easy_first" in BENCHMARKS


def test_systems_are_trained_by_beam_and_shared_with_the_parsing_benchmark(
    systems: list[System],
) -> None:
    own = ["easy-first-fast", *(f"easy-first-beam{beam}" for beam in (1, 2, 4, 8, 16, 32))]
    others = ["ours-order1", "ours-order2", "spacy"]
    assert [s.key for s in systems] == [s.home for s in systems] == [*own, *others]
    peer = spacy_parser_system()
    there = {s.key: s for s in make_parser_systems(["ours", "spacy"], peer)}
    here = {s.key: s for s in systems}
    for key in others:
        assert (here[key].home, here[key].label) == (there[key].home, there[key].label)
    assert [s.group for s in systems] == ["easy_first"] * 7 + ["mira"] * 2 + ["spacy"]
    assert [s.key for s in make_systems(["mira"], BEAMS, peer)] == others[:2]


def test_beams_are_chosen_by_option() -> None:
    assert parse([]).beams == list(BEAMS)
    assert parse(["--beams", "8,1"]).beams == [1, 8]
    with pytest.raises(argparse.ArgumentTypeError, match="at least 1"):
        parse_beams("0,8")
    for name in EXPERIMENTS:
        assert getattr(parse([f"--{name}"]), name)


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
        assert nlp.pipe_names == ["tagger", "pos_tagger", "parser"]
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


def test_every_experiment_has_an_option() -> None:
    experiments = make_experiments()
    assert list(experiments) == list(EXPERIMENTS)
    for experiment in experiments.values():
        keys = [system.key for system in experiment.systems]
        assert len(set(keys)) == len(keys)
        assert {key for pair in experiment.pairs for key in (pair.a, pair.b)} <= set(keys)
    assert experiments["updates"].split == "dev"


def test_stacked_parser_is_compared_with_each_alone() -> None:
    experiment = make_experiments()["stacked"]
    keys = ["easy-first-beam8", "ours-order2", "ours-order2-stacked"]
    assert [system.key for system in experiment.systems] == keys
    assert [(p.a, p.b, p.labelled) for p in experiment.pairs] == [
        (keys[2], alone, True) for alone in keys[:2]
    ]
    assert experiment.split == "test"


def test_guides_differ_in_home_and_folds(tmp_path: Path) -> None:
    ours, theirs = easy_first_parser(8), spacy_parser_system()
    stacked, guided = stacked_mira(2, ours), guided_mira(2, theirs)
    assert (guided.key, stacked.key) == ("ours-order2-guided", "ours-order2-stacked")
    assert guided.setting == "order 2, guided by spaCy"
    models = [s.guide_model(tmp_path / s.home) for s in (stacked, guided)]
    assert models == [tmp_path / name / "model-best" for name in ("easy-first-beam8", "spacy")]
    assert (stacked.folds_key, guided.folds_key) == ("easy-first-guide", "guide")
    for system in (stacked, guided):
        assert load_config(system.config(tmp_path))["nlp"]["pipeline"] == ["parser"]
        assert system.overrides["components.parser.guide"] is True
    limits = spacy_guide_maker(theirs, 100).overrides
    assert limits == {"training.max_steps": 100, "training.eval_frequency": 100}


def test_own_guide_is_jackknifed_with_its_tags(corpus: Corpus, tmp_path: Path) -> None:
    guide = easy_first_parser(1, small=True)
    maker = own_guide_maker(guide)
    assert (maker.n_folds, maker.on_own_tags) == (5, True)
    small = {"corpora.train.n_folds": 2, "corpora.train.max_epochs": 1}
    maker = replace(maker, n_folds=2, max_epochs=1, overrides=small)
    maker(corpus, tmp_path / "easy-first-guide")
    # The tags are those that the guide's own training will find.
    assert len(list(tmp_path.glob(f"{guide.folds_home or guide.home}/jackknife/*.spacy"))) == 1
    docs = stacked_mira(2, guide).predictions(corpus, "train", tmp_path / "ours-order2-stacked")
    made = list(docs.get_docs(spacy.blank("en").vocab))
    assert [[token.text for token in doc] for doc in made] == [
        sentence.words for sentence in corpus.sentences("train")
    ]
    for attribute in ("TAG", "POS", "HEAD", "DEP"):
        assert all(doc.has_annotation(attribute) for doc in made)
    assert all(token._.head_confidence > 0 for doc in made for token in doc)


def test_coarse_tags_survive_the_joining_of_roots() -> None:
    vocab = spacy.blank("en").vocab
    pos = ["NOUN", "VERB", "PUNCT"]
    doc = Doc(vocab, words=["a", "b", "c"], pos=pos, heads=[0, 1, 2], deps=["ROOT"] * 3)
    assert [token.pos_ for token in with_one_root(doc)] == pos


def test_length_and_pairs_are_of_the_chosen_systems(systems: list[System]) -> None:
    orders = ["ours-order1", "ours-order2"]
    timed = ["easy-first-fast", "easy-first-beam1", "easy-first-beam8"]
    assert length_keys(systems) == [*timed, *orders]
    pairs = make_pairs(systems)
    assert {pair.a for pair in pairs} == {"easy-first-beam8"}
    assert [pair.b for pair in pairs] == [*orders, "spacy", "easy-first-beam1"]
    few = make_systems(["easy_first"], [2], spacy_parser_system())
    assert (length_keys(few), make_pairs(few)) == (["easy-first-fast"], [])


def timings(*seconds: float) -> list[dict[str, float]]:
    return [{"wall": 2 * cpu, "cpu": cpu, "words": 10.0} for cpu in seconds]


def result(key: str, answers: Any, seconds: list[float]) -> dict[str, Any]:
    """A made-up result of a system."""
    speed = {"wall": 50.0, "cpu": 100.0, "ratio_cpu": None, "timings": timings(*seconds)}
    return {
        "key": key,
        "name": "easy_first_parser",
        "setting": key.removeprefix("easy-first-"),
        "label": key.replace("-", " "),
        "group": "easy_first",
        "accuracy": parse_accuracy(GOLD, answers),
        "speed": speed,
        "parser_speed": {**speed, "timings": timings(*(s / 2 for s in seconds[::-1]))},
        "training": {
            "wall": 1.0,
            "cpu": 1.0,
            "best": None,
            "to_target": None,
            "stopped_early": False,
            "reused": False,
        },
        "size": 1 << 20,
        "load": None,
        "memory": None,
        "calibration": {"as_trained": 0.1, "calibrated": 0.01},
    }


@pytest.fixture
def data() -> dict[str, Any]:
    # The machine was slow in the last turn: for both.
    systems = [
        result("easy-first-beam1", FAULTY, [1.0, 1.0, 10.0]),
        result("easy-first-beam8", PERFECT, [4.0, 5.0, 60.0]),
        result("easy-first-fast", FAULTY, [0.5, 0.5, 5.0]),
    ]
    curve = {"20": timings(1.0), "40": timings(9.0), "200": timings(1.5)}
    made: dict[str, Any] = {
        "corpus": {"name": "two sentences", "words": {"test": 5}},
        "scale": {"other_words": 7},
        "systems": systems,
        "lengths": {"easy-first-beam8": curve},
        "parser_lengths": {"easy-first-beam8": {**curve, "200": timings(2.0)}},
        "comparisons": [],
        "experiments": {},
    }
    add_sentence_speeds(made)
    made["figures"] = figures(made)
    return made


def test_figures_are_gain_cost_and_growth(data: dict[str, Any]) -> None:
    beam, growth = data["figures"]["beam"], data["figures"]["long_over_short"]
    assert beam["gain"] == {"uas": pytest.approx(20), "las": pytest.approx(40)}
    # Ratios are taken within a turn: 4, 5, 6.
    assert beam["cost"] == {"pipeline": pytest.approx(5), "parser": pytest.approx(5)}
    assert growth["pipeline"] == {"easy-first-beam8": pytest.approx(1.5)}
    assert growth["parser"] == {"easy-first-beam8": pytest.approx(2.0)}
    gain, length = figure_notes(data)
    assert "beam of 1 to one of 8: UAS +20.00, LAS +40.00; CPU time × 5.00" in gain
    assert "200 words over that in sentences of 20" in length
    assert "easy first beam8 2.00 (pipeline 1.50)" in length
    assert all(note in notes(data, 0.8) for note in (gain, length))


def test_figures_need_both_widths(data: dict[str, Any]) -> None:
    alone = {**data, "systems": data["systems"][:1], "lengths": {}, "parser_lengths": {}}
    alone["figures"] = figures(alone)
    assert alone["figures"]["beam"] is None
    assert figure_notes(alone) == []


def test_columns_have_sentences_per_second(data: dict[str, Any]) -> None:
    # Five words in two sentences.
    cells = {column.title: column.cell(data["systems"][1]) for column in COLUMNS}
    assert (cells["sentences/s"], cells["sentences/CPU s"]) == ("20", "40")
    assert cells["parser alone, sentences/CPU s"] == "40"
    assert (cells["UAS"], cells["trees"], cells["ECE"]) == ("100.00", "100.00", "0.0100")


def test_plots_are_drawn(data: dict[str, Any], tmp_path: Path) -> None:
    draw(data, tmp_path)
    names = ("speed", "length", "length-alone", "beam")
    assert {path.name for path in tmp_path.glob("*.png")} == {f"easy_first-{n}.png" for n in names}
