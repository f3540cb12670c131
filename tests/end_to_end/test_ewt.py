"""The shipped config on a real treebank."""

from pathlib import Path

import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config

from spacy_perceptron.cli.convert import convert
from spacy_perceptron.components.easy_first_tagger import EasyFirstTagger
from spacy_perceptron.corpus.reader import GoldTokenCorpus

from ..components._sequences.checked_decoder import CheckedDecoder
from ..real_data import REPOSITORY, data_path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ewt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ewt")
    for split in ("train", "dev"):
        source = data_path(f"ewt/en_ewt-ud-{split}.conllu")
        convert(source, folder / f"{split}.spacy")
    return folder


def test_accuracy(ewt: Path, tmp_path: Path):
    paths = {f"paths.{split}": str(ewt / f"{split}.spacy") for split in ("train", "dev")}
    overrides = {**paths, "training.max_epochs": 3}
    config = load_config(REPOSITORY / "configs" / "tagger.cfg", overrides=overrides)
    with open(tmp_path / "log", "w") as log:
        train(init_nlp(config), tmp_path, stdout=log, stderr=log)
    nlp = spacy.load(tmp_path / "model-best")
    scores = nlp.evaluate(list(GoldTokenCorpus(ewt / "dev.spacy")(nlp)))
    assert scores["tag_acc"] >= 0.94


@pytest.mark.parametrize("margin", [0.0, 10.0])
def test_every_update_is_valid(ewt: Path, margin: float, monkeypatch: pytest.MonkeyPatch):
    """Over one epoch, with the check on each update."""
    make = EasyFirstTagger._learner_changed

    def make_checked(self: EasyFirstTagger, learner: object) -> None:
        make(self, learner)
        self._training_decoder = CheckedDecoder(self._training_decoder)

    monkeypatch.setattr(EasyFirstTagger, "_learner_changed", make_checked)
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("easy_first_tagger", name="tagger", config={"margin": margin})
    examples = list(GoldTokenCorpus(ewt / "train.spacy")(nlp))
    nlp.initialize(lambda: examples)
    losses = nlp.update(examples, drop=0.3)
    assert pipe._training_decoder.n_updates == losses["tagger"] > 10_000
