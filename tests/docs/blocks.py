"""The code blocks of pages, and running them as a reader would: in order, and in one folder.

A block with `title="NAME"` is a file; a `fragment` is not to be run. Python blocks share their
names; a comment at the start of a line, or behind a `print`, is what is printed. What a bash block
prints may follow it as a block without a language, where a line `…` stands for any lines.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BLOCK = re.compile(
    r"^```(?P<language>\w*)(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE
)
_TITLE = re.compile(r'title="([^"]+)"')
_PRINTED = re.compile(r"^(?:print\(.*\)  )?# (.+)$", re.MULTILINE)


@dataclass
class Block:
    """A block of a page.

    language (str): What stands behind its backticks.
    code (str): Its text.
    title (str): The name of the file that it is, or an empty string.
    line (int): The line of the page on which it starts.
    output (str): What a bash block prints, or an empty string.
    """

    language: str
    code: str
    title: str
    line: int
    output: str = ""

    def printed(self) -> list[str]:
        """RETURNS (list[str]): What a Python block prints, by its comments."""
        return _PRINTED.findall(self.code)


def read_blocks(path: Path) -> Iterator[Block]:
    """Read the blocks of a page.

    path (Path): The page.
    YIELDS (Block): Blocks with a language.
    """
    text = path.read_text(encoding="utf8")
    last: Block | None = None
    end = -1
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["language"]:
            if last:
                yield last
                last = None
            if "fragment" in match["info"]:
                continue
            title = _TITLE.search(match["info"])
            last = Block(match["language"], match["code"], title[1] if title else "", line)
        elif last and not text[end : match.start()].strip():
            last.output = match["code"]
        end = match.end()
    if last:
        yield last


class Runner:
    """Runs blocks.

    folder (Path): Where they run.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, block: Block) -> None:
        """Run a block and compare what it prints; a block in another language is only a file."""
        if block.title:
            (self.folder / block.title).write_text(block.code, encoding="utf8")
        elif block.language == "python":
            printed = self.run_python(block).splitlines()
            assert printed == block.printed(), f"line {block.line}: {printed}"
        elif block.language == "bash":
            check_output(self._run_bash(block), block)

    def run_python(self, block: Block) -> str:
        """RETURNS (str): What a Python block prints."""
        before, path = Path.cwd(), sys.path.copy()
        printed = io.StringIO()
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        try:
            with contextlib.redirect_stdout(printed):
                # Tracebacks name the line of the page.
                exec(compile("\n" * block.line + block.code, "<page>", "exec"), self.names)
        finally:
            os.chdir(before)
            sys.path[:] = path
        return printed.getvalue()

    def _run_bash(self, block: Block) -> str:
        commands = Path(sys.executable).parent
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.code],
            cwd=self.folder,
            env={
                **os.environ,
                "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
                "WASABI_LOG_FRIENDLY": "1",
                "COLUMNS": "200",
            },
            capture_output=True,
            text=True,
            timeout=1800,
        )
        assert result.returncode == 0, f"line {block.line}:\n{result.stdout}{result.stderr}"
        return result.stdout


def check_output(printed: str, block: Block) -> None:
    """Compare what a bash block prints with what the page says, if it says anything."""
    if block.output:
        lines = [".*" if line == "…" else re.escape(line) for line in block.output.splitlines()]
        pattern = "\n".join(lines)
        assert re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL), (
            f"line {block.line}:\n{printed}"
        )
