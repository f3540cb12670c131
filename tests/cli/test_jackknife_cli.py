from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.corpus.jackknife import folds
from spacy_perceptron.corpus.jackknife.workers import WorkerDiedError

from ..corpus.jackknife import memorizer

CONFIG = """
[nlp]
lang = "xx"
pipeline = ["memo"]

[components]

[components.memo]
factory = "FACTORY"

[training]
max_epochs = 5
max_steps = 0
"""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Config, corpus, output and a file of code that no process has imported."""
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=["number", str(i)], tags=["STEP1", "X"]) for i in range(6)]
    DocBin(docs=docs).to_disk(tmp_path / "train.spacy")
    name = f"memorizer_{tmp_path.name}"
    (tmp_path / "config.cfg").write_text(CONFIG.replace("FACTORY", name))
    code = Path(memorizer.__file__).read_text().replace("test_memorizer", name)
    (tmp_path / "code.py").write_text(code)
    return [tmp_path / name for name in ("config.cfg", "train.spacy", "out.spacy", "code.py")]


def run(files: list[Path], *args: object, code: int = 0) -> str:
    options = ["jackknife", *map(str, files[:3]), "--code", str(files[3]), *map(str, args)]
    result = CliRunner().invoke(perceptron_cli, options)
    assert result.exit_code == code, (result.output, result.exception)
    return " ".join(result.output.split()) if code else result.output


def test_writes_the_corpus_and_prints_scores(files: list[Path]):
    options = ["--components", "memo", "--n-folds", 3, "--n-process", 2]
    output = run(files, *options, "--training.max_epochs", 1)
    docs = list(DocBin().from_disk(files[2]).get_docs(spacy.blank("xx").vocab))
    assert [doc.text.strip() for doc in docs] == [f"number {i}" for i in range(6)]
    # One epoch, overridden, is one update; half of the gold tags say so.
    assert {token.tag_ for doc in docs for token in doc} == {"STEP1"}
    rows = [line.split() for line in output.splitlines()]
    for row in (["1", "2", "50.00"], ["2", "2", "50.00"], ["3", "2", "50.00"]):
        assert row in rows
    assert ["mean", "6", "50.00"] in rows


@pytest.mark.parametrize("flag", ["--gold-tokens", "--gold-preproc"])
def test_gold_tokens_and_max_epochs(files: list[Path], flag: str):
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=["a", f"b{i}"], spaces=[False, False]) for i in range(4)]
    DocBin(docs=docs).to_disk(files[1])
    run(files, "--components", "memo", "--n-folds", 2, "--max-epochs", 3, flag)
    docs = list(DocBin().from_disk(files[2]).get_docs(vocab))
    # Two documents are one batch, so three epochs are three updates.
    assert [[token.text for token in doc] for doc in docs] == [["a", f"b{i}"] for i in range(4)]
    assert {token.tag_ for doc in docs for token in doc} == {"STEP3"}


def test_inputs(files: list[Path], tmp_path: Path):
    """What earlier predictions hold beside the tags is still there."""
    vocab = spacy.blank("xx").vocab
    docs = list(DocBin().from_disk(files[1]).get_docs(vocab))
    for i, doc in enumerate(docs):
        doc.user_data["number"] = i
    earlier = tmp_path / "earlier.spacy"
    DocBin(docs=docs, store_user_data=True).to_disk(earlier)
    options = ["--components", "memo", "--n-folds", 2, "--inputs", earlier]
    assert "Set max_epochs" in run(files, *options, code=1)
    run(files, *options, "--max-epochs", 1)
    made = list(DocBin().from_disk(files[2]).get_docs(vocab))
    assert [doc.user_data["number"] for doc in made] == list(range(len(docs)))
    assert {token.tag_ for doc in made for token in doc} == {"STEP1"}


def test_bad_input(files: list[Path]):
    assert "at least 2 folds" in run(files, "--components", "memo", "--n-folds", 1, code=1)
    assert "components are: memo" in run(files, "--components", "tagger", code=1)
    for name, value in {"n-process": 0, "seed": -1, "max-epochs": -1}.items():
        failure = run(files, "--components", "memo", f"--{name}", value, code=1)
        assert f"`{name.replace('-', '_')}` must be" in failure
    run([*files[:2], files[0].parent, files[3]], "--components", "memo", code=2)
    missing = [files[0], files[1].with_name("missing.spacy"), *files[2:]]
    run(missing, "--components", "memo", code=2)
    assert not files[2].exists()


def test_a_worker_that_dies_is_reported(files: list[Path], monkeypatch: pytest.MonkeyPatch):
    def die(*args: object) -> None:
        raise WorkerDiedError("The process that trained fold 1 of 2 was killed")

    monkeypatch.setattr(folds, "jackknife", die)
    failure = run(files, "--components", "memo", code=1)
    assert "The process that trained fold 1 of 2 was killed" in failure
