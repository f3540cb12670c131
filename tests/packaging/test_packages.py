"""The wheel and a packaged pipeline, installed where there is nothing else, and used."""

import json
import os
import shutil
import sys
import tarfile
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest
import spacy
from spacy.vocab import Vocab

import spacy_perceptron
from spacy_perceptron.corpus.conllu.writer import docs_to_conllu
from spacy_perceptron.trees.conllu.reading import write_conllu

from ..real_data import REPOSITORY
from ..sample import load_sample
from .building import PACKAGE, SUFFIX, build, copy_sources, run

pytestmark = pytest.mark.package

MEGABYTE = 1_000_000
N_SENTENCES = {"train": 80, "dev": 20, "test": 20}
NAME = f"en_perceptron_sample-{spacy_perceptron.__version__}"
TEXT = "Please close the window before the cold gets in. She saw the man with the telescope."
PARSE = f"""
import json, spacy, spacy_perceptron
doc = spacy.load("en_perceptron_sample")({TEXT!r})
print(json.dumps({{
    "file": spacy_perceptron.__file__,
    "doc": doc.to_json(),
    "confidences": [token._.head_confidence for token in doc],
}}))
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    return build(sources, "wheel")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files such as those of Universal Dependencies, of the sample treebank, with coarse tags and
    features roughly by its tags."""
    folder = tmp_path_factory.mktemp("treebank")
    letters = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV", "D": "DET", "I": "ADP"}
    for split, n in N_SENTENCES.items():
        docs = load_sample(Vocab(), split, limit=n)
        for token in (token for doc in docs for token in doc):
            token.pos_ = letters.get(token.tag_[0], "X")
            token.set_morph(f"Kind={token.tag_}" if token.tag_.isalpha() else "")
        write_conllu(docs_to_conllu(docs), folder / f"en_sample-ud-{split}.conllu")
    return folder


@pytest.fixture(scope="module")
def project(treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the workflow `release` has run."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(REPOSITORY / "project.yml", folder)
    shutil.copytree(REPOSITORY / "configs", folder / "configs")
    about = "configs/release/sample.json"
    run(
        *("-m", "spacy", "project", "run", "release", "."),
        *("--vars.treebank", treebank, "--vars.release_about", about),
        cwd=folder,
    )
    return folder


@pytest.fixture(scope="module")
def pipeline(project: Path) -> Path:
    """The packaged pipeline."""
    return project / "packages" / NAME / "dist" / f"{NAME}-py3-none-any.whl"


@pytest.fixture(scope="module")
def clean(wheel: Path, pipeline: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python with both packages and what they need, all of it from wheels."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = ("-m", "pip", "install", "--quiet", "--only-binary", ":all:")
    run(*install, wheel, pipeline, cwd=folder, python=python, path=str(python.parent))
    return python


def test_the_wheel_has_what_it_should_have(wheel: Path):
    """Stubs for those who check types, declarations for those who cimport, sources for tracebacks;
    nothing that Cython has written, no tests."""
    with zipfile.ZipFile(wheel) as archive:
        found = {PurePosixPath(info.filename): info.file_size for info in archive.infolist()}
    found = {path: size for path, size in found.items() if ".dist-info" not in path.parts[0]}
    tree = [path.relative_to(REPOSITORY) for path in (REPOSITORY / PACKAGE).rglob("*")]
    written = (".c", ".cpp", ".pyc", ".html")
    # The page of the playground is HTML that nobody generates.
    expected = {
        PurePosixPath(path)
        for path in tree
        if (REPOSITORY / path).is_file() and (path.suffix not in written or "page" in path.parts)
    }
    assert {*found} == expected
    n_compiled = sum(path.suffix == ".pyx" for path in tree)
    # One more has the code that all share.
    assert sum(path.name.endswith(SUFFIX) for path in found) == n_compiled + 1
    assert wheel.stat().st_size <= 10 * MEGABYTE
    assert sum(found.values()) <= 25 * MEGABYTE


def test_the_source_archive_has_what_it_should_have(sources: Path):
    with tarfile.open(build(sources, "sdist")) as archive:
        found = {PurePosixPath(*PurePosixPath(name).parts[1:]) for name in archive.getnames()}
    assert not [path for path in found if path.suffix in (".c", ".cpp", ".so", ".pyd", ".pyc")]
    for name in ("README.md", "setup.py", "project.yml", "configs/release/perceptron_web.json"):
        assert PurePosixPath(name) in found
    tree = [path.relative_to(REPOSITORY) for path in REPOSITORY.rglob("*.py*")]
    ours = {PACKAGE, "tests", "benchmarks"}
    wanted = {
        PurePosixPath(path)
        for path in tree
        if path.parts[0] in ours and path.suffix in (".py", ".pyx", ".pyi")
    }
    assert wanted <= found


def test_the_model_card_has_the_figures_of_the_test_split(project: Path, pipeline: Path):
    metrics = json.loads((project / "training/ud/raw_metrics.json").read_text("utf8"))
    with zipfile.ZipFile(pipeline) as archive:
        card = archive.read(f"en_perceptron_sample/{NAME}/README.md").decode("utf8")
        meta = json.loads(archive.read("en_perceptron_sample/meta.json"))
    for name in ("sents_f", "tag_acc", "pos_acc", "morph_acc", "lemma_acc", "dep_las"):
        assert meta["performance"][name] == metrics[name]
        assert f"| `{name.upper()}` | {metrics[name] * 100:.2f} |" in card
    assert meta["pipeline"] == ["senter", "tagger", "lemmatizer", "parser"]
    assert meta["license"] == "CC0 1.0"
    assert "The sample treebank of spacy-perceptron" in card


def test_installed_without_a_compiler_it_answers_as_before(
    clean: Path, project: Path, tmp_path: Path
):
    answer = json.loads(run("-c", PARSE, cwd=tmp_path, python=clean))
    assert Path(answer["file"]).is_relative_to(clean.parents[1])
    doc = spacy.load(project / "training" / "release")(TEXT)
    assert answer["doc"] == doc.to_json()
    assert answer["confidences"] == [token._.head_confidence for token in doc]
    assert [token.text for token in doc if token.dep_ == "ROOT"] == ["close", "saw"]


def test_the_wheel_passes_what_all_wheels_have_to_pass(clean: Path, tmp_path: Path):
    script = REPOSITORY / "tests" / "packaging" / "tiny_pipeline.py"
    assert "works" in run(script, cwd=tmp_path, python=clean)
    assert str(clean) != sys.executable
