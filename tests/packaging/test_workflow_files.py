"""The workflows of public CI: whether what they name is there. They run elsewhere."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import srsly

from ..real_data import REPOSITORY
from .metadata import PROJECT, PYPROJECT, supported_pythons

FOLDER = REPOSITORY / ".github" / "workflows"
WORKFLOWS: dict[str, dict[str, Any]] = {
    path.name: srsly.read_yaml(path) for path in sorted(FOLDER.iterdir())
}
VARIABLE = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for file, workflow in WORKFLOWS.items():
        for name, job in workflow["jobs"].items():
            yield f"{file}: {name}", job


def scripts() -> Iterator[str]:
    for _, job in jobs():
        yield from (step["run"] for step in job["steps"] if "run" in step)


def test_there_are_workflows():
    assert list(WORKFLOWS) == ["tests.yml", "wheels.yml"]
    assert len(list(scripts())) >= 9


@pytest.mark.parametrize("file", WORKFLOWS)
def test_keys_are_known(file: str):
    """`on` is no boolean, as it is to readers of YAML 1.1."""
    workflow = WORKFLOWS[file]
    known = {"name", "on", "permissions", "concurrency", "env", "jobs"}
    assert {"name", "on", "jobs"} <= {*workflow} <= known
    assert {*workflow["on"]} <= {"push", "pull_request", "workflow_dispatch"}
    assert workflow["permissions"] == {"contents": "read"}


def test_jobs_have_steps_of_one_kind():
    names = {*jobs_of("tests.yml"), *jobs_of("wheels.yml")}
    for where, job in jobs():
        assert {*job} <= {"name", "needs", "runs-on", "strategy", "steps"}, where
        assert {*job.get("needs", [])} <= names, where
        for step in job["steps"]:
            assert {*step} <= {"name", "if", "uses", "with", "run", "env"}, where
            assert ("uses" in step) != ("run" in step), where
            if "uses" in step:
                assert re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]), where


def jobs_of(file: str) -> list[str]:
    return list(WORKFLOWS[file]["jobs"])


def test_variables_have_values():
    for where, job in jobs():
        matrix = job.get("strategy", {}).get("matrix", {})
        for name in VARIABLE.findall(srsly.json_dumps(job)):
            head, _, tail = name.partition(".")
            assert (head, tail) == ("github", "ref") or (head == "matrix" and tail in matrix), where
        # What is in the matrix is used.
        for name in matrix:
            assert f"matrix.{name}" in VARIABLE.findall(srsly.json_dumps(job)), where


def test_versions_of_python_are_those_supported():
    assert WORKFLOWS["tests.yml"]["jobs"]["tests"]["strategy"]["matrix"]["python"] == (
        supported_pythons()
    )
    for where, job in jobs():
        for step in job["steps"]:
            version = step.get("with", {}).get("python-version", "")
            if version and not VARIABLE.search(version):
                # A string: 3.10 as a number is 3.1.
                assert version in supported_pythons(), where


def test_wheels_are_made_for_all_platforms():
    """Each machine makes wheels for itself."""
    assert PYPROJECT["tool"]["cibuildwheel"]["archs"] == ["auto64"]
    machines = WORKFLOWS["wheels.yml"]["jobs"]["wheels"]["strategy"]["matrix"]["os"]
    # Linux on Intel and on ARM, macOS on both, Windows.
    assert [re.sub(r"-[\d.]+", "", machine) for machine in machines] == [
        "ubuntu",
        "ubuntu-arm",
        "macos-intel",
        "macos",
        "windows",
    ]
    assert PYPROJECT["tool"]["cibuildwheel"]["skip"] == "*-musllinux_*"


def test_extras_are_there():
    extras = [
        extra.strip()
        for script in scripts()
        for group in re.findall(r"\.\[([^\]]+)\]", script)
        for extra in group.split(",")
    ]
    assert extras
    assert {*extras} <= {*PROJECT["optional-dependencies"]}


def test_markers_of_tests_are_there():
    known = {
        marker.split(":")[0] for marker in PYPROJECT["tool"]["pytest"]["ini_options"]["markers"]
    }
    markers = [
        marker for script in scripts() for marker in re.findall(r"pytest\b.* -m (\w+)", script)
    ]
    assert markers == ["package"]
    assert {*markers} <= known


def test_files_are_there():
    files = [
        word
        for script in scripts()
        for word in script.split()
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+", word)
    ]
    assert sorted(files) == ["tests/decode", "tests/features", "tests/learn"]
    assert [file for file in files if not (REPOSITORY / file).exists()] == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_scripts_are_well_formed():
    texts = [*scripts(), (REPOSITORY / ".ci" / "run").read_text(encoding="utf8")]
    for text in texts:
        checked = subprocess.run(
            ["bash", "-n"], input=VARIABLE.sub("x", text), capture_output=True, text=True
        )
        assert checked.returncode == 0, checked.stderr
