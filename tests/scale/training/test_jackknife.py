"""Folds on Ray: the same as here, and their errors reach the training."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_perceptron.corpus.jackknife.engines import current_engine, folds_run_by
from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife
from spacy_perceptron.corpus.jackknife.workers import WorkerDiedError
from spacy_perceptron.scale.cluster import connected
from spacy_perceptron.scale.training.jackknife import MOST_DEATHS, RayFolds

from ...corpus.jackknife import sleeper
from ...sample import load_sample


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    pytest.importorskip("ray", reason="Ray is not installed")
    with connected(None, 2) as module:
        yield module


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "train.spacy"
    DocBin(docs=load_sample(spacy.blank("en").vocab, limit=12)).to_disk(path)
    return path


def test_the_same_as_here(ray: Any, corpus: Path):
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    settings = Jackknife(corpus, ["tagger"], n_folds=3, max_epochs=1, gold_tokens=True)
    here = jackknife(nlp, settings)
    engine = RayFolds(ray)
    with folds_run_by(engine):
        assert current_engine() is engine
        there = jackknife(nlp, settings)
    assert current_engine() is None
    assert there.doc_bin.to_bytes() == here.doc_bin.to_bytes()
    assert there.fold_scores == here.fold_scores
    assert there.fold_sizes == [4, 4, 4]


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("fail", LookupError, "a word is missing"),
        ("exit", WorkerDiedError, f"fold [12] of 2 were killed {MOST_DEATHS} times"),
    ],
)
def test_errors_of_folds(ray: Any, corpus: Path, how: str, error: type[Exception], message: str):
    nlp = spacy.blank("en")
    nlp.add_pipe(sleeper.FACTORY, name="sleeper", config={"how": how})
    settings = Jackknife(corpus, ["sleeper"], n_folds=2, max_epochs=1)
    with folds_run_by(RayFolds(ray)), pytest.raises(error, match=message):
        jackknife(nlp, settings)
