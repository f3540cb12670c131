"""The commands and the Python code of the README."""

import re
import shutil
from pathlib import Path

import pytest
import spacy
from weasel.cli.run import load_project_config

from benchmarks.command.registry import BENCHMARKS
from spacy_perceptron.corpus.conllu.writer import docs_to_conllu
from spacy_perceptron.trees.conllu.reading import write_conllu

from ..real_data import REPOSITORY
from ..sample import load_sample
from ..serve.served import serving
from .blocks import Block, Runner, read_blocks

README = REPOSITORY / "README.md"
BLOCKS = list(read_blocks(README))
# What is in front of a command on its line.
INSTALL = re.compile(r'^pip install -e (\.|"\.\[\w+\]") && ')


def commands(block: Block) -> list[str]:
    """RETURNS (list[str]): The commands of a block, without installations and comments."""
    lines = [line.split("  #")[0].rstrip() for line in block.code.splitlines()]
    return [INSTALL.sub("", line) for line in lines]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with what the demo takes from a clone."""
    shutil.copytree(REPOSITORY / "configs", tmp_path / "configs")
    # A part of the package alone would hide the rest from commands in this folder.
    (tmp_path / "spacy_perceptron").symlink_to(REPOSITORY / "spacy_perceptron")
    shutil.copy(REPOSITORY / "project.yml", tmp_path)
    return tmp_path


def run(lines: list[str], folder: Path) -> None:
    Runner(folder).run(Block("bash", "\n".join(lines), "", 0))


@pytest.mark.benchmark
def test_demo_and_what_follows_it(project: Path):
    demo = [line for block in BLOCKS for line in commands(block) if "project run demo" in line]
    assert demo == ["python -m spacy project run demo"]
    run(demo, project)
    assert (project / "output" / "demo.html").exists()
    (block,) = [block for block in BLOCKS if block.language == "python"]
    printed = Runner(project).run_python(block).splitlines()
    said = re.findall(r"`((?:\d\.\d\d|now:) with <- \w+)`", README.read_text(encoding="utf8"))
    assert len(said) == 3
    assert [line for line in printed if " with <- " in line] == said
    (serve,) = [line for block in BLOCKS for line in commands(block) if "serve" in line]
    *_, model = serve.split()
    with serving(project, project / model) as server:
        assert server.wait()["components"]


def test_training_on_own_data(tmp_path: Path):
    (block,) = [block for block in BLOCKS if "convert train.conllu" in block.code]
    vocab = spacy.blank("fr").vocab
    for split, limit in (("train", 20), ("dev", 10)):
        docs = load_sample(vocab, split, limit=limit, n_sents=5)
        write_conllu(docs_to_conllu(docs), tmp_path / f"{split}.conllu")
    run(commands(block), tmp_path)
    assert spacy.load(tmp_path / "training" / "fr" / "model-best").lang == "fr"


def test_there_is_what_other_commands_name():
    """They need a network, other corpora or hours."""
    text = README.read_text(encoding="utf8")
    project = load_project_config(REPOSITORY)
    workflows = re.findall(r"spacy project run (\w+)", text)
    assert {"demo", "ewt", "ud"} <= set(workflows) <= set(project["workflows"])
    (block,) = [block for block in BLOCKS if "python -m benchmarks" in block.code]
    names = re.findall(r"python -m benchmarks (\w+) --data", block.code)
    others = re.findall(r"\b(\w+)(?=[,;]| \.\.\.)", block.code.split("also: ")[1])
    assert {*names, *others} >= {"tagger", "raw_text", "ner"}
    assert {*names, *others} <= set(BENCHMARKS)


def test_no_command_is_left_out():
    known = (
        "project run demo",
        "project assets",
        "perceptron serve",
        "python -m pytest",
        "python -m benchmarks",
    )
    for block in BLOCKS:
        if block.language == "bash" and "convert train.conllu" not in block.code:
            for line in commands(block):
                assert any(command in line for command in (*known, "pip install")), line
