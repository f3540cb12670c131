import builtins
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin
from typer.testing import CliRunner

from spacy_perceptron.answers.calibration import Calibration, expected_calibration_error
from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.cli.calibrate import Method, calibrate, read_examples

from . import confident
from .by_hand import parser  # noqa: F401


def write_corpus(path: Path, seed: int, power: float = 1.0, n_docs: int = 40) -> Path:
    """Outcomes follow sigmoid(score / 3) ** power: at power 1 the right temperature is 3."""
    rng = np.random.default_rng(seed)
    vocab = spacy.blank("xx").vocab
    bins = DocBin()
    for _ in range(n_docs):
        scores = rng.normal(2, 5, size=100).round(2)
        right = rng.random(100) < (1 / (1 + np.exp(-scores / 3))) ** power
        tags = ["A" if r else "B" for r in right]
        bins.add(Doc(vocab, words=[str(s) for s in scores], tags=tags, spaces=[True] * 100))
    bins.to_disk(path)
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    nlp = spacy.blank("xx")
    nlp.tokenizer = spacy.tokenizer.Tokenizer(nlp.vocab)
    for factory in ("test_upstream", "test_confident", "test_downstream"):
        nlp.add_pipe(factory)
    nlp.to_disk(tmp_path / "model")
    return tmp_path / "model"


def run(*args: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, ["calibrate", *map(str, args)])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def errors(output: str, where: str) -> list[float]:
    line = next(line for line in output.splitlines() if line.strip().startswith(where))
    return [float(figure) for figure in re.findall(r"\d\.\d{4}", line)]


def test_temperature_is_found_and_saved_in_place(model: Path, tmp_path: Path):
    dev = write_corpus(tmp_path / "dev.spacy", seed=0)
    output = run(model, dev, "--method", "temperature")
    calibration = spacy.load(model).get_pipe("test_confident").calibration
    assert calibration.temperature == pytest.approx(3.0, rel=0.1)
    assert calibration.knots is None
    before, after, *_ = errors(output, "dev, cross-fitted")
    assert before > 0.08
    assert after < 0.03
    assert "Reliability" in output


def test_the_pipeline_is_replaced_as_a_whole(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A save that fails leaves the old pipeline, and one that works leaves other files."""
    dev = write_corpus(tmp_path / "dev.spacy", seed=0)
    (model / "README.md").write_text("Mine.")

    def fail(*args: Any, **settings: Any) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(confident.Confident, "to_disk", fail)
        result = CliRunner().invoke(perceptron_cli, ["calibrate", str(model), str(dev)])
    assert result.exit_code == 1
    assert "no space left" in result.output
    assert spacy.load(model).get_pipe("test_confident").calibration == Calibration()
    run(model, dev, "--method", "temperature")
    assert spacy.load(model).get_pipe("test_confident").calibration != Calibration()
    assert (model / "README.md").read_text() == "Mine."
    assert {path.name for path in tmp_path.iterdir()} == {"dev.spacy", "model"}


def test_test_corpus_output_and_plot(model: Path, tmp_path: Path):
    dev = write_corpus(tmp_path / "dev.spacy", seed=0, power=3)
    test = write_corpus(tmp_path / "test.spacy", seed=1, power=3)
    out, plot = tmp_path / "out", tmp_path / "reliability.png"
    output = run(model, dev, "--method", "both", "--test", test, "-o", out, "--plot", plot)
    assert spacy.load(model).get_pipe("test_confident").calibration == Calibration()
    calibrated = spacy.load(out)
    pipe = calibrated.get_pipe("test_confident")
    assert pipe.calibration.knots
    assert plot.read_bytes().startswith(b"\x89PNG")
    # The figures of the table, worked out from the saved model.
    examples = read_examples(calibrated, "test_confident", test)
    confidence, correct = pipe.raw_confidences(examples, pipe.calibration.temperature)
    after = expected_calibration_error(pipe.calibration.apply(confidence), correct)
    before = expected_calibration_error(*pipe.raw_confidences(examples, 1.0))
    assert errors(output, "test")[:2] == [
        pytest.approx(before, abs=1e-4),
        pytest.approx(after, abs=1e-4),
    ]
    assert after < before / 3


def test_auto_prefers_the_map_that_fits(model: Path, tmp_path: Path):
    # A wrong temperature alone calls for a temperature, a bent curve for more than that.
    straight = write_corpus(tmp_path / "straight.spacy", seed=0)
    bent = write_corpus(tmp_path / "bent.spacy", seed=0, power=4)
    assert "test_confident: temperature" in run(model, straight)
    assert re.search(r"test_confident: (isotonic|both)", run(model, bent))


def test_cross_fitting_does_not_flatter(model: Path, tmp_path: Path):
    # Few tokens, outcomes by chance: an isotonic map looks better where it was fitted.
    nlp = spacy.load(model)
    dev = write_corpus(tmp_path / "dev.spacy", seed=3, power=0.0001, n_docs=2)
    examples = read_examples(nlp, "test_confident", dev)
    rng = np.random.default_rng(0)
    for eg in examples:
        for token in eg.reference:
            token.tag_ = "A" if rng.random() < 0.5 else "B"
    pipe = nlp.get_pipe("test_confident")
    calibration, _, crossed = calibrate(pipe, examples, Method.isotonic)
    confidence, correct = pipe.raw_confidences(examples, 1.0)
    in_sample = expected_calibration_error(calibration.apply(confidence), correct)
    assert expected_calibration_error(*crossed) > in_sample + 0.01


def test_no_matplotlib_is_no_failure(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real_import = builtins.__import__

    def fake_import(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", fake_import)
    dev = write_corpus(tmp_path / "dev.spacy", seed=0, n_docs=4)
    output = run(model, dev, "--method", "isotonic", "--plot", tmp_path / "plot.png")
    assert "matplotlib is missing" in output
    assert not (tmp_path / "plot.png").exists()


@pytest.fixture
def two(model: Path, tmp_path: Path) -> Path:
    nlp = spacy.load(model)
    nlp.add_pipe("test_confident", name="second", before="test_downstream")
    nlp.to_disk(tmp_path / "two")
    return tmp_path / "two"


def temperatures(path: Path) -> list[float]:
    nlp = spacy.load(path)
    return [nlp.get_pipe(name).calibration.temperature for name in ("test_confident", "second")]


def test_all_components_are_calibrated(two: Path, tmp_path: Path):
    dev = write_corpus(tmp_path / "dev.spacy", seed=0)
    plot = tmp_path / "plot.png"
    output = run(two, dev, "--method", "temperature", "--plot", plot)
    assert temperatures(two) == [pytest.approx(3.0, rel=0.1)] * 2
    assert output.count("dev, cross-fitted") == 4
    assert output.index("test_confident: temperature") < output.index("second: temperature")
    # Two panels side by side: width and height of the picture.
    width, height = struct.unpack(">II", plot.read_bytes()[16:24])
    assert width == 2 * height


def test_one_of_several_components(two: Path, tmp_path: Path):
    dev = write_corpus(tmp_path / "dev.spacy", seed=0)
    run(two, dev, "--component", "second", "--method", "temperature")
    assert temperatures(two) == [1.0, pytest.approx(3.0, rel=0.1)]


def test_component_without_gold_annotation_is_left_alone(model: Path, tmp_path: Path):
    """The corpus has tags and no heads."""
    nlp = spacy.load(model)
    nlp.add_pipe("test_hand_parser", name="parser", before="test_downstream")
    nlp.to_disk(tmp_path / "parser")
    dev = write_corpus(tmp_path / "dev.spacy", seed=0, n_docs=4)
    output = " ".join(run(tmp_path / "parser", dev, "--method", "temperature").split())
    assert "test_confident: temperature" in output
    assert "Left 'parser' as it is" in output
    output = " ".join(run(tmp_path / "parser", dev, "--component", "parser", code=1).split())
    assert "no token with a gold label" in output


def test_arcs_are_calibrated(tmp_path: Path):
    """Half of the arcs are right, at a confidence of 0.9 ** (1 / temperature): the temperature is
    log 0.9 / log 0.5 = 0.152, and the error before 0.9 - 0.5."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_hand_parser", name="parser")
    nlp.to_disk(tmp_path / "parser")
    gold = Doc(nlp.vocab, words=["a", "b"], heads=[0, 0], deps=["ROOT", "x"])
    DocBin(docs=[gold] * 4).to_disk(tmp_path / "dev.spacy")
    output = run(tmp_path / "parser", tmp_path / "dev.spacy", "--method", "temperature")
    assert "parser: temperature, temperature 0.152" in output
    assert errors(output, "dev, cross-fitted")[:2] == [0.4, pytest.approx(0.0, abs=1e-3)]


def test_gold_sentences_have_boundaries(tmp_path: Path):
    """So that no component looks for others, or misses them."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("test_hand_parser", name="parser")
    words, starts = ["a", "!", "b", "c", "d"], [True, False, False, True, False]
    marked = Doc(nlp.vocab, words=words, sent_starts=starts)
    unmarked = Doc(nlp.vocab, words=words)
    DocBin(docs=[marked, unmarked]).to_disk(tmp_path / "dev.spacy")
    found = {
        gold: [
            [token.is_sent_start for token in example.predicted]
            for example in read_examples(nlp, "parser", tmp_path / "dev.spacy", gold)
        ]
        for gold in (True, False)
    }
    # Of a doc without gold sentences, nothing is known.
    unknown = [True, None, None, None, None]
    assert found[True] == [[True, False, False], [True, False], unknown]
    assert found[False] == [unknown, unknown]


def test_decodes_once_per_temperature(model: Path, tmp_path: Path):
    nlp = spacy.load(model)
    examples = read_examples(nlp, "test_confident", write_corpus(tmp_path / "dev.spacy", 0, 1, 6))
    pipe = nlp.get_pipe("test_confident")
    asked: list[tuple[int, float]] = []
    real = pipe.raw_confidences

    def count(examples: list, temperature: float) -> Any:
        asked.append((id(examples[0]), temperature))
        return real(examples, temperature)

    pipe.raw_confidences = count
    calibrate(pipe, examples, Method.auto)
    # A half and the whole corpus can start with the same example.
    assert max(asked.count(key) for key in asked) <= 2


def test_bad_input(model: Path, tmp_path: Path):
    dev = write_corpus(tmp_path / "dev.spacy", seed=0, n_docs=2)
    assert "test_confident" in run(model, dev, "--component", "test_upstream", code=1)
    one = write_corpus(tmp_path / "one.spacy", seed=0, n_docs=1)
    assert "at least 2" in run(model, one, code=1)
    run(model, tmp_path / "missing.spacy", code=2)
    nlp = spacy.load(model)
    nlp.remove_pipe("test_confident")
    nlp.to_disk(tmp_path / "none")
    assert "no component" in run(tmp_path / "none", dev, code=1)
