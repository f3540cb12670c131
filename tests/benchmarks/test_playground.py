"""The benchmark of the playground, on a small tagger."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest
from spacy.language import Language

from benchmarks.command.registry import COMMANDS, load_benchmark
from benchmarks.measures.serving import load as loads
from benchmarks.measures.serving.latency import SENTENCE, measure_latency
from benchmarks.measures.serving.load import PlaygroundScale, measure_load
from benchmarks.measures.serving.server import running
from benchmarks.playground import add_arguments, make_report, run
from benchmarks.report.files import console_text

SMALL = PlaygroundScale(n_requests=3, n_clients=3, seconds=1.0)


@pytest.fixture
def model(sample_tagger: Language, tmp_path: Path) -> Path:
    sample_tagger.to_disk(tmp_path / "model")
    return tmp_path / "model"


def test_the_sentence_has_as_many_words_as_it_says():
    assert len(SENTENCE.split()) == 30


def test_a_run(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setattr("benchmarks.playground.QUICK", SMALL)
    parser = ArgumentParser()
    add_arguments(parser)
    run(parser.parse_args([str(model), "--quick", "--output", str(tmp_path / "results")]))
    data = json.loads((tmp_path / "results" / "playground.json").read_text())
    labels = [one["label"] for one in data["systems"]]
    assert labels == ["annotate", "5 best of tagger", "explain tagger", "correct tagger"]
    for one in data["systems"]:
        assert 0 < one["median"] <= one["p95"] <= one["worst"]
    assert 0 < data["systems"][0]["server"] < data["systems"][0]["worst"]
    load = data["load"]
    assert (load["n_errors"], load["n_different"]) == (0, 0)
    assert load["n"] >= SMALL.n_clients
    assert load["memory"]["peak"] >= load["memory"]["end"] > 0
    assert load["memory"]["peak"] == max(load["memory"]["samples"])
    printed = capsys.readouterr().out
    assert console_text(make_report(data)) in printed
    assert "playground" in COMMANDS
    assert load_benchmark("playground").make_report is make_report


def test_other_answers_and_errors_are_counted(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    true = loads.answer
    n_asked = 0

    def expected_wrongly(client: Any, request: Any) -> Any:
        nonlocal n_asked
        n_asked += 1
        return true(client, request) if n_asked > 30 else {"text": "something else"}

    monkeypatch.setattr(loads, "answer", expected_wrongly)
    with running(model, tmp_path) as (process, port):
        found = measure_load(process, port, SMALL)
        assert found["n_different"] > 0
        process.kill()
        process.wait()
        with pytest.raises(OSError, match="refused"):
            measure_latency(port, 1)


def test_a_model_that_can_not_be_loaded(tmp_path: Path):
    with (
        pytest.raises(RuntimeError, match="can't be loaded"),
        running(tmp_path / "none", tmp_path),
    ):
        pass
