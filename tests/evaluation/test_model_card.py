"""Scores in meta.json."""

from pathlib import Path

import spacy
import srsly

from spacy_perceptron.evaluation.model_card import clean_performance, clean_saved

PERFORMANCE = {"tag_acc": 0.9, "pos_acc": 0.0, "morph_per_feat": 0.0, "sents_f": 0.0, "t_loss": 3.5}
SCORES = {
    "tag_acc": 0.9,
    "pos_acc": None,
    "morph_per_feat": {},
    "sents_f": 0.0,
    "dep_exact": 0.25,
    "ents_boundary_f": None,
    "speed": 1000.0,
}


def test_what_was_measured_stays():
    found = clean_performance(PERFORMANCE, SCORES)
    assert found == {"tag_acc": 0.9, "sents_f": 0.0, "t_loss": 3.5, "dep_exact": 0.25}


def test_saved_pipeline(tmp_path: Path):
    nlp = spacy.blank("en")
    nlp.meta["performance"] = dict(PERFORMANCE)
    nlp.to_disk(tmp_path)
    before = srsly.read_json(tmp_path / "meta.json")
    clean_saved(tmp_path, SCORES)
    after = srsly.read_json(tmp_path / "meta.json")
    assert after.pop("performance") == clean_performance(PERFORMANCE, SCORES)
    assert {**after, "performance": PERFORMANCE} == before
    assert spacy.load(tmp_path).meta["performance"]["dep_exact"] == 0.25
