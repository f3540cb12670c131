from pathlib import Path

import pytest
from weasel.cli.run import load_project_config

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
