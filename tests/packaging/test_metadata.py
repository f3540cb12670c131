"""One source for each fact of the package."""

import re

import spacy_perceptron

from ..real_data import REPOSITORY
from .metadata import PROJECT, PYPROJECT, supported_pythons


def test_the_version_is_that_of_the_package():
    """It stands in `__init__.py` alone, and the changelog has an entry for it."""
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"] == {
        "version": {"attr": "spacy_perceptron.__version__"}
    }
    found = re.search(r"^## \[([\w.]+)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert found is not None
    assert found[1] == spacy_perceptron.__version__


def test_all_versions_of_python_are_named_everywhere():
    pythons = supported_pythons()
    assert pythons == ["3.10", "3.11", "3.12", "3.13"]
    prefix = "Programming Language :: Python :: "
    classifiers = [name for name in PROJECT["classifiers"] if name.startswith(prefix)]
    assert classifiers == [prefix + version for version in pythons]
    wheels = PYPROJECT["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp{version.replace('.', '')}-*" for version in pythons]
    first, last = (int(version.removeprefix("3.")) for version in (pythons[0], pythons[-1]))
    for name in ("setup.py", ".ci/run"):
        assert f"(3, {first}) <= sys.version_info < (3, {last + 1})" in read(name), name
    assert PYPROJECT["tool"]["mypy"]["python_version"] == pythons[0]
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{pythons[0].replace('.', '')}"
    assert f"Python {pythons[0]} to {pythons[-1]}" in read("README.md")


def test_what_builds_a_wheel_is_what_builds_in_the_tree():
    """`dev` has what an isolated build gets."""
    assert set(PYPROJECT["build-system"]["requires"]) <= set(
        PROJECT["optional-dependencies"]["dev"]
    )


def test_what_is_run_on_wheels_is_there():
    command = PYPROJECT["tool"]["cibuildwheel"]["test-command"].split()
    assert command[0] == "python"
    assert (REPOSITORY / command[1].removeprefix("{project}/")).is_file()
    assert len(command) == 2


def read(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf8")
