"""Trainings that are interrupted and go on, as a user would run them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from spacy.tokens import DocBin
from spacy.util import load_config
from spacy.vocab import Vocab

from ...end_to_end.commands import ENVIRONMENT, run, run_process
from ...real_data import REPOSITORY
from ...sample import load_sample

CODE = Path(__file__).with_name("dying.py")
N_STEPS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has a corpus and configs of trainings that can be told to die."""
    path = tmp_path_factory.mktemp("scale")
    for split, n in (("train", 60), ("dev", 10)):
        DocBin(docs=load_sample(Vocab(), split, n), store_user_data=True).to_disk(
            path / f"{split}.spacy"
        )
    for name in ("tagger", "parser_fast"):
        config = load_config(REPOSITORY / "configs" / f"{name}.cfg", interpolate=False)
        config["training"]["before_update"] = {"@callbacks": "tests.dying.v1"}
        config["training"]["batcher"] = {
            "@batchers": "spacy.batch_by_sequence.v1",
            "size": 16,
            "get_length": None,
        }
        config.to_disk(path / f"{name}.cfg")
    return path


def arguments(output: str, config: str = "tagger.cfg", **settings: object) -> list[object]:
    settings = {"max_epochs": 4, "eval_frequency": N_STEPS, **settings}
    return [
        *(config, "--output", output, "--code", CODE),
        *("--paths.train", "train.spacy", "--paths.dev", "dev.spacy"),
        *(x for name, value in settings.items() for x in (f"--training.{name}", value)),
    ]


def run_and_die(*args: object, cwd: Path, **where: object) -> None:
    """Run a training that dies."""
    environment = {**os.environ, **ENVIRONMENT, **{x: str(n) for x, n in where.items()}}
    command = [sys.executable, "-m", "spacy", "perceptron", "train", *map(str, args)]
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert result.returncode == -signal.SIGKILL, result.stdout + result.stderr


def read_all(folder: Path) -> dict[str, bytes]:
    """All files of the pipelines in a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for name in ("model-best", "model-last")
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, bytes]:
    """What `spacy train` gives."""
    run("train", *arguments("plain"), cwd=folder)
    return read_all(folder / "plain")


def test_without_interruption_it_is_spacy_train(folder: Path, expected: dict[str, bytes]):
    printed = run("perceptron", "train", *arguments("straight"), cwd=folder)
    assert read_all(folder / "straight") == expected
    assert "Saved pipeline" in printed
    assert [path.name for path in (folder / "straight" / "checkpoint").iterdir()] == [
        "progress.json"
    ]
    again = run("perceptron", "train", *arguments("straight"), "--resume", cwd=folder)
    assert "there is nothing to do" in again
    assert read_all(folder / "straight") == expected


def test_killed_several_times(folder: Path, expected: dict[str, bytes]):
    """In the middle of an epoch, while a checkpoint is written, and before there is one."""
    args = [*arguments("killed"), "--resume"]
    run_and_die(*args, cwd=folder, DIE_AT_FILE=1)
    assert not (folder / "killed" / "checkpoint").exists()
    run_and_die(*args, cwd=folder, DIE_AT_STEP=7)
    progress = folder / "killed" / "checkpoint" / "progress.json"
    assert json.loads(progress.read_text())["step"] == 4
    run_and_die(*args, cwd=folder, DIE_AT_FILE=2)
    assert json.loads(progress.read_text())["step"] == 4
    printed = run("perceptron", "train", *args, cwd=folder)
    assert "Going on after step 4" in printed
    assert read_all(folder / "killed") == expected


def test_checkpoints_between_evaluations(folder: Path, expected: dict[str, bytes]):
    args = [*arguments("between"), "--checkpoint-every", 3]
    run_and_die(*args, cwd=folder, DIE_AT_STEP=7)
    progress = json.loads((folder / "between" / "checkpoint" / "progress.json").read_text())
    assert progress["step"] == 6
    # Losses since the evaluation of step 4.
    assert progress["losses"]["tagger"] > 0
    run("perceptron", "train", *args, "--resume", cwd=folder)
    assert read_all(folder / "between") == expected


def test_jackknifed_corpus(folder: Path):
    config, limits = "parser_fast.cfg", {"max_epochs": 2, "eval_frequency": 3}
    run("train", *arguments("parser", config, **limits), cwd=folder)
    args = arguments("parser-killed", config, **limits)
    run_and_die(*args, cwd=folder, DIE_AT_STEP=5)
    run("perceptron", "train", *args, "--resume", cwd=folder)
    assert read_all(folder / "parser-killed") == read_all(folder / "parser")


@pytest.fixture(scope="module")
def interrupted(folder: Path) -> Path:
    run_and_die(*arguments("interrupted"), cwd=folder, DIE_AT_STEP=6)
    return folder / "interrupted"


def test_a_changed_config_is_refused(folder: Path, interrupted: Path):
    before = read_all(interrupted)
    args = arguments("interrupted", max_epochs=5, dropout=0.2)
    printed = run("perceptron", "train", *args, "--resume", cwd=folder, code=1)
    assert "training.max_epochs was 4 and is 5" in printed
    assert "training.dropout was" in printed
    assert "without --resume" in printed
    assert read_all(interrupted) == before


def test_a_changed_corpus_is_refused(folder: Path, interrupted: Path):
    corpus = folder / "train.spacy"
    saved = corpus.read_bytes()
    try:
        corpus.write_bytes((folder / "dev.spacy").read_bytes())
        args = arguments("interrupted")
        printed = run("perceptron", "train", *args, "--resume", cwd=folder, code=1)
    finally:
        corpus.write_bytes(saved)
    assert "the file train.spacy has changed" in printed


def test_damaged_checkpoints_are_refused(folder: Path, interrupted: Path):
    for name in ("random.npz", "progress.json", "states/0.npz"):
        path = interrupted / "checkpoint" / name
        saved = path.read_bytes()
        path.write_bytes(saved[: len(saved) // 2])
        args = arguments("interrupted")
        try:
            printed = run("perceptron", "train", *args, "--resume", cwd=folder, code=1)
        finally:
            path.write_bytes(saved)
        assert f"{Path(name).name} is damaged" in printed


def test_a_missing_best_pipeline_is_noticed(folder: Path, interrupted: Path):
    moved = (interrupted / "model-best").rename(interrupted / "elsewhere")
    try:
        args = arguments("interrupted")
        printed = run("perceptron", "train", *args, "--resume", cwd=folder, code=1)
    finally:
        moved.rename(interrupted / "model-best")
    assert "not the best pipeline so far" in printed


def test_components_whose_state_cannot_be_kept(folder: Path):
    config = load_config(folder / "tagger.cfg", interpolate=False)
    config["nlp"]["pipeline"] = ["tagger", "other"]
    config["components"]["other"] = {"factory": "tagger"}
    config.to_disk(folder / "other.cfg")
    printed = run("perceptron", "train", *arguments("other", "other.cfg"), cwd=folder, code=1)
    assert "Component 'other' (tagger) learns as well" in printed
    assert not (folder / "other" / "model-last").exists()


def test_resuming_needs_an_output_folder(folder: Path):
    args = [x for x in arguments("x") if x not in ("--output", "x")]
    printed = run("perceptron", "train", *args, "--resume", cwd=folder, code=1)
    assert "give it with --output" in printed


def test_workers_train_folds_and_go_on(folder: Path):
    """A process that trains a fold dies once, and the training itself dies after a round."""
    pytest.importorskip("ray", reason="Ray is not installed")
    config, limits = "parser_fast.cfg", {"max_epochs": 2}
    rest = ("--workers", 2, "--corpora.train.cache_dir", "cache")
    run_process("perceptron", "train", *arguments("mixed", config, **limits), *rest, cwd=folder)
    (folder / "cache").rename(folder / "first-cache")
    args = [*arguments("mixed-killed", config, **limits), *rest, "--resume"]
    once = folder / "died"
    run_and_die(*args, cwd=folder, DIE_ONCE=once, DIE_AFTER_ROUND=1)
    assert once.exists()
    (cached,), (other,) = ([*(folder / x).iterdir()] for x in ("first-cache", "cache"))
    assert cached.name == other.name
    assert cached.read_bytes() == other.read_bytes()
    progress = json.loads((folder / "mixed-killed" / "last-round" / "round.json").read_text())
    assert progress["progress"]["n_rounds"] == 1
    run_process("perceptron", "train", *args, cwd=folder)
    assert read_all(folder / "mixed-killed") == read_all(folder / "mixed")
