import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.serve.pipelines import Sources
from spacy_perceptron.serve.workspace import Workspace, find_outputs


def run(*arguments: object) -> str:
    result = CliRunner().invoke(perceptron_cli, ["serve", *map(str, arguments)])
    assert result.exit_code != 0, result.output
    return " ".join(result.output.split())


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("fastapi", "uvicorn"):
            raise ImportError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert "pip install 'spacy-perceptron[serve]'" in run("model")


def test_a_port_that_is_taken():
    from spacy_perceptron.serve.web.server import listen

    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    printed = run("model", "--port", port)
    assert f"Port {port} of 127.0.0.1 is taken. Choose another one with --port" in printed
    listener.close()


def test_options_that_make_no_sense(tmp_path: Path):
    assert "`max_chars` must be between 1 and 1000000, not 0" in run("model", "--max-chars", 0)
    run("model", "--port", 65_536)
    run("model", "--port", -1)
    run("model", "--corpus", tmp_path / "none.spacy")
    run("model", "--check", tmp_path / "none.txt")
    run()


def test_where_corrections_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "training" / "model-best"
    other = tmp_path / "other" / "model-best"
    folder.mkdir(parents=True)
    other.mkdir(parents=True)
    training = tmp_path / "training"
    assert find_outputs([str(folder)], None) == [training / "model-best-corrected"]
    assert find_outputs(["training/model-best/"], None) == [training / "model-best-corrected"]
    assert find_outputs(["en_web"], None) == [Path("en_web-corrected")]
    assert find_outputs(["en_web"], tmp_path) == [tmp_path]
    assert find_outputs(["en_web", str(folder)], tmp_path) == [
        tmp_path / "en_web",
        tmp_path / "model-best",
    ]
    # No two pipelines write to one folder.
    assert find_outputs([str(folder), str(other), str(folder)], tmp_path) == [
        tmp_path / "training-model-best",
        tmp_path / "other-model-best",
        tmp_path / "training-model-best-2",
    ]
    # In another order, each finds its corrections again.
    assert find_outputs([str(other), str(folder)], tmp_path) == [
        tmp_path / "other-model-best",
        tmp_path / "training-model-best",
    ]
    assert find_outputs(["model-best", "training/model-best"], tmp_path) == [
        tmp_path / "model-best",
        tmp_path / "training-model-best",
    ]


def test_pipelines_have_names_of_their_own(tmp_path: Path):
    """Trained pipelines have folders of the same name, and often the same name in their data."""
    models = ["first/model-best", "second/model-best", "en_web", "second/model-best"]
    for model in (models[0], models[1]):
        (tmp_path / model).mkdir(parents=True)
    paths = [str(tmp_path / model) if "/" in model else model for model in models]
    workspace = Workspace([Sources(path, tmp_path) for path in paths], max_chars=100)
    told = [one["name"] for one in workspace.describe()["pipelines"]]
    assert told == ["first/model-best", "second/model-best", "en_web", "second/model-best 2"]


def test_other_commands_do_not_import_it():
    code = (
        "import sys, spacy, spacy_perceptron.cli; spacy.blank('en'); "
        "print([m for m in ('fastapi', 'uvicorn', 'starlette', 'spacy_perceptron.serve') "
        "if m in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "[]", printed.stderr
