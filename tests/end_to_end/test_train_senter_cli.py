"""Sentences, tags and trees of raw text: one pipeline, trained and evaluated as a user would."""

from pathlib import Path

import pytest
import spacy
import srsly
from spacy.tokens import DocBin

from spacy_perceptron.corpus.sample import load_sample

from .commands import run

N_SENTS, LIMIT = 4, 160
PIPES = {
    "senter": ("perceptron_senter", {}),
    "tagger": ("easy_first_tagger", {}),
    "parser": (
        "mira_parser",
        {
            "order": 1,
            "model": {"@architectures": "spacy_perceptron.ParserModel.v1", "n_bits": 18},
        },
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A config, and corpora of Docs with several sentences."""
    folder = tmp_path_factory.mktemp("senter")
    nlp = spacy.blank("en")
    for name, (factory, config) in PIPES.items():
        nlp.add_pipe(factory, name=name, config=config)
    config = nlp.config.copy()
    for split in ("train", "dev"):
        docs = load_sample(nlp.vocab, split, limit=LIMIT, n_sents=N_SENTS)
        DocBin(docs=docs).to_disk(folder / f"{split}.spacy")
        config["corpora"][split] = {
            "@readers": "spacy_perceptron.gold_tokens.v1",
            "path": str(folder / f"{split}.spacy"),
            # Taggers and parsers learn sentence by sentence, and are judged as in use.
            "sentences": split == "train",
        }
    config["training"].update(max_epochs=4, max_steps=0, eval_frequency=20)
    config["training"]["annotating_components"] = ["tagger"]
    config.to_disk(folder / "config.cfg")
    return folder


@pytest.fixture(scope="module")
def model(folder: Path) -> Path:
    log = run("train", folder / "config.cfg", "--output", folder, cwd=folder)
    assert "SENTS_F" in log
    return folder / "model-last"


def evaluate(model: Path, folder: Path, *options: str) -> dict[str, float]:
    output = folder / "scores.json"
    run("evaluate", model, folder / "dev.spacy", "--output", output, *options, cwd=folder)
    return srsly.read_json(output)


def test_raw_text_is_evaluated(model: Path, folder: Path):
    raw = evaluate(model, folder)
    assert raw["sents_f"] > 0.85
    assert raw["tag_acc"] > 0.75
    assert raw["dep_las"] > 0.4
    # With gold tokens and sentences, one sentence is a Doc.
    assert evaluate(model, folder, "--gold-preproc")["sents_f"] == 1.0


def test_two_sentences_are_two_trees(model: Path):
    doc = spacy.load(model)("The first sentence ends here. She left the house.")
    assert [sent.text for sent in doc.sents] == [
        "The first sentence ends here.",
        "She left the house.",
    ]
    assert all(sum(token.head == token for token in sent) == 1 for sent in doc.sents)
