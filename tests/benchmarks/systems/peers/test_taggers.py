"""NLTK and CRFsuite: features, training, loading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.systems.peers.crfsuite import CrfsuiteSystem, collapsed_shape, sentence_features
from benchmarks.systems.peers.nltk_tagger import NltkSystem

from ...samples import TRAIN, FixedCorpus


@pytest.mark.parametrize(
    ("word", "shape"), [("McDonald", "XxXx"), ("1,000", "0,0"), ("e-mail", "x-x"), ("U.S.", "X.X.")]
)
def test_collapsed_shape(word: str, shape: str) -> None:
    assert collapsed_shape(word) == shape


def test_features_have_affixes_no_longer_than_the_word() -> None:
    features = sentence_features(["is", "it"])
    assert {"p2=is", "s1=s", "w+1=it", "w-1=<>", "ww+1=is it"} <= set(features[0])
    assert not any(feature.startswith(("p3=", "s3=")) for feature in features[0])


@pytest.mark.parametrize("system", [NltkSystem(), CrfsuiteSystem()], ids=["nltk", "crfsuite"])
def test_peers_learn_and_reload(system: Any, tmp_path: Path) -> None:
    pytest.importorskip(system.library)
    # One sentence, which a single update learns.
    record = system.train(FixedCorpus(TRAIN[:1]), tmp_path)
    assert record.wall > 0
    assert system.model_path(tmp_path).stat().st_size > 0
    runner = system.load(tmp_path)
    answers = runner.annotations(runner.run(runner.prepare(TRAIN[:1])))
    assert answers == [TRAIN[0].tags]
    assert system.blank().run(runner.prepare(TRAIN)) == []
