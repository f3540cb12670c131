"""Taggers and a parser from the shipped configs, trained, evaluated and used as a user would."""

import re
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from spacy_perceptron.corpus.reader import GoldTokenCorpus, copy_tokens
from spacy_perceptron.corpus.sample import SPLITS

from ..real_data import REPOSITORY
from ..sample import load_sample
from .commands import as_saved, read_files, run

# With one sentence per doc, there is nothing to learn for `senter`.
pytestmark = pytest.mark.filterwarnings("ignore:All training docs of 'senter' are single sentences")
CONFIGS = ["parser.cfg", "easy_first.cfg"]
# Steps between evaluations: an epoch of 400 docs.
N_STEPS = 4


@pytest.fixture(scope="module", params=CONFIGS)
def config(request: pytest.FixtureRequest) -> Path:
    return REPOSITORY / "configs" / request.param


@pytest.fixture(scope="module")
def folder(config: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(config.stem)


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Path:
    """The sample treebank, with parts of speech, roughly by the first letter of its tags, and with
    its tags as features."""
    vocab = spacy.blank("en").vocab
    letters = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV", "D": "DET", "I": "ADP"}
    for split in SPLITS:
        docs = load_sample(vocab, split)
        for token in (token for doc in docs for token in doc):
            token.pos_ = letters.get(token.tag_[0], "X")
            token.set_morph(f"Kind={token.tag_}" if token.tag_.isalpha() else "")
        DocBin(docs=docs).to_disk(folder / f"{split}.spacy")
    return folder


@pytest.fixture(scope="module")
def log(config: Path, folder: Path, corpus: Path) -> str:
    """What training printed. The model is in model-best."""
    return run(
        *("train", config, "--output", folder),
        *("--paths.train", corpus / "train.spacy"),
        *("--paths.dev", corpus / "dev.spacy"),
        *("--corpora.train.n_folds", 2, "--corpora.train.n_process", 1),
        *("--corpora.train.max_epochs", 2, "--corpora.train.cache_dir", folder / "cache"),
        *("--training.max_epochs", 5, "--training.eval_frequency", N_STEPS),
        *("--components.parser.model.n_bits", 18, "--components.parser.model.min_weight", 0),
        *("--components.tagger.model.min_weight", 0.05),
        cwd=folder,
    )


@pytest.fixture(scope="module")
def model(folder: Path, log: str) -> Path:
    return folder / "model-best"


def labelled_accuracy(nlp: Language, references: list[Doc]) -> float:
    """Share of words with the right head and label, counted here."""
    docs = nlp.pipe(copy_tokens(doc) for doc in references)
    pairs = [
        ((token.head.i, token.dep_), (gold.head.i, gold.dep_))
        for doc, reference in zip(docs, references, strict=True)
        for token, gold in zip(doc, reference, strict=True)
    ]
    return sum(found == gold for found, gold in pairs) / len(pairs)


def test_all_ways_to_evaluate_agree(model: Path, log: str, corpus: Path, tmp_path: Path):
    """The training log, meta.json, `spacy evaluate`, `nlp.evaluate`, and a count by hand."""
    nlp = spacy.load(model)
    scores = nlp.evaluate(list(GoldTokenCorpus(corpus / "dev.spacy")(nlp)))
    counted = labelled_accuracy(nlp, load_sample(nlp.vocab, "dev"))
    assert scores["dep_las_all"] == pytest.approx(counted, abs=1e-12)
    options = ["--gold-preproc", "--output", tmp_path / "scores.json"]
    run("evaluate", model, corpus / "dev.spacy", *options, cwd=tmp_path)
    evaluated = srsly.read_json(tmp_path / "scores.json")
    performance = srsly.read_json(model / "meta.json")["performance"]
    for name in ("dep_las", "dep_uas", "tag_acc"):
        assert evaluated[name] == performance[name] == as_saved(scores[name])
    # Epoch, step, losses, scores in percent.
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d.+)$", log, re.MULTILINE)
    assert [int(row[1]) for row in rows] == [N_STEPS * i for i in range(len(rows))]
    assert len(rows) >= 3
    # The last step has a line of its own.
    figure = f"{scores['dep_las'] * 100:.2f}"
    last = re.findall(r"Step \d+, the last one: .*\bdep_las ([\d.]+)", " ".join(log.split()))
    assert figure in last or any(figure in row[2].split() for row in rows)


def test_accuracy_on_the_test_part(model: Path, corpus: Path):
    nlp = spacy.load(model)
    assert nlp.pipe_names[-1] == "parser"
    scores = nlp.evaluate(list(GoldTokenCorpus(corpus / "test.spacy")(nlp)))
    assert scores["dep_las"] > 0.70
    assert scores["dep_uas"] > scores["dep_las"]
    assert scores["tag_acc"] > 0.85


def test_raw_text(model: Path):
    """Text of any kind through the pipeline, in one go and one by one."""
    nlp = spacy.load(model)
    nlp.add_pipe("sentencizer", first=True)
    texts = ["The dog sleeps. It rains.", "", "  \n", "Where did she put the keys?", "Ok!\n\n Go."]
    docs = list(nlp.pipe(texts, batch_size=2))
    assert [doc.text for doc in docs] == texts
    alone = [[(token.head.i, token.dep_) for token in nlp(text)] for text in texts]
    assert [[(token.head.i, token.dep_) for token in doc] for doc in docs] == alone
    assert [len(list(doc.sents)) for doc in docs] == [2, 0, 1, 1, 2]
    assert [(token.head.text, token.dep_) for token in docs[0]][:4] == [
        ("dog", "NMOD"),
        ("sleeps", "SBJ"),
        ("sleeps", "ROOT"),
        ("sleeps", "P"),
    ]


def test_saved_again(model: Path, tmp_path: Path):
    nlp = spacy.load(model)
    nlp.to_disk(tmp_path)
    for name in nlp.pipe_names:
        assert read_files(tmp_path / name) == read_files(model / name)


def test_answers_on_the_command_line(model: Path, tmp_path: Path):
    text = "The dog sleeps ."
    printed = run("perceptron", "explain", model, text, "--word", "dog", cwd=tmp_path)
    assert "'dog': head sleeps rather than" in printed
    printed = run("perceptron", "nbest", model, text, "-k", 3, cwd=tmp_path)
    assert printed.count("SBJ") >= 1
