"""A tagger and a max-margin parser from the shipped config, trained, evaluated and used as a user
would."""

from pathlib import Path

import pytest
import spacy
from spacy.util import load_config, load_model_from_config

from spacy_perceptron.corpus.reader import GoldTokenCorpus

from ..real_data import REPOSITORY
from .commands import run

CONFIG = REPOSITORY / "configs" / "max_margin.cfg"
PAPER = REPOSITORY / "configs" / "max_margin_paper.cfg"
TEXT = "She saw the man with the telescope."


@pytest.fixture(scope="module")
def model(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("max_margin")
    run(
        *("train", CONFIG, "--output", folder),
        *("--paths.train", sample_folder / "train.spacy"),
        *("--paths.dev", sample_folder / "dev.spacy"),
        *("--corpora.train.n_folds", 2, "--corpora.train.n_process", 1),
        *("--corpora.train.max_epochs", 2, "--corpora.train.cache_dir", folder / "cache"),
        *("--components.parser.model.n_bits", 20, "--training.max_epochs", 4),
        cwd=folder,
    )
    return folder / "model-best"


def test_the_trained_pipeline_parses(model: Path, sample_folder: Path):
    nlp = spacy.load(model)
    scores = nlp.evaluate(list(GoldTokenCorpus(sample_folder / "test.spacy")(nlp)))
    assert scores["const_f"] > 0.7
    doc = nlp(TEXT)
    assert doc[:]._.parse_string.startswith("(S (NP (PRP She)) (VP (VBD saw)")


def test_commands(model: Path, sample_folder: Path, tmp_path: Path):
    printed = run("perceptron", "nbest", model, TEXT, "-k", 3, "--html", "trees.html", cwd=tmp_path)
    assert "2: " in printed
    assert "<svg" in (tmp_path / "trees.html").read_text(encoding="utf8")
    printed = run("perceptron", "explain", model, TEXT, "--word", "with", cwd=tmp_path)
    assert "'with': in" in printed
    options = ["--gold-preproc", "--component", "parser", "--output", "calibrated"]
    run("perceptron", "calibrate", model, sample_folder / "dev.spacy", *options, cwd=tmp_path)
    doc = spacy.load(tmp_path / "calibrated")(TEXT)
    assert all(0 <= span._.confidence <= 1 for span in doc.spans["constituents"])


def test_the_model_of_the_paper(sample_folder: Path, tmp_path: Path):
    run(
        *("train", PAPER, "--output", tmp_path),
        *("--paths.train", sample_folder / "train.spacy"),
        *("--paths.dev", sample_folder / "dev.spacy"),
        *("--corpora.train.n_folds", 2, "--corpora.train.n_process", 1),
        *("--corpora.train.max_epochs", 2, "--corpora.train.cache_dir", tmp_path / "cache"),
        *("--components.parser.model.n_bits", 20, "--training.max_epochs", 4),
        cwd=tmp_path,
    )
    nlp = spacy.load(tmp_path / "model-best")
    examples = list(GoldTokenCorpus(sample_folder / "test.spacy", max_length=15)(nlp))
    assert nlp.evaluate(examples)["const_f"] > 0.5


@pytest.mark.parametrize("path", [CONFIG, PAPER], ids=lambda path: path.stem)
def test_the_config_is_complete(path: Path):
    config = load_config(path)
    nlp = load_model_from_config(config, auto_fill=False, validate=True)
    assert nlp.get_pipe_meta("parser").factory == "max_margin_parser"
    filled = load_model_from_config(config, auto_fill=True).config
    assert filled["components"] == config["components"]
