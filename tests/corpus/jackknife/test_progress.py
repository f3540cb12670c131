"""What is shown while folds are trained."""

import io
import re
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from thinc.api import Config

from spacy_perceptron.corpus.jackknife import folds
from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife
from spacy_perceptron.corpus.jackknife.progress import (
    FoldBar,
    create_reporting_callback,
    reporting_to,
)

from . import memorizer  # noqa: F401

N_FOLDS, N_EPOCHS = 2, 3


def make_bar(max_epochs: int, max_steps: int, n_folds: int = 4) -> tuple[FoldBar, io.StringIO]:
    """A bar that shows every step, and where it is written to."""
    config = Config({"training": {"max_epochs": max_epochs, "max_steps": max_steps}})
    file = io.StringIO()
    options = {"file": file, "disable": False, "mininterval": 0, "miniters": 0, "ncols": 100}
    return FoldBar(n_folds, config, **options), file


def test_folds_epochs_and_time_left():
    bar, file = make_bar(max_epochs=2, max_steps=0)
    bar.report(0, 0, 0)
    bar.report(1, 1, 20)
    # Half of one fold of four is done.
    assert "Jackknifing: fold 1, 2 of 4, epoch 1 of 2  12%" in file.getvalue()
    assert re.search(r"\| \d\d:\d\d<\d\d:\d\d", file.getvalue())
    bar.finish(0)
    assert "fold 2 of 4, epoch 2 of 2  38%" in file.getvalue()
    for fold in range(4):
        bar.finish(fold)
    with bar:
        pass
    assert "Jackknifing 100%" in file.getvalue()
    assert bar.bar.n == 4


def test_without_a_number_of_epochs():
    bar, file = make_bar(max_epochs=0, max_steps=100)
    bar.report(2, 7, 50)
    assert "fold 3 of 4, epoch 8  12%" in file.getvalue()
    bar, file = make_bar(max_epochs=-1, max_steps=0)
    bar.report(2, 7, 50)
    assert "fold 3 of 4, epoch 8   0%" in file.getvalue()


def test_the_callback_of_the_user_is_called_too():
    calls: list[object] = []
    callback = create_reporting_callback(lambda nlp, args: calls.append(args))
    args = {"epoch": 1, "step": 5}
    nlp = spacy.blank("xx")
    with reporting_to(lambda epoch, step: calls.append((epoch, step))):
        callback(nlp, args)
    create_reporting_callback()(nlp, args)
    assert calls == [(1, 5), args]


@pytest.mark.parametrize("n_process", [1, 2])
def test_all_steps_are_reported(n_process: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[tuple[int, int, int]] = []

    class SeenBar(FoldBar):
        def report(self, fold: int, epoch: int, step: int) -> None:
            seen.append((fold, epoch, step))
            super().report(fold, epoch, step)

    monkeypatch.setattr(folds, "FoldBar", SeenBar)
    nlp: Language = spacy.blank("xx")
    nlp.add_pipe("test_memorizer", name="memo")
    docs = [Doc(nlp.vocab, words=["number", str(i)]) for i in range(4)]
    DocBin(docs=docs).to_disk(tmp_path / "corpus.spacy")
    settings = Jackknife(
        tmp_path / "corpus.spacy", ["memo"], N_FOLDS, n_process, max_epochs=N_EPOCHS
    )
    jackknife(nlp, settings)
    # Two documents are one batch, so that an epoch is a step.
    assert sorted(seen) == [(fold, i, i) for fold in range(N_FOLDS) for i in range(N_EPOCHS)]
