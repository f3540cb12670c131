"""Marks the tests of benchmarks, and makes small corpora for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from spacy.tokens import DocBin

from benchmarks.corpora.constituents import tree_corpus as make_tree_corpus
from benchmarks.corpora.corpus import SPLITS, Corpus, read_conllu
from benchmarks.processes import workshop
from spacy_perceptron.corpus import sample
from spacy_perceptron.trees.brackets import read_brackets
from spacy_perceptron.trees.tree import Tree

from .samples import CONLLU, N_TREES

HERE = Path(__file__).parent
SAMPLE = Path(sample.__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder, which only CI runs."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.benchmark)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """A corpus of two sentences, the same in all splits."""
    source = tmp_path / "source.conllu"
    source.write_text(CONLLU, encoding="utf8")
    made = Corpus("two sentences", tmp_path)
    for split in SPLITS:
        DocBin(docs=read_conllu(source)).to_disk(made.path(split))
    return made


@pytest.fixture(scope="session")
def trees() -> list[Tree]:
    """Thirty trees of the sample treebank with more than six words."""
    path = SAMPLE / "train.mrg"
    found = [s.tree for s in read_brackets(path, keep_function_tags=False)]
    return [tree for tree in found if len(tree.words()) > 6][:30]


@pytest.fixture(scope="session")
def tree_corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Some sentences of the sample treebank, with phrases."""
    data = tmp_path_factory.mktemp("data")
    (data / "wsj").symlink_to(SAMPLE, target_is_directory=True)
    return make_tree_corpus(data, data / "corpus", limits=dict.fromkeys(SPLITS, N_TREES))


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train here, not in child processes, which would import everything anew."""
    monkeypatch.setattr(workshop, "run_in_child", lambda make, *args: make(*args))
