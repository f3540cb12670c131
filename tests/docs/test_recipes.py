"""The recipes, from top to bottom."""

from pathlib import Path

from ..real_data import REPOSITORY
from .blocks import Runner, read_blocks

PAGE = REPOSITORY / "docs" / "recipes.md"


def test_recipes_do_what_they_say(tmp_path: Path):
    runner = Runner(tmp_path)
    blocks = list(read_blocks(PAGE))
    assert {block.language for block in blocks} == {"bash", "python"}
    for block in blocks:
        runner.run(block)
