"""The command line from brackets to a package, on the sample treebank, as a user would run it."""

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import load_config

from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.corpus.reader import GoldTokenCorpus
from spacy_perceptron.corpus.sample import sample_path

from ..real_data import REPOSITORY
from ..sample import load_sample
from .commands import as_saved, read_files, run, run_process

CONFIG = REPOSITORY / "configs" / "tagger.cfg"
# Steps between evaluations.
N_STEPS = 5


def train_args(config: Path, output: Path, corpus: Path, *, epochs: int) -> list[object]:
    return [
        *("train", config, "--output", output),
        *("--paths.train", corpus / "train.spacy", "--paths.dev", corpus / "dev.spacy"),
        *("--training.max_epochs", epochs, "--training.eval_frequency", N_STEPS),
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("end_to_end")


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Path:
    """The sample treebank, converted."""
    output = folder / "corpus"
    run_process("perceptron", "convert", sample_path("train").parent, output, cwd=folder)
    return output


@pytest.fixture(scope="module")
def log(folder: Path, corpus: Path) -> str:
    """What training printed. The model is in model-best."""
    return run_process(*train_args(CONFIG, folder, corpus, epochs=4), cwd=folder)


@pytest.fixture(scope="module")
def model(folder: Path, log: str) -> Path:
    return folder / "model-best"


@pytest.fixture(scope="module")
def weak_model(folder: Path, corpus: Path) -> Path:
    """A model after one epoch."""
    run(*train_args(CONFIG, folder / "weak", corpus, epochs=1), cwd=folder)
    return folder / "weak" / "model-best"


def accuracy(nlp: Language, split: str) -> float:
    """Share of right tags, counted here."""
    references = load_sample(nlp.vocab, split)
    docs = nlp.pipe(Doc(nlp.vocab, words=[token.text for token in doc]) for doc in references)
    pairs = [
        (token.tag_, gold.tag_)
        for doc, reference in zip(docs, references, strict=True)
        for token, gold in zip(doc, reference, strict=True)
    ]
    return sum(tag == gold for tag, gold in pairs) / len(pairs)


def test_convert_keeps_the_annotation(corpus: Path):
    vocab = spacy.blank("en").vocab
    for split, n_docs in (("train", 400), ("dev", 50), ("test", 50)):
        docs = list(DocBin().from_disk(corpus / f"{split}.spacy").get_docs(vocab))
        assert len(docs) == n_docs
        for doc, expected in zip(docs, load_sample(vocab, split), strict=True):
            assert [(t.text, t.tag_) for t in doc] == [(t.text, t.tag_) for t in expected]


def test_all_ways_to_evaluate_agree(model: Path, log: str, corpus: Path, tmp_path: Path):
    """The training log, meta.json, `spacy evaluate`, `nlp.evaluate`, and a count by hand."""
    nlp = spacy.load(model)
    value = nlp.evaluate(list(GoldTokenCorpus(corpus / "dev.spacy")(nlp)))["tag_acc"]
    assert value == pytest.approx(accuracy(nlp, "dev"), abs=1e-12)
    options = ["--gold-preproc", "--output", tmp_path / "scores.json"]
    run_process("evaluate", model, corpus / "dev.spacy", *options, cwd=tmp_path)
    assert srsly.read_json(tmp_path / "scores.json")["tag_acc"] == as_saved(value)
    performance = srsly.read_json(model / "meta.json")["performance"]
    assert performance["tag_acc"] == as_saved(value)
    # Epoch, step, loss, accuracy in percent, weighted score.
    rows = re.findall(r"^ *(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) *$", log, re.MULTILINE)
    assert [int(row[1]) for row in rows] == [N_STEPS * i for i in range(len(rows))]
    assert len(rows) >= 3
    assert max(rows, key=lambda row: float(row[3]))[3] == f"{value * 100:.2f}"
    assert f"{value:.2f}" in [row[4] for row in rows]


def test_accuracy_on_the_test_part(model: Path, corpus: Path, tmp_path: Path):
    nlp = spacy.load(model)
    assert nlp.pipe_names == ["tagger"]
    assert nlp.meta["labels"]["tagger"] == list(nlp.get_pipe("tagger").labels)
    value = accuracy(nlp, "test")
    assert value > 0.85
    scores = tmp_path / "scores.json"
    run("evaluate", model, corpus / "test.spacy", "-G", "--output", scores, cwd=tmp_path)
    assert srsly.read_json(scores)["tag_acc"] == pytest.approx(value, abs=1e-9)


def test_a_short_training_keeps_its_end(corpus: Path, tmp_path: Path):
    """Five epochs are 20 steps, and the config evaluates every 100."""
    args = ["train", CONFIG, "--output", tmp_path, "--training.max_epochs", 5]
    paths = [f"--paths.{split}={corpus / split}.spacy" for split in ("train", "dev")]
    printed = run(*args, *paths, cwd=tmp_path)
    files = [read_files(tmp_path / name / "tagger") for name in ("model-best", "model-last")]
    assert files[0] == files[1]
    value = accuracy(spacy.load(tmp_path / "model-best"), "dev")
    assert value > 0.8
    assert f"Step 19, the last one: score {value:.2f} (tag_acc {value * 100:.2f})" in printed


def test_raw_text(model: Path):
    """Text of any kind through the pipeline, in one go and one by one."""
    nlp = spacy.load(model)
    texts = ["The dog sleeps.", "", "  \n", "Where did she put the keys?", "👍 ok\u200d"]
    docs = list(nlp.pipe(texts, batch_size=2))
    assert [doc.text for doc in docs] == texts
    alone = [[token.tag_ for token in nlp(text)] for text in texts]
    assert [[token.tag_ for token in doc] for doc in docs] == alone
    assert alone[0] == ["DT", "NN", "VBZ", "."]


def test_the_seed_decides_the_model(weak_model: Path, corpus: Path, tmp_path: Path):
    run_process(*train_args(CONFIG, tmp_path / "again", corpus, epochs=1), cwd=tmp_path)
    args = train_args(CONFIG, tmp_path / "other", corpus, epochs=1)
    run(*args, "--system.seed", 1, cwd=tmp_path)
    expected = read_files(weak_model / "tagger")
    assert read_files(tmp_path / "again" / "model-best" / "tagger") == expected
    assert read_files(tmp_path / "other" / "model-best" / "tagger") != expected


def test_assemble(model: Path, tmp_path: Path):
    config = load_config(CONFIG, interpolate=False)
    config["components"] = {"tagger": {"source": str(model)}, "sentencizer": {}}
    config["components"]["sentencizer"]["factory"] = "sentencizer"
    config["nlp"]["pipeline"] = ["sentencizer", "tagger"]
    config["corpora"] = {}
    config.to_disk(tmp_path / "config.cfg")
    run("assemble", tmp_path / "config.cfg", tmp_path / "assembled", cwd=tmp_path)
    nlp = spacy.load(tmp_path / "assembled")
    assert nlp.pipe_names == ["sentencizer", "tagger"]
    assert read_files(tmp_path / "assembled" / "tagger") == read_files(model / "tagger")
    assert accuracy(nlp, "dev") == accuracy(spacy.load(model), "dev")


def test_package(model: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    options = ["--build", "none", "--name", "sample_tagger", "--version", "1.2.3"]
    run("package", model, tmp_path / "out", *options, cwd=tmp_path)
    root = tmp_path / "out" / "en_sample_tagger-1.2.3"
    requirements = srsly.read_json(root / "meta.json")["requirements"]
    assert any(requirement.startswith("spacy-perceptron") for requirement in requirements)
    run_process("sdist", cwd=root, module="setup")
    assert (root / "dist" / "en_sample_tagger-1.2.3.tar.gz").exists()
    script = tmp_path / "use_package.py"
    script.write_text(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import en_sample_tagger\n"
        "print(*[token.tag_ for token in en_sample_tagger.load()('The dog sleeps.')])\n"
    )
    assert run_process(root, cwd=tmp_path, module="use_package").split() == ["DT", "NN", "VBZ", "."]


def test_calibrate(model: Path, corpus: Path, tmp_path: Path):
    output = tmp_path / "calibrated"
    options = ["--output", output, "--test", corpus / "test.spacy", "--gold-preproc"]
    printed = run("perceptron", "calibrate", model, corpus / "dev.spacy", *options, cwd=tmp_path)
    rows = [line.split() for line in printed.splitlines()]
    (row,) = [row for row in rows if row[:1] == ["test"]]
    # Corpus, tokens, error before and after, log loss before and after.
    assert int(row[1]) == sum(map(len, load_sample(spacy.blank("en").vocab, "test")))
    assert float(row[5]) < float(row[4])
    before, after = spacy.load(model), spacy.load(output)
    assert before.get_pipe("tagger").calibration == Calibration()
    assert after.get_pipe("tagger").calibration != Calibration()
    words = [token.text for token in load_sample(before.vocab, "test")[0]]
    docs = [nlp(Doc(nlp.vocab, words=words)) for nlp in (before, after)]
    assert [token.tag_ for token in docs[0]] == [token.tag_ for token in docs[1]]
    confidences = [[token._.tag_confidence for token in doc] for doc in docs]
    assert confidences[0] != confidences[1]


def test_compare(model: Path, weak_model: Path, corpus: Path, tmp_path: Path):
    options = ["--gold-preproc", "--n-samples", 200, "--output", tmp_path / "compared.json"]
    args = ["compare", weak_model, model, corpus / "train.spacy", *options]
    run("perceptron", *args, cwd=tmp_path)
    compared = srsly.read_json(tmp_path / "compared.json")
    row = compared["metrics"]["tag_acc"]
    weak, strong = (accuracy(spacy.load(path), "train") for path in (weak_model, model))
    assert compared["n_docs"] == 400
    assert (row["a"], row["b"]) == (pytest.approx(weak), pytest.approx(strong))
    assert row["delta"] == pytest.approx(strong - weak)
    assert strong > weak
    assert row["mcnemar"]["p_value"] < 0.05


def jackknifed_accuracy(predicted: list[Doc]) -> float:
    references = load_sample(predicted[0].vocab, "train")
    pairs = [
        (token.tag_, gold.tag_)
        for doc, reference in zip(predicted, references, strict=True)
        for token, gold in zip(doc, reference, strict=True)
    ]
    return sum(tag == gold for tag, gold in pairs) / len(pairs)


def test_jackknife(model: Path, corpus: Path, tmp_path: Path):
    output = tmp_path / "jackknifed.spacy"
    args = ["jackknife", CONFIG, corpus / "train.spacy", output, "--components", "tagger"]
    options = ["--n-folds", 2, "--training.max_epochs", 2, "--gold-preproc"]
    run("perceptron", *args, *options, cwd=tmp_path)
    docs = list(DocBin().from_disk(output).get_docs(spacy.blank("en").vocab))
    assert len(docs) == 400
    # As good as on unseen text, from half the data, and far from what it gets on text it has seen.
    value = jackknifed_accuracy(docs)
    assert 0.75 < value < accuracy(spacy.load(model), "train") - 0.03


def test_train_on_a_jackknifed_corpus(corpus: Path, tmp_path: Path):
    """The tagger sees its own jackknifed tags in `predicted` and learns from gold."""
    shutil.copytree(corpus, tmp_path / "corpus")
    config = load_config(CONFIG, interpolate=False)
    config["corpora"]["train"] = {
        "@readers": "spacy_perceptron.jackknifed_corpus.v1",
        "path": "${paths.train}",
        "components": ["tagger"],
        "n_folds": 2,
        "max_epochs": 1,
        "gold_tokens": True,
    }
    config.to_disk(tmp_path / "config.cfg")
    args = train_args(tmp_path / "config.cfg", tmp_path / "out", tmp_path / "corpus", epochs=2)
    run(*args, cwd=tmp_path)
    (kept,) = (tmp_path / "corpus" / ".jackknife").iterdir()
    docs = list(DocBin().from_disk(kept).get_docs(spacy.blank("en").vocab))
    assert 0.7 < jackknifed_accuracy(docs) < 0.97
    assert accuracy(spacy.load(tmp_path / "out" / "model-best"), "test") > 0.8


def test_interrupted_training_leaves_models(corpus: Path, tmp_path: Path):
    args = train_args(CONFIG, tmp_path / "out", corpus, epochs=100_000)
    args += ["--training.patience", 0, "--training.eval_frequency", 10 * N_STEPS]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "spacy", *map(str, args)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A test runner in the background may have switched the signal off.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if re.match(rf" *\d+ +{10 * N_STEPS} ", line):
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode != 0
    for name in ("model-best", "model-last"):
        assert accuracy(spacy.load(tmp_path / "out" / name), "dev") > 0.8


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (["--components.tagger.beam_width", 0], "`beam_width` must be between 1 and 10000, not 0"),
        (["--components.tagger.beam_width", "wide"], "'wide' is not <class 'int'>"),
        (["--paths.train", "nowhere.spacy"], "There is no corpus at nowhere.spacy"),
    ],
)
def test_bad_settings(override: list[Any], message: str, corpus: Path, tmp_path: Path):
    args = [*train_args(CONFIG, tmp_path / "out", corpus, epochs=1), *override]
    assert message in run(*args, cwd=tmp_path, code=1)


def test_found_without_import(model: Path, tmp_path: Path):
    """spaCy finds factories by itself, from any folder."""
    script = tmp_path / "fresh.py"
    script.write_text(
        "import sys, spacy\n"
        "pipe = spacy.blank('en').add_pipe('easy_first_tagger')\n"
        "print(type(pipe).__name__)\n"
        "print(*[token.tag_ for token in spacy.load(sys.argv[1])('The dog sleeps.')])\n"
    )
    printed = run_process(model, cwd=tmp_path, module="fresh").splitlines()
    assert printed == ["EasyFirstTagger", "DT NN VBZ ."]
    assert spacy.__version__ in run("info", cwd=tmp_path)
    info = run("info", model, cwd=tmp_path)
    assert re.search(r"^components +\['tagger'\] *$", info, re.MULTILINE)
