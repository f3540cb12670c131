"""The last step of a training is evaluated, and nothing else changes."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config, load_model_from_config, registry
from thinc.api import Config

from spacy_perceptron.evaluation.last_step import LOGGER_NAME

from ..corpus.jackknife.memorizer import Memorizer
from ..real_data import REPOSITORY

# Eight documents in batches of two: four steps an epoch.
CONFIG = """
[nlp]
lang = "xx"
pipeline = ["scripted"]

[components]

[components.scripted]
factory = "test_scripted"

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = null

[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${corpora.train.path}

[training]
max_epochs = 2
max_steps = 0
eval_frequency = 3
patience = 0

[training.batcher]
@batchers = "spacy.batch_by_sequence.v1"
size = 2
get_length = null

[training.logger]
@loggers = "spacy_perceptron.last_step.v1"
"""
PLAIN = {"@loggers": "spacy.ConsoleLogger.v1", "progress_bar": False}


class Scripted(Memorizer):
    """Its score is the one that the script gives for its number of updates."""

    script: tuple[float, ...] = ()
    # Raised when it is saved after this many updates.
    fail_to_save: tuple[int, Exception] | None = None
    log: tuple[list[str], list[int]] = ([], [])

    def update(self, examples: Any, **kwargs: Any) -> dict[str, float]:
        examples = list(examples)
        self.log[0].extend(eg.text for eg in examples)
        if self.n_updates + 1 == len(self.script):
            raise ValueError("the script is at its end")
        return super().update(examples, **kwargs)

    def to_disk(self, path: Any, **kwargs: Any) -> None:
        if self.fail_to_save and self.n_updates == self.fail_to_save[0]:
            _, error = self.fail_to_save
            # The next one succeeds.
            Scripted.fail_to_save = None
            raise error
        super().to_disk(path, **kwargs)

    def score(self, examples: Any, **kwargs: Any) -> dict[str, float]:
        self.log[1].append(self.n_updates - 1)
        if self.script[self.n_updates - 1] < 0:
            raise RuntimeError("no gold")
        return {"memo_acc": self.script[self.n_updates - 1]}


@Language.factory("test_scripted", default_score_weights={"memo_acc": 1.0})
def make_scripted(nlp: Language, name: str) -> Scripted:
    return Scripted(nlp, name)


@registry.callbacks("test_mark_meta")
def create_mark() -> Any:
    def mark(nlp: Language) -> Language:
        nlp.meta["marked"] = True
        return nlp

    return mark


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=["number", str(i)]) for i in range(8)]
    DocBin(docs=docs).to_disk(tmp_path / "corpus.spacy")
    return tmp_path / "corpus.spacy"


def run(corpus: Path, script: list[float], **training: Any) -> str:
    """Train, where step i has score script[i], into the folder of the corpus.

    RETURNS (str): What was printed.
    """
    Scripted.script, Scripted.log = tuple(script), ([], [])
    config = Config().from_str(CONFIG, overrides={"corpora.train.path": str(corpus)})
    config["training"].update(training)
    nlp = init_nlp(load_model_from_config(config, auto_fill=True).config)
    stdout = io.StringIO()
    train(nlp, corpus.parent, stdout=stdout, stderr=io.StringIO())
    return stdout.getvalue()


def saved(corpus: Path, name: str = "model-best") -> tuple[int, float]:
    """The last step that a saved model has seen, and the score in its meta data."""
    path = corpus.parent / name
    score = srsly.read_json(path / "meta.json")["performance"]["memo_acc"]
    # spaCy's JSON keeps 16 digits, and not always the nearest.
    return srsly.read_json(path / "scripted")["n_updates"] - 1, round(score, 6)


def test_the_last_step_is_kept_if_it_is_the_best(corpus: Path):
    # Steps 0, 3 and 6 are evaluated by spaCy, step 7 is the last one.
    printed = run(corpus, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.0])
    assert Scripted.log[1] == [0, 3, 6, 7]
    assert saved(corpus) == saved(corpus, "model-last") == (7, 0.8)
    assert "Step 7, the last one: score 0.80 (memo_acc 80.00)" in printed


def test_an_earlier_step_stays_if_it_is_better(corpus: Path):
    printed = run(corpus, [0.1, 0.2, 0.3, 0.9, 0.5, 0.6, 0.7, 0.8, 0.0])
    assert saved(corpus) == (3, 0.9)
    assert saved(corpus, "model-last") == (7, 0.8)
    assert "Step 3 was better, and stays in model-best" in printed


def test_of_equal_steps_the_last_is_kept(corpus: Path):
    run(corpus, [0.1, 0.2, 0.3, 0.8, 0.5, 0.6, 0.7, 0.8, 0.0])
    assert saved(corpus) == (7, 0.8)


@pytest.mark.parametrize(
    ("limits", "evaluated"),
    [
        # Shorter than the first interval.
        ({"eval_frequency": 100}, [0, 7]),
        ({"max_epochs": 0, "max_steps": 5, "eval_frequency": 100}, [0, 5]),
        ({"max_epochs": -1, "max_steps": 5, "eval_frequency": 2}, [0, 2, 4, 5]),
        # spaCy itself evaluates the last step.
        ({"max_epochs": 0, "max_steps": 6}, [0, 3, 6]),
        ({"eval_frequency": 7}, [0, 7]),
        ({"eval_frequency": 1}, list(range(8))),
    ],
)
def test_however_training_ends(corpus: Path, limits: dict[str, int], evaluated: list[int]):
    run(corpus, [step / 10 for step in range(10)], **limits)
    assert Scripted.log[1] == evaluated
    assert saved(corpus) == saved(corpus, "model-last") == (evaluated[-1], evaluated[-1] / 10)


def test_end_by_patience(corpus: Path):
    # No better score within four steps after step 0: step 4 is the last one.
    run(corpus, [0.5, 0.2, 0.3, 0.4, 0.6, 0.0], patience=4)
    assert Scripted.log[1] == [0, 3, 4]
    assert saved(corpus) == (4, 0.6)


def test_steps_and_examples_are_those_of_plain_training(corpus: Path):
    script = [step / 10 for step in range(10)]
    printed = run(corpus, script)
    texts, evaluated = Scripted.log
    plain = run(corpus, script, logger=PLAIN)
    assert (texts, evaluated) == (Scripted.log[0], [*Scripted.log[1], 7])
    lines = plain.splitlines()
    assert len(lines) >= 7
    assert [line for line in printed.splitlines() if line in lines] == lines


def test_another_logger_below(corpus: Path, tmp_path: Path):
    lines = {"@loggers": "spacy.ConsoleLogger.v3", "output_file": str(tmp_path / "log.jsonl")}
    run(corpus, [0.1] * 10, logger={"@loggers": LOGGER_NAME, "logger": lines})
    assert [line["step"] for line in srsly.read_jsonl(tmp_path / "log.jsonl")] == [0, 3, 6]
    assert saved(corpus)[0] == 7


def test_models_are_saved_as_the_user_wants(corpus: Path):
    run(corpus, [step / 10 for step in range(10)], before_to_disk={"@callbacks": "test_mark_meta"})
    assert srsly.read_json(corpus.parent / "model-best" / "meta.json")["marked"] is True


def test_after_an_error_models_are_left_alone(corpus: Path):
    with pytest.raises(ValueError, match="at its end"):
        run(corpus, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert sys.exc_info()[0] is None
    assert Scripted.log[1] == [0, 3]
    assert saved(corpus) == (3, 0.4)


def test_an_error_does_not_lose_the_last_model(corpus: Path):
    printed = run(corpus, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, -1.0, 0.0])
    assert "RuntimeError: no gold" in printed
    assert saved(corpus) == (6, 0.7)
    assert saved(corpus, "model-last")[0] == 7


def test_a_full_disk_loses_no_model(corpus: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Scripted, "fail_to_save", (8, OSError("no space left")))
    printed = run(corpus, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.0])
    assert "no space left" in printed
    assert saved(corpus) == (6, 0.7)
    assert saved(corpus, "model-last")[0] == 7


def test_nothing_of_the_former_best_model_stays(corpus: Path):
    (corpus.parent / "model-best").mkdir()
    (corpus.parent / "model-best" / "other").write_text("old")
    run(corpus, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.0])
    assert not (corpus.parent / "model-best" / "other").exists()


def test_speed_is_no_percentage(corpus: Path):
    weights = {"memo_acc": 1.0, "speed": 0.0}
    printed = run(corpus, [step / 10 for step in range(10)], score_weights=weights)
    speed = srsly.read_json(corpus.parent / "model-best" / "meta.json")["performance"]["speed"]
    assert f"speed {speed:.2f}" in " ".join(printed.split())


def test_averages_of_the_optimizer_are_out_of_reach(corpus: Path):
    averaging = {"@optimizers": "Adam.v1", "use_averages": True, "learn_rate": 0.001}
    printed = run(corpus, [0.1] * 10, optimizer=averaging)
    assert "use_averages" in printed
    assert saved(corpus)[0] == 6


@pytest.mark.parametrize("path", sorted((REPOSITORY / "configs").glob("*.cfg")), ids=str)
def test_every_shipped_config_does_so(path: Path):
    logger = load_config(path)["training"]["logger"]
    assert logger["@loggers"] == LOGGER_NAME
    assert logger["logger"] == PLAIN
    assert callable(registry.resolve({"logger": logger})["logger"])
