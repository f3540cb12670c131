"""An entity recognizer from the shipped config, trained, evaluated and used as a user would."""

from pathlib import Path

import pytest
import spacy
import srsly
from spacy.tokens import DocBin

from spacy_perceptron.corpus.reader import GoldTokenCorpus, copy_tokens
from spacy_perceptron.corpus.sample import SPLITS, load_sample

from ..real_data import REPOSITORY
from .commands import as_saved, read_files, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ner")
    vocab = spacy.blank("en").vocab
    for split in SPLITS:
        DocBin(docs=load_sample(vocab, split)).to_disk(folder / f"{split}.spacy")
    return folder


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    run(
        *("train", REPOSITORY / "configs" / "ner.cfg", "--output", folder),
        *("--paths.train", folder / "train.spacy", "--paths.dev", folder / "dev.spacy"),
        *("--training.eval_frequency", 10),
        cwd=folder,
    )
    return folder / "model-last"


def test_all_ways_to_evaluate_agree(model: Path, folder: Path, tmp_path: Path):
    """`spacy evaluate`, `nlp.evaluate`, and a count by hand."""
    nlp = spacy.load(model)
    scores = nlp.evaluate(list(GoldTokenCorpus(folder / "test.spacy")(nlp)))
    references = load_sample(nlp.vocab, "test")
    right = predicted = gold = 0
    for reference, doc in zip(references, nlp.pipe(map(copy_tokens, references)), strict=True):
        found = {(ent.start, ent.end) for ent in doc.ents}
        wanted = {(ent.start, ent.end) for ent in reference.ents}
        right += len(found & wanted)
        predicted += len(found)
        gold += len(wanted)
    assert scores["ents_boundary_f"] == pytest.approx(2 * right / (predicted + gold))
    assert scores["ents_boundary_f"] >= scores["ents_f"] > 0.45
    options = ["--gold-preproc", "--output", tmp_path / "scores.json"]
    run("evaluate", model, folder / "test.spacy", *options, cwd=tmp_path)
    assert srsly.read_json(tmp_path / "scores.json")["ents_f"] == as_saved(scores["ents_f"])


def test_calibrate_and_save_again(model: Path, folder: Path, tmp_path: Path):
    output = tmp_path / "calibrated"
    run(
        *("perceptron", "calibrate", model, folder / "dev.spacy", "--gold-preproc"),
        *("--output", output),
        cwd=tmp_path,
    )
    plain, calibrated = spacy.load(model), spacy.load(output)
    text = "Ada Lovelace met Charles in London on Monday."
    assert [str(ent) for ent in plain(text).ents] == [str(ent) for ent in calibrated(text).ents]
    before = [token._.ent_confidence for token in plain(text)]
    after = [token._.ent_confidence for token in calibrated(text)]
    assert before != after
    plain.to_disk(tmp_path / "again")
    assert read_files(tmp_path / "again" / "ner") == read_files(model / "ner")


def test_answers_on_the_command_line(model: Path, tmp_path: Path):
    text = "Ada went to London ."
    printed = run("perceptron", "explain", model, text, "--word", "London", cwd=tmp_path)
    assert "'London': " in printed
    printed = run("perceptron", "nbest", model, text, "-k", 3, cwd=tmp_path)
    assert "B-" in printed
