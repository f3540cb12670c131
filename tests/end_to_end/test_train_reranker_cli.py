"""Rerankers from the shipped configs, trained together with their bases, evaluated and used."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from spacy_perceptron.answers.stored import stored_sentences
from spacy_perceptron.corpus.bins import unpack_docs
from spacy_perceptron.corpus.reader import GoldTokenCorpus, copy_tokens

from ..real_data import REPOSITORY
from ..sample import load_sample
from .commands import as_saved, read_files, run

pytestmark = pytest.mark.filterwarnings("ignore:All training docs of 'senter' are single sentences")
NAME = "reranker"
# Config -> the base, rounds of jackknifing, options of a small and quick training.
CONFIGS = {
    "reranker.cfg": (
        "parser",
        2,
        [
            *("--components.parser.model.n_bits", 18, "--components.parser.model.min_weight", 0),
            *("--corpora.train.max_epochs", 2),
        ],
    ),
    "ner_reranker.cfg": ("ner", 1, []),
}


@pytest.fixture(scope="module", params=list(CONFIGS))
def config(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def base(config: str) -> str:
    return CONFIGS[config][0]


@pytest.fixture(scope="module")
def folder(config: str, sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trained model, and with what it was trained on in `cache`."""
    folder = tmp_path_factory.mktemp(Path(config).stem)
    run(
        *("train", REPOSITORY / "configs" / config, "--output", folder),
        *("--paths.train", sample_folder / "train.spacy"),
        *("--paths.dev", sample_folder / "dev.spacy"),
        *("--corpora.train.n_folds", 2, "--corpora.train.n_process", 1),
        *("--corpora.train.cache_dir", folder / "cache"),
        *("--training.max_epochs", 4, "--training.eval_frequency", 8),
        *CONFIGS[config][2],
        cwd=folder,
    )
    return folder


@pytest.fixture(scope="module")
def nlp(folder: Path) -> Language:
    return spacy.load(folder / "model-last")


def annotation(doc: Doc) -> list[tuple]:
    return [(t.head.i, t.dep_, t.ent_iob_, t.ent_type_) for t in doc]


def test_it_learns_from_jackknifed_answers(config: str, base: str, folder: Path, nlp: Language):
    """The corpus that is kept has lists for all docs, and less accurate ones than a base has for
    sentences that it knows."""
    paths = sorted((folder / "cache").iterdir(), key=lambda path: path.stat().st_size)
    assert len(paths) == CONFIGS[config][1]
    docs = list(unpack_docs(DocBin().from_disk(paths[-1]), nlp.vocab))
    references = load_sample(nlp.vocab, "train")
    pipe, k = nlp.get_pipe(base), nlp.get_pipe(NAME).k
    n_right = n_right_of_known = 0
    for doc, reference in zip(docs, references, strict=True):
        assert doc.text == reference.text
        assert 1 <= sum(map(len, stored_sentences(doc, base))) <= k
        n_right += annotation_is_gold(doc, reference, base)
        known = pipe(copy_tokens(doc, ["TAG"]) if base == "parser" else copy_tokens(doc))
        n_right_of_known += annotation_is_gold(known, reference, base)
    assert n_right < n_right_of_known


def annotation_is_gold(doc: Doc, reference: Doc, base: str) -> bool:
    if base == "ner":
        return [str(ent) for ent in doc.ents] == [str(ent) for ent in reference.ents]
    return [token.head.i for token in doc] == [token.head.i for token in reference]


def test_all_ways_to_evaluate_agree(folder: Path, base: str, sample_folder: Path, nlp: Language):
    """`spacy evaluate`, `nlp.evaluate`, and a count by hand of what base and reranker get right."""
    options = ["--gold-preproc", "--output", folder / "scores.json"]
    run("evaluate", folder / "model-last", sample_folder / "test.spacy", *options, cwd=folder)
    evaluated = srsly.read_json(folder / "scores.json")
    scores = nlp.evaluate(list(GoldTokenCorpus(sample_folder / "test.spacy")(nlp)))
    for name in ("rerank_base", "rerank_oracle", "rerank_score", "rerank_error_reduction"):
        assert evaluated[name] == as_saved(scores[name])
    references = load_sample(nlp.vocab, "test")
    docs = list(nlp.pipe(map(copy_tokens, references)))
    assert scores["rerank_score"] == pytest.approx(f_score(docs, references, base))
    with nlp.select_pipes(disable=NAME):
        docs = list(nlp.pipe(map(copy_tokens, references)))
    # The recognizer's lists are found with a wider beam than its answers.
    tolerance = 0.03 if base == "ner" else 1e-6
    assert scores["rerank_base"] == pytest.approx(f_score(docs, references, base), abs=tolerance)
    assert scores["rerank_base"] < scores["rerank_oracle"] > scores["rerank_score"]


def f_score(docs: list[Doc], references: list[Doc], base: str) -> float:
    counts = np.zeros(3, int)
    for doc, reference in zip(docs, references, strict=True):
        found, gold = (items(doc, base), items(reference, base))
        counts += len(found & gold), len(found), len(gold)
    return float(2 * counts[0] / (counts[1] + counts[2]))


def items(doc: Doc, base: str) -> set[tuple]:
    if base == "ner":
        return {(ent.start, ent.end, ent.label_) for ent in doc.ents}
    return {(token.i, token.head.i, token.dep_) for token in doc}


def test_saved_again(folder: Path, nlp: Language, tmp_path: Path):
    nlp.to_disk(tmp_path)
    for name in nlp.pipe_names:
        assert read_files(tmp_path / name) == read_files(folder / "model-last" / name)


def test_answers_on_the_command_line(base: str, folder: Path, tmp_path: Path):
    """Both scores of each answer, and fragments."""
    model, text = folder / "model-last", "Ada saw the man in London with a telescope ."
    printed = run("perceptron", "nbest", model, text, "-k", 3, "--component", NAME, cwd=tmp_path)
    assert ("B-" if base == "ner" else "ROOT") in printed
    options = ["--word", "London", "--component", NAME]
    printed = run("perceptron", "explain", model, text, *options, cwd=tmp_path)
    assert "answer" in printed
    assert "base score" in printed
