"""The commands of `python -m benchmarks`."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.__main__ import main
from benchmarks.registry import BENCHMARKS, COMMANDS, load_benchmark

COMPARED = {
    "tagger": ("ours", "spacy", "nltk", "crfsuite"),
    "parser": ("ours", "spacy", "udpipe"),
    "easy_first": ("easy_first", "mira", "spacy"),
    "ner": ("ours", "spacy", "crfsuite"),
    "constituency": (
        "chart",
        "generative",
        "perceptron",
        "hybrid",
        "curves",
        "shipped",
        "fast",
        "gold",
        "rerank",
        "rerank-generative",
        "quoted",
    ),
    "max_margin": (
        "max_margin",
        "exact",
        "smo",
        "small_c",
        "gold",
        "incremental",
        "rerank",
        "quoted",
    ),
    "raw_text": ("ours", "spacy", "udpipe"),
    "morphology": ("ours", "spacy"),
    "rerank": ("parser", "ner", "kernels"),
}


def parse(name: str, words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    load_benchmark(name).add_arguments(parser)
    return parser.parse_args(words)


def test_every_benchmark_runs_reports_and_draws() -> None:
    assert set(BENCHMARKS) == {*COMPARED, "kernels"}
    for name in BENCHMARKS:
        module = load_benchmark(name)
        assert all(callable(getattr(module, part)) for part in ("run", "make_report", "draw"))
    assert set(COMMANDS) - set(BENCHMARKS) == {"memory", "results"}


@pytest.mark.parametrize(("name", "groups"), COMPARED.items())
def test_comparisons_share_their_options(name: str, groups: tuple[str, ...]) -> None:
    assert parse(name, []).only == list(groups)
    assert parse(name, ["--only", "a,b"]).only == ["a", "b"]
    args = parse(name, ["--quick", "--reuse", "--train-only", "--work", "w", "--data", "d"])
    assert args.quick
    assert args.reuse
    assert args.train_only


def test_kernels_and_results_have_options_of_their_own() -> None:
    assert parse("kernels", ["--quick"]).quick
    assert not parse("results", []).plots


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert f"python -m benchmarks {name}" in capsys.readouterr().out
