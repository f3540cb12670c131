"""Corrections are a corpus: `spacy train` takes them."""

from pathlib import Path

import pytest
import spacy
from spacy.cli.train import train
from spacy.tokens import DocBin

from spacy_perceptron.corpus.reader import create_gold_token_reader
from spacy_perceptron.serve.workspace import Workspace

from ..real_data import REPOSITORY
from ..sample import load_sample

CONFIG = REPOSITORY / "configs" / "tagger.cfg"
N_TEXTS = 6


@pytest.fixture
def corrected(workspace: Workspace, tmp_path: Path) -> Path:
    """Sentences whose tags were corrected to what the treebank says, and one tree."""
    pipeline = workspace[0]
    gold = {doc.text: doc for doc in load_sample(spacy.blank("en").vocab, "dev", 40)}
    n = 0
    for text, doc in gold.items():
        found = pipeline.annotate(text)
        known = {*pipeline.describe()["components"][1]["labels"]["tag"]}
        tags = [token.tag_ for token in doc]
        if [t["text"] for t in found["tokens"]] == [t.text for t in doc] and {*tags} <= known:
            pipeline.correct(text, "tagger", {"tag": tags}, 1.0)
            n += 1
        if n == N_TEXTS:
            break
    assert n == N_TEXTS
    parsed = {one["name"]: one["annotation"] for one in found["components"]}["parser"]
    pipeline.correct(text, "parser", parsed, 1.0)
    return tmp_path / "out" / "corrections.spacy"


def test_the_reader_of_gold_tokens(corrected: Path):
    nlp = spacy.blank("en")
    examples = list(create_gold_token_reader(corrected)(nlp))
    assert len(examples) == N_TEXTS
    gold = {doc.text: [token.tag_ for token in doc] for doc in load_sample(nlp.vocab, "dev", 40)}
    for example in examples:
        assert [t.tag_ for t in example.reference] == gold[example.text]
    assert [e.reference.has_annotation("DEP") for e in examples].count(True) == 1


@pytest.mark.skipif(not CONFIG.exists(), reason="not a source checkout")
def test_training_on_corrections(corrected: Path, tmp_path: Path):
    overrides = {
        "paths.train": str(corrected),
        "paths.dev": str(corrected),
        "training.max_epochs": 0,
        "training.max_steps": 30,
        "training.eval_frequency": 10,
        "components.tagger.hide_rare": 0.0,
    }
    train(CONFIG, tmp_path / "trained", overrides=overrides)
    nlp = spacy.load(tmp_path / "trained" / "model-best")
    docs = list(DocBin().from_disk(corrected).get_docs(nlp.vocab))
    right = total = 0
    for doc in docs:
        for token, gold in zip(nlp(doc.text), doc, strict=True):
            right += token.tag_ == gold.tag_
            total += 1
    # It has seen all of them; a tagger that learned nothing would have no label to give.
    assert right / total > 0.9
