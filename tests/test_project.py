import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from spacy.vocab import Vocab
from weasel.cli.run import load_project_config

from spacy_perceptron.corpus.sample import SPLITS, load_sample

REPOSITORY = Path(__file__).parent.parent
COMMANDS = {command["name"]: command for command in load_project_config(REPOSITORY)["commands"]}


@pytest.mark.parametrize("name", COMMANDS)
def test_files_of_a_command_are_read_one_by_one(name: str):
    """Names that start and end with a variable would be read as a single one."""
    command = COMMANDS[name]
    files = [*command.get("deps", []), *command.get("outputs", [])]
    assert files
    assert not [file for file in files if "," in file or "$" in file]


def test_workflows_run_commands_whose_inputs_are_made_before_or_given():
    """Given: files of the repository, and those in `assets`."""
    for names in load_project_config(REPOSITORY)["workflows"].values():
        made: set[str] = set()
        for name in names:
            missing = [
                file
                for file in COMMANDS[name].get("deps", [])
                if file not in made
                and not file.startswith("assets/")
                and not (REPOSITORY / file).exists()
            ]
            assert not missing, name
            made.update(COMMANDS[name].get("outputs", []))


@pytest.mark.benchmark
def test_workflow_with_two_workers(tmp_path: Path):
    """A tagger trained by two learns, and two annotate all documents of the sample treebank."""
    pytest.importorskip("ray")
    shutil.copytree(REPOSITORY / "configs", tmp_path / "configs")
    # A part of the package alone would hide the rest from commands in this folder.
    (tmp_path / "spacy_perceptron").symlink_to(REPOSITORY / "spacy_perceptron")
    shutil.copy(REPOSITORY / "project.yml", tmp_path)
    command = [sys.executable, "-m", "spacy", "project", "run", "scale", "."]
    subprocess.run([*command, "--vars.scale_rounds", "4"], cwd=tmp_path, check=True)
    metrics = json.loads((tmp_path / "training" / "scale" / "metrics.json").read_text())
    assert metrics["tag_acc"] > 0.85
    for split in SPLITS:
        lines = (tmp_path / "output" / "scale" / f"{split}.spacy.jsonl").read_text().splitlines()
        gold = load_sample(Vocab(), split, n_sents=5)
        docs = [json.loads(line) for line in lines]
        assert [doc["words"] for doc in docs] == [[token.text for token in doc] for doc in gold]
        pairs = [
            (tag, token.tag_)
            for doc, reference in zip(docs, gold, strict=True)
            for tag, token in zip(doc["tags"], reference, strict=True)
        ]
        # Not the gold tags that the documents came with.
        assert 0.85 < sum(tag == other for tag, other in pairs) / len(pairs) < 1
