"""Parsers with a guide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import spacy
from spacy.tokens import Doc
from spacy.util import load_config

from benchmarks.corpora.corpus import Corpus, doc_heads
from benchmarks.corpora.sentences import ROOT_HEAD
from benchmarks.systems.own.easy_first import easy_first_parser
from benchmarks.systems.own.guided import (
    guided_mira,
    own_guide_maker,
    spacy_guide_maker,
    stacked_mira,
    with_one_root,
)
from benchmarks.systems.peers.spacy_pipelines import spacy_parser_system


def test_a_guide_with_two_roots_becomes_one_tree() -> None:
    vocab = spacy.blank("en").vocab
    words, deps = ["a", "b", "c", "d"], ["det", "ROOT", "ROOT", "punct"]
    doc = Doc(vocab, words=words, tags=["T"] * 4, heads=[1, 1, 2, 2], deps=deps)
    doc.user_data["sure"] = [1.0] * 4
    assert len(list(doc.sents)) == 2
    joined = with_one_root(doc)
    assert doc_heads(joined) == [1, ROOT_HEAD, 1, 2]
    assert len(list(joined.sents)) == 1
    assert [token.tag_ for token in joined] == ["T"] * 4
    assert joined.user_data == {"sure": [1.0] * 4}
    assert with_one_root(joined) is joined


def test_coarse_tags_survive_the_joining_of_roots() -> None:
    vocab = spacy.blank("en").vocab
    pos = ["NOUN", "VERB", "PUNCT"]
    doc = Doc(vocab, words=["a", "b", "c"], pos=pos, heads=[0, 1, 2], deps=["ROOT"] * 3)
    assert [token.pos_ for token in with_one_root(doc)] == pos


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
