"""This package's MIRA parser: variants."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.util import load_config, resolve_dot_names

from benchmarks.corpora.corpus import Corpus
from benchmarks.systems.own.mira import (
    gold_tag_mira,
    mira_system,
    mira_variant,
)

from ...samples import GOLD


def test_variants_share_folds_but_not_models(tmp_path: Path, corpus: Corpus) -> None:
    base, variant = mira_system(1), mira_variant(1, "k 2", {"k": 2})
    cache = [
        system.settings(corpus, tmp_path / system.home)["corpora.train.cache_dir"]
        for system in (base, variant)
    ]
    assert cache[0] == cache[1]
    assert variant.home != base.home
    assert variant.overrides["components.parser.k"] == 2


@pytest.mark.parametrize("order", [1, 2])
def test_gold_tags_are_preset_and_trees_are_not(order: int, corpus: Corpus, tmp_path: Path) -> None:
    system = gold_tag_mira(order)
    config = load_config(system.config(tmp_path), overrides=system.settings(corpus, tmp_path))
    assert config["nlp"]["pipeline"] == list(config["components"]) == ["parser"]
    (read,) = resolve_dot_names(config.interpolate(), ["corpora.train"])
    first, second = (eg.predicted for eg in read(spacy.blank("en")))
    assert [token.tag_ for token in first] == ["NNS", "VBP", "RB", "."]
    assert [token.pos_ for token in first] == ["NOUN", "AUX", "PART", "PUNCT"]
    assert not first.has_annotation("DEP")
    assert [len(list(doc.sents)) for doc in (first, second)] == [1, 1]
    (doc,) = system.make_runner(spacy.blank("en")).prepare(GOLD[:1])
    assert [token.tag_ for token in doc] == GOLD[0].tags
