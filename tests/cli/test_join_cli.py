"""A pipeline and a recognizer that were trained apart."""

import re
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.training import Example
from typer.testing import CliRunner

from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.cli.join import join
from spacy_perceptron.corpus.clusters.carrier import read_clusters, store_clusters
from spacy_perceptron.corpus.reader import copy_tokens

from ..sample import load_sample

TEXT = "Please close the window before Ada gets cold. She saw a can't-do man."
FITTED = {
    "@tokenizers": "spacy_perceptron.fitted_tokenizer.v1",
    "special_cases": [["can't", "-", "do"]],
}


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return re.sub(r"\s+", " ", result.output)


def train(nlp: Language, folder: Path) -> Language:
    """Train on a few sentences, save and load."""
    docs = load_sample(nlp.vocab, limit=40, n_sents=4)
    examples = [Example(copy_tokens(doc), doc) for doc in docs]
    nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples, annotates=["tagger"] if "tagger" in nlp.pipe_names else [])
    nlp.to_disk(folder)
    return spacy.load(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("joined")


@pytest.fixture(scope="module")
def pipeline(folder: Path) -> Language:
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": FITTED}})
    nlp.add_pipe("perceptron_senter", name="senter")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    nlp.add_pipe("perceptron_lemmatizer", name="lemmatizer")
    nlp.add_pipe("mira_parser", name="parser", config={"model": {"n_bits": 16}})
    nlp = train(nlp, folder / "pipeline")
    # As `calibrate` does.
    nlp.get_pipe("parser").calibration = Calibration(temperature=0.25)
    nlp.to_disk(folder / "pipeline")
    return nlp


@pytest.fixture(scope="module")
def recognizer(folder: Path) -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptron_ner", name="ner")
    return train(nlp, folder / "recognizer")


def test_all_components_answer_as_before(pipeline: Language, recognizer: Language, folder: Path):
    printed = run(
        *("join", folder / "pipeline", folder / "recognizer"),
        *("--component", "ner", "--output", folder / "output"),
    )
    assert "senter, tagger, lemmatizer, parser, ner" in printed
    joined = spacy.load(folder / "output")
    assert joined.pipe_names == ["senter", "tagger", "lemmatizer", "parser", "ner"]
    assert joined.get_pipe("parser").calibration.temperature == 0.25
    doc, alone = joined(TEXT), pipeline(TEXT)
    words = [token.text for token in doc]
    assert words[words.index("can't") : -2] == ["can't", "-", "do"]
    assert doc.to_json() == {**alone.to_json(), "ents": doc.to_json()["ents"]}
    confidences = [token._.head_confidence for token in doc]
    assert confidences == [token._.head_confidence for token in alone]
    for reference in load_sample(joined.vocab, "dev", limit=20):
        found = joined(copy_tokens(reference)).ents
        expected = recognizer(copy_tokens(reference)).ents
        assert [(e.start, e.end, e.label_) for e in found] == [
            (e.start, e.end, e.label_) for e in expected
        ]
    assert any(joined(copy_tokens(doc)).ents for doc in load_sample(joined.vocab, limit=40))


@pytest.mark.parametrize(
    ("other", "component", "message"),
    [
        ("recognizer", "parser", "no component 'parser' to add. The other pipeline has: ner"),
        ("pipeline", "tagger", "has a component 'tagger' already"),
    ],
)
@pytest.mark.usefixtures("pipeline", "recognizer")
def test_components_that_cannot_be_added(folder: Path, other: str, component: str, message: str):
    before = (folder / "pipeline" / "config.cfg").read_bytes()
    printed = run("join", folder / "pipeline", folder / other, "--component", component, code=1)
    assert message in printed
    assert (folder / "pipeline" / "config.cfg").read_bytes() == before


@pytest.mark.parametrize("own", [{}, {"own": b"1"}])
def test_clusters_come_along_unless_there_are_others(recognizer: Language, own: dict[str, bytes]):
    nlp, other = spacy.blank("en"), spacy.blank("en")
    other.add_pipe("ner", source=recognizer)
    store_clusters(other.vocab.lookups, {"web": b"2"})
    if own:
        store_clusters(nlp.vocab.lookups, own)
    join(nlp, other, "ner")
    assert nlp.pipe_names == ["ner"]
    assert read_clusters(nlp.vocab.lookups) == (own or {"web": b"2"})
