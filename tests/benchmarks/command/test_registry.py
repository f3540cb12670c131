"""The commands of `python -m benchmarks`."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from benchmarks.__main__ import main
from benchmarks.command.registry import BENCHMARKS, COMMANDS, load_benchmark

from ...real_data import REPOSITORY

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
    "clusters": ("tags", "trees", "stacked", "entities", "phrases", "growth"),
    "scale": ("annotate", "memory", "training", "rounds"),
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
    assert set(COMMANDS) - set(BENCHMARKS) == {"memory", "playground", "results"}


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


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"matplotlib", "nltk", "pycrfsuite", "ufal"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from benchmarks.__main__ import main
main(sys.argv[1:])
"""


def run_without_the_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY)


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_without_the_extra(name: str | None):
    words = ["--help"] if name is None else [name, "--help"]
    found = run_without_the_extra(*words)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("usage: python -m benchmarks")


def test_a_run_without_the_extra():
    found = run_without_the_extra("parser", "--quick")
    assert found.returncode == 1
    (line,) = [line for line in (found.stdout + found.stderr).splitlines() if line.strip()]
    assert "matplotlib is not installed: pip install 'spacy-perceptron[benchmarks]'" in line
